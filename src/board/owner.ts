import { readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { codeOf } from '../errors.ts'

/** Where a process number means one process: a boot of a machine, and a container in it. */
const place = () => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
}

/** State, and start in ticks since the boot; the name before them may hold spaces and brackets. */
const lifeOf = (stat: string) => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { ended: fields[0] === 'Z' || fields[0] === 'X', start: fields[19] ?? '' }
}

const markOf = () =>
  `${place()} ${process.pid} ${lifeOf(readFileSync('/proc/self/stat', 'utf8')).start}`

/**
 * Tells processes of one machine apart, also when the number of one that ended is given to another.
 * Without Linux' /proc nobody can tell, and nobody is declared dead.
 */
export const createOwner = () => {
  let mark: string | undefined
  try {
    mark = markOf()
  } catch {}
  return {
    mark: mark ?? `process ${process.pid}`,
    async hasEnded(other: string): Promise<boolean> {
      const [where, pid, start] = other.split(' ')
      if (mark === undefined || where !== mark.split(' ')[0] || !/^\d+$/.test(pid ?? ''))
        return false
      try {
        const life = lifeOf(await readFile(`/proc/${pid}/stat`, 'utf8'))
        return life.ended || life.start !== start
      } catch (error) {
        return codeOf(error) === 'ENOENT'
      }
    },
  }
}
