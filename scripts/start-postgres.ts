import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./run-postgres.ts', import.meta.url))

/** A real PostgreSQL in a process that ends with this one. */
export interface PostgresServer {
  /** The address of an empty database. */
  readonly url: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again after a kill. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL, which takes about a second. Rejects when it cannot be started. */
export async function startPostgres(): Promise<PostgresServer> {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const line = await lines.next()
    if (line.done === true) throw new Error('PostgreSQL ended.')
    return line.value
  }
  const order = async (word: string) => {
    child.stdin.write(`${word}\n`)
    await next()
  }
  return {
    url: await next(),
    kill: () => order('kill'),
    start: () => order('start'),
    stop: () => {
      child.stdin.end()
      return ended
    },
  }
}
