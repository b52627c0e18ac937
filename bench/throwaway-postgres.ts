import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Starts a real PostgreSQL with an empty database, which ends with this process. */
export async function throwawayPostgres(): Promise<{
  readonly url: string
  stop(): Promise<void>
}> {
  const script = fileURLToPath(new URL('../scripts/run-postgres.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for await (const url of createInterface({ input: child.stdout })) {
    return {
      url,
      stop: () => {
        child.stdin.end()
        return ended
      },
    }
  }
  throw new Error('PostgreSQL did not start.')
}
