// Clients who send or read so slowly that they hold what others need: kind, URL, how many. Says when all of them are there.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { bodyOf, LARGE, SMALL } from './question.mjs'

const [kind, url, count] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const SECOND = 1_000
const BYTES_A_SECOND = 1_024
const post = (query) => {
  const body = bodyOf(query)
  const head = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  return { head, text: head + body }
}

const dial = async () => {
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

/** A byte a second, from the `from`th on. */
const drip = async ({ text }, from) => {
  const socket = await dial()
  socket.resume().write(text.slice(0, from))
  let sent = from
  const beat = setInterval(() => socket.write(text[sent++] ?? ''), SECOND)
  socket.once('close', () => clearInterval(beat))
}

/** Has asked for much, and reads a kilobyte a second. */
const sip = async () => {
  const socket = await dial()
  socket.pause()
  socket.write(post(LARGE).text)
  // Who holds too much is cut off, which is what is meant to be.
  await new Promise((resolve) => socket.once('readable', resolve).once('close', resolve))
  const beat = setInterval(() => socket.read(BYTES_A_SECOND), SECOND)
  socket.once('close', () => clearInterval(beat))
}

const small = post(SMALL)
const OPENERS = {
  heads: () => drip(small, 9),
  bodies: () => drip(small, small.head.length + 1),
  readers: sip,
}

// In steps, since a burst is more than the queue of connections takes; large answers one by one, since it is their
// reading that is slow and not their making.
const [step, between] = kind === 'readers' ? [1, 200] : [10, 0]
for (let opened = 0; opened < count; opened += step) {
  await Promise.all(Array.from({ length: Math.min(step, count - opened) }, OPENERS[kind]))
  await wait(between)
}
process.send('there')
process.on('disconnect', () => process.exit())
