import { builder } from './builder.ts'

/** Direction of an order, as listings take it. */
export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of an order. Wire: sortOrderDesc',
  values: {
    ASC: { description: 'Least first. Wire: false' },
    DESC: { description: 'Greatest first. Wire: true' },
  },
})

export const isDescending = ({ direction }: { readonly direction: 'ASC' | 'DESC' }) =>
  direction === 'DESC'

interface Order {
  readonly field: string
  readonly direction: 'ASC' | 'DESC'
}

/** An order as the arguments of an endpoint; none leaves the order to the service. */
export const orderedBy = (order: Order | null | undefined) =>
  order ? { orderBy: order.field, isDescending: isDescending(order) } : {}
