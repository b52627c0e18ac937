import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { SessionUsage } from '../../../report/usage/session-usage.ts'
import { stateFolder } from '../../opening/open-log.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { withoutPassword } from '../../shell/without-password.ts'
import type { FoundLog } from './find-logs.ts'
import type { ReadReply, ReadRequest } from './log-worker.ts'
import { keptUsage } from './kept-usage.ts'

/** The build has it in another place: see scripts/build.ts. */
const WORKER = './log-worker.ts'

/** The most processes: each takes the memory of the file that it reads. */
const MOST_PROCESSES = 8

interface FailedLog {
  readonly log: string
  readonly error: string
}

/**
 * Reads the summaries of all sessions in logs, in several processes. Those that an earlier run kept are not read again. A
 * log that cannot be read does not stop the others.
 */
export async function readLogs(
  logs: readonly FoundLog[],
  context: CliContext,
  onRead: (done: number) => void,
): Promise<{ readonly sessions: SessionUsage[]; readonly failures: readonly FailedLog[] }> {
  const sessions: SessionUsage[] = []
  const failures: FailedLog[] = []
  const waiting: FoundLog[] = []
  const state = stateFolder(context)
  for (const log of logs) {
    const kept = await keptUsage(state, log)
    if (kept === null) waiting.push(log)
    else sessions.push(...kept)
  }
  let done = logs.length - waiting.length
  // A large file that is started last would keep one process busy when the others have nothing to do.
  waiting.sort((a, b) => a.bytes - b.bytes)
  const processes = Math.min(waiting.length, availableParallelism(), MOST_PROCESSES)
  const read = async () => {
    let worker: Worker | null = null
    try {
      for (let log = waiting.pop(); log !== undefined; log = waiting.pop()) {
        worker ??= startWorker(context)
        const reply = await worker.ask({ log, state })
        if ('sessions' in reply) sessions.push(...reply.sessions)
        else failures.push({ log: withoutPassword(log.log), error: reply.error })
        // A process that ended, by the memory that a file takes, is replaced.
        if (worker.hasEnded()) worker = null
        onRead((done += 1))
      }
    } finally {
      worker?.end()
    }
  }
  await Promise.all(Array.from({ length: processes }, read))
  failures.sort((a, b) => (a.log < b.log ? -1 : 1))
  return { sessions, failures }
}

/** A process that reads one log after the other. */
interface Worker {
  ask(request: ReadRequest): Promise<ReadReply>
  hasEnded(): boolean
  end(): void
}

function startWorker({ env, cwd }: CliContext): Worker {
  const file = fileURLToPath(new URL(WORKER, import.meta.url))
  const child: ChildProcess = fork(file, {
    env: { ...env },
    cwd,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit').then(
    () => ENDED,
    () => ENDED,
  )
  return {
    async ask(request) {
      const abort = new AbortController()
      const reply = once(child, 'message', { signal: abort.signal }).then(
        ([value]) => value as ReadReply,
      )
      child.send(request)
      return Promise.race([reply, ended]).finally(() => abort.abort())
    },
    hasEnded: () => !child.connected,
    end: () => child.kill(),
  }
}

const ENDED: ReadReply = { error: 'The process that read it ended.' }
