import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mcpServer } from 'loadout/mcp'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { aWorkspace } from '../../../workspace/a-workspace.ts'

/** Hosts that are killed. `LOADOUT_KILLS=100` kills more. */
const KILLS = Number(process.env['LOADOUT_KILLS'] ?? 2)

/** Hosts that run at the same time. Each kill is mostly waiting. */
const AT_ONCE = 4

const aFile = () => join(mkdtempSync(join(tmpdir(), 'loadout-orphans-')), 'pids')

/** The server and the process that it started, by the file into which it wrote their numbers. */
const pidsIn = (file: string) => readFileSync(file, 'utf8').split(' ').map(Number)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

test.skipIf(process.platform !== 'linux')(
  'a server that ignores every request to end is gone when it is detached, with what it started',
  async () => {
    const file = aFile()
    const workspace = await aWorkspace({})
    const args = ['tests/connections/mcp/client/hostile-server.mjs', 'stays-after-the-end', file]
    const server = mcpServer({ name: 'h', command: process.execPath, args, revision: '2025-11-25' })
    expect(await workspace.attach(server)).toMatchObject({ ok: true })
    expect(pidsIn(file).map(isRunning)).toEqual([true, true])
    await workspace.detach('h')
    expect(pidsIn(file).map(isRunning)).toEqual([false, false])
    await workspace.close()
  },
)

test.skipIf(process.platform !== 'linux')(
  'no process of a server is left when its host is killed',
  async () => {
    let killed = 0
    let ended = 0
    const killNext = async (): Promise<void> => {
      while (killed < KILLS) {
        killed += 1
        await killHost()
        ended += 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, killNext))
    expect(ended).toBe(KILLS)
  },
  1_200_000,
)

/** Kills a host with a server, and waits for the end of its processes. */
async function killHost(): Promise<void> {
  const file = aFile()
  const program = 'tests/connections/mcp/client/host-that-is-killed.ts'
  const host = spawn(process.execPath, [program, file], { cwd: PROJECT })
  let said = ''
  for await (const chunk of host.stdout) {
    said += String(chunk)
    if (said.includes('\n')) break
  }
  expect(said).toBe('attached\n')
  host.kill('SIGKILL')
  await once(host, 'exit')
  await expect.poll(() => pidsIn(file).map(isRunning)).toEqual([false, false])
}
