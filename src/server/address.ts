import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Of an address with a port, and of one of IPv4 in the words of IPv6, the address; whatever else stays as it is. */
const bare = (written: string): string => {
  const text = written.trim()
  const [, six, four] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  return (six ?? four ?? text).replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The same of a socket, which has no port in its address. */
const ofSocket = (address: string): string =>
  address.startsWith('::ffff:') ? bare(address) : address

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/**
 * Writes into `X-Forwarded-For` the address of whoever asks, for all who read it later. It is that of the socket, or,
 * where a proxy of ours is there, the last that no proxy of ours wrote for another of them: what stands before it may be
 * anybody's invention.
 */
export const createAddresses = (networks: readonly string[] = []) => {
  const proxies = listOf(networks)
  const isProxy = (address: string) =>
    isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  const addressOf = ({ socket, headers }: IncomingMessage): string => {
    let address = ofSocket(socket.remoteAddress ?? '')
    if (networks.length === 0) return address
    const hops = headers['x-forwarded-for']?.toString().split(',') ?? []
    while (isProxy(address)) {
      const before = bare(hops.pop() ?? '')
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }

  return (request: IncomingMessage): void => {
    request.headers['x-forwarded-for'] = addressOf(request)
  }
}
