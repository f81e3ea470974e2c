import { builder } from './builder.ts'

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of an order. Wire: sortOrderDesc',
  values: {
    ASC: { description: 'Least first. Wire: false' },
    DESC: { description: 'Greatest first. Wire: true' },
  },
})

/** The direction of an order, with the one that holds when it is left out. */
export const direction = (defaultValue: 'ASC' | 'DESC') =>
  ({ type: OrderDirection, required: true, defaultValue, description: 'Direction.' }) as const

export const isDescending = ({ direction }: { readonly direction: 'ASC' | 'DESC' }) =>
  direction === 'DESC'

interface Order {
  readonly field: string
  readonly direction: 'ASC' | 'DESC'
}

/** An order as the arguments of an endpoint; none leaves the order to the service. */
export const orderedBy = (order: Order | null | undefined) =>
  order ? { orderBy: order.field, isDescending: isDescending(order) } : {}
