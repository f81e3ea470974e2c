import type { ServerResponse } from 'node:http'
import type { Clock } from '../upstream/transport/send.ts'
import type { Fault } from './fault.ts'

/** An answer before any fault. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export const refusal = (status: number, error: string): Answer => ({ status, body: { error } })

const HTML = '<!doctype html><title>Bad Gateway</title><h1>502 Bad Gateway</h1>'

/** Whether a fault says everything, so that the request need not be looked at. */
export const isCanned = ({ body, html, status, text }: Fault): boolean =>
  html === true || [body, status, text].some((part) => part !== undefined)

/** What a fault says in place of an answer. */
export const canned = ({ body, status = 200 }: Fault): Answer =>
  body === undefined ? refusal(status, 'Injected fault') : { status, body }

/** Sends an answer, spoiled as a fault says. */
export const reply = async (
  response: ServerResponse,
  answer: Answer,
  headers: Readonly<Record<string, string>>,
  fault: Fault,
  clock: Clock,
): Promise<void> => {
  if (fault.delayMs !== undefined) await clock.sleep(fault.delayMs)
  if (fault.stall === 'head') return
  if (fault.reset === true) return void response.destroy()
  const bytes = Buffer.from(
    fault.html === true ? HTML : (fault.text ?? JSON.stringify(answer.body)),
  )
  response.writeHead(answer.status, {
    'content-type': fault.html === true ? 'text/html' : 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    ...headers,
    ...fault.headers,
  })
  if (fault.stall === 'body') response.flushHeaders()
  else if (fault.cutAt !== undefined)
    response.write(bytes.subarray(0, fault.cutAt), () => response.destroy())
  else if (fault.drip !== undefined) {
    const { bytes: size, everyMs } = fault.drip
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      response.write(bytes.subarray(at, at + size))
      await clock.sleep(everyMs)
    }
    response.end()
  } else response.end(bytes)
}
