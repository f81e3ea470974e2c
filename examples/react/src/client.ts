import { Client, cacheExchange, fetchExchange } from 'urql'
import type { Bills } from './bill.ts'

export const createClient = (bill: Bills) =>
  new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange, bill.exchange, fetchExchange],
  })
