import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers that wait for those before them on their connection. Node tells the end of a connection only to the answer
 * whose turn it is; here the others hear of it too, as `close`, or whatever counts them would count them for ever.
 */
export const createQueues = () => {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()

  const queueOf = (socket: Socket): Set<ServerResponse> => {
    const known = queues.get(socket)
    if (known !== undefined) return known
    const queue = new Set<ServerResponse>()
    queues.set(socket, queue)
    socket.once('close', () => {
      for (const response of queue) {
        response.destroy()
        response.emit('close')
      }
    })
    return queue
  }

  return {
    /** One more answer: most are on their turn at once. */
    enter(response: ServerResponse): void {
      if (response.socket !== null) return
      const queue = queueOf(response.req.socket)
      queue.add(response)
      response.once('socket', () => queue.delete(response))
    },
  }
}
