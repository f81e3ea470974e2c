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
