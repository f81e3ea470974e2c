// A curve of a cost, as a table and drawn: what grows no faster than linearly lies flat or falls, for each step is told for
// one of what it has.
const say = (line) => process.stdout.write(`${line}\n`)
const whole = (number) => Math.round(number).toLocaleString('en')
const SLACK = 1.5

/** `per` is true where the cost of a step is that of all its things together. */
export const draw = ({ title, of, per = false }, points) => {
  const shown = points.map(({ step, cost, mb }) => ({ step, cost: per ? cost / step : cost, mb }))
  const told = per ? `µs of CPU for each of the ${of}` : 'µs of CPU for each operation'
  say(`\n**${title}**\n\n\`\`\`mermaid\nxychart-beta`)
  say(`  x-axis "${of}" [${shown.map(({ step }) => `"${whole(step)}"`).join(', ')}]`)
  const most = Math.max(...shown.map(({ cost }) => cost))
  say(`  y-axis "${told}" 0 --> ${Number((most * 1.2).toPrecision(2))}`)
  say(`  line [${shown.map(({ cost }) => Number(cost.toPrecision(3))).join(', ')}]\n\`\`\`\n`)
  const weighs = shown.some(({ mb }) => mb !== undefined)
  say(`| ${of} | ${told} |${weighs ? ' MB of memory |' : ''}\n|---|---|${weighs ? '---|' : ''}`)
  for (const { step, cost, mb } of shown)
    say(`| ${whole(step)} | ${Number(cost.toPrecision(3))} |${weighs ? ` ${whole(mb)} |` : ''}`)
  points.forEach((point, at) => {
    const last = points[at - 1]
    if (last === undefined || point.cost / last.cost <= (SLACK * point.step) / last.step) return
    say(`\nFrom ${whole(last.step)} to ${whole(point.step)} it is dearer than linear.`)
    process.exitCode = 1
  })
}
