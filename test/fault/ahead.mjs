// Loaded before a gateway: it begins at START_AT, if that is said, and goes ahead by AHEAD_MS with each SIGUSR2.
const { now } = Date
const { START_AT, AHEAD_MS } = process.env
let ahead = START_AT === undefined ? 0 : Date.parse(START_AT) - now()
Date.now = () => now() + ahead
process.on('SIGUSR2', () => {
  ahead += Number(AHEAD_MS)
  process.stdout.write(`It is ${new Date(Date.now()).toISOString()}\n`)
})
