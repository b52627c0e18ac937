import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { mcpServer } from '../../../src/connections/mcp/client/mcp-server.ts'
import { thrownMessage } from '../../../src/kernel/thrown-message.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'

/** The result of one flood. */
export interface FloodResult {
  /** Bytes that the log and the messages have more than before. */
  readonly grown: number
  /** Milliseconds of the longest time in which the event loop did nothing else, also while it waited for the disk. */
  readonly longestStop: number
  /** Milliseconds of its processor that the longest one took. */
  readonly longestWork: number
  /** Calls of others during the flood. */
  readonly calls: number
  readonly failures: readonly string[]
}

/** The end of a flood: after some time, or after some calls of others. */
export interface FloodLength {
  readonly forMs: number
  readonly calls: number
}

/** The time between two calls of others, in milliseconds, where a flood is measured by the time. */
const EVERY_MS = 500

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Calls something else during a flood until its end, and measures the event loop. */
export async function duringFlood(
  { forMs, calls }: FloodLength,
  call: () => Promise<string | null>,
): Promise<Omit<FloodResult, 'grown'>> {
  const until = performance.now() + forMs
  const delays = monitorEventLoopDelay({ resolution: 5 })
  const failures: string[] = []
  let made = 0
  let longestWork = 0
  const threadMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  // What was loaded before is not of the flood.
  collectGarbage()
  let before = threadMs()
  const works = setInterval(() => {
    const now = threadMs()
    longestWork = Math.max(longestWork, Math.round(now - before))
    before = now
  }, 5)
  delays.enable()
  while (made < calls && performance.now() < until) {
    const failure = await call()
    made += 1
    if (failure !== null) failures.push(failure)
    if (calls === Infinity) await pause(EVERY_MS)
  }
  delays.disable()
  clearInterval(works)
  return { longestStop: Math.round(delays.max / 1e6), longestWork, calls: made, failures }
}

/** Runs work with a folder of its own. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loadout-floods-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the size of a file; 0 without one. */
export async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

const PROGRAM = fileURLToPath(new URL('flooding-server.mjs', import.meta.url))

/** Floods of `flooding-server.mjs`. */
export const FLOODS_OF_SERVERS = [
  'large lists',
  'small lists',
  'questions in turn',
  'questions at once',
  'long questions',
  'requests to a model',
  'requests of roots',
  'pings',
  'progress',
  'log lines',
  'long log lines',
  'updates of resources',
  'answers to nothing',
  'error output',
  'output that is no message',
  'lists of resources',
  'exits with another list',
  'endless pages',
] as const

/** Lets a server flood a session that also uses another one, closes the session, and opens it again. */
export function floodByServer(kind: string, length: FloodLength): Promise<FloodResult> {
  return inFolder(async (folder) => {
    const file = join(folder, 'log.sqlite')
    const noted = join(folder, 'starts')
    await writeFile(noted, '0')
    const server = (name: string, ...args: readonly string[]) =>
      mcpServer({
        name,
        command: process.execPath,
        args: [PROGRAM, ...args],
        roots: [folder],
        resources: true,
        sampling: { maxCalls: 3, maxTokens: 9 },
      })
    const open = async () => {
      const log = await openSqliteLog(file)
      const catalog = await createCatalog({})
      const client = {
        elicit: async () => ({ action: 'decline' as const }),
        sample: async () => ({ model: 'm', content: { type: 'text' as const, text: 'Hi' } }),
      }
      const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', client })
      const close = async () => {
        await workspace.close()
        await log.close()
      }
      const call = async () => {
        const result = await workspace.callTool('calm_calm', {})
        return result.ok ? null : `the call of another server: ${result.error.message}`
      }
      return { workspace, close, call }
    }
    const first = await open()
    for (const one of [server('calm'), server('floods', kind, noted)]) {
      const outcome = await first.workspace.attach(one)
      if (!outcome.ok && kind !== 'endless pages') throw new Error(outcome.message)
    }
    await first.close()
    const before = await sizeOf(file)
    const { workspace, call, close } = await open()
    for (const one of [server('calm'), server('floods', kind, noted)]) await workspace.attach(one)
    // What a first step loads, such as the tokenizer, is not of the flood.
    await workspace.beginStep()
    let isRunning = false
    const tool = kind === 'lists of resources' ? 'floods_list_resources' : 'floods_flood'
    const flooded = await duringFlood(length, async () => {
      if (!isRunning) {
        isRunning = true
        void workspace.callTool(tool, {}).finally(() => (isRunning = false))
      }
      await workspace.beginStep()
      return call()
    })
    await close()
    const grown = (await sizeOf(file)) - before
    const failures = [...flooded.failures]
    try {
      const again = await open()
      await again.workspace.attach(server('calm'))
      const failure = await again.call()
      if (failure !== null) failures.push(`after the flood, ${failure}`)
      await again.close()
    } catch (error) {
      failures.push(`the session does not open again: ${thrownMessage(error)}`)
    }
    return { ...flooded, grown, failures }
  })
}
