import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TorturePart } from './torture-part.ts'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'

const PROCESSES = 8

const OPENS = 2_000

const CHILD = fileURLToPath(new URL('./open-in-child.ts', import.meta.url))

/** Several processes open a new SQLite log at the same moment, again and again. */
export const firstOpens: TorturePart = {
  name: 'opens',
  claim:
    'Processes that open a new SQLite log at the same moment all succeed, and can all append to it.',
  async run({ scale, forMs }) {
    const until = performance.now() + forMs
    const files = Math.ceil((OPENS * scale) / PROCESSES)
    const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
    const children = Array.from({ length: PROCESSES }, () => startChild())
    const failures: string[] = []
    let opens = 0
    try {
      for (let file = 0; file < files && performance.now() < until; file += 1) {
        const name = join(folder, `${file}.sqlite`)
        const answers = await Promise.all(children.map(({ ask }) => ask(name)))
        opens += answers.length
        failures.push(...answers.filter((answer) => answer !== 'ok'))
        const there = await sessionsIn(name)
        if (there !== PROCESSES) failures.push(`${there} sessions are in a file of ${PROCESSES}`)
      }
    } finally {
      for (const { child } of children) child.stdin?.end()
      await Promise.all(children.map(({ ended }) => ended))
      rmSync(folder, { recursive: true })
    }
    return {
      figures: { processes: PROCESSES, 'concurrent first opens': opens, failed: failures.length },
      failures,
    }
  },
}

/** Returns the number of sessions in a file, each of which can be read. */
async function sessionsIn(file: string): Promise<number> {
  await using log = await openSqliteLog(file, { readOnly: true })
  const sessions = await log.list()
  const read = await Promise.all(sessions.map(({ session }) => log.read(session)))
  return read.filter((entries) => entries.length === 1).length
}

/** Starts a process that opens each file it is asked to, and answers `ok` or the error. */
function startChild() {
  const child: ChildProcess = spawn(process.execPath, [CHILD], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  const ask = async (file: string): Promise<string> => {
    child.stdin?.write(`${file}\n`)
    const { value = 'the process ended' } = await lines.next()
    return String(value)
  }
  return { child, ended, ask }
}
