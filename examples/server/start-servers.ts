import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One server in a process of its own. */
export interface RunningServer {
  readonly url: string
  /** End it at once, as a crash would. */
  kill(): Promise<void>
}

/** A database of its own, for those who have none at hand; it goes with this process. */
export interface RunningDatabase {
  readonly url: string
  stop(): Promise<void>
}

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url))
const POSTGRES = fileURLToPath(new URL('../../scripts/run-postgres.ts', import.meta.url))

export async function startServer(database: string): Promise<RunningServer> {
  const env = { ...process.env, DATABASE_URL: database, PORT: '0' }
  const child = spawn(process.execPath, [SERVE], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = endOf(child)
  return {
    url: await firstLine(child),
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}

export async function startDatabase(): Promise<RunningDatabase> {
  const child = spawn(process.execPath, [POSTGRES], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = endOf(child)
  return {
    url: await firstLine(child),
    stop: () => {
      child.stdin?.end()
      return ended
    },
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null) for await (const line of createInterface({ input: stdout })) return line
  throw new Error('It ended before it was ready.')
}
