import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import type { VirtualWorkspace } from 'loadout'
import { mcpServer } from 'loadout/mcp'
import { aWorkspace } from '../../../workspace/a-workspace.ts'

const ROUNDS = Number(process.env['ANNOUNCED_ROUNDS'] ?? 40)

const PROGRAM = 'tests/connections/mcp/client/changing-server.mjs'

const opened: VirtualWorkspace[] = []
const running: ChildProcess[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
  for (const child of running.splice(0)) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

/** A session with the server of `changing-server.mjs`, which announces each change before the result of its call. */
async function aSession(over: 'a pipe' | 'HTTP', trusted = true): Promise<VirtualWorkspace> {
  const workspace = await aWorkspace({}, { limits: { timeoutMs: 120_000 } })
  opened.push(workspace)
  const terms = { name: 's', trusted, revision: '2025-11-25', connectTimeoutMs: 120_000 } as const
  if (over === 'a pipe') {
    const server = mcpServer({ ...terms, command: process.execPath, args: [PROGRAM] })
    expect(await workspace.attach(server)).toMatchObject({ ok: true })
    return workspace
  }
  const child = spawn(process.execPath, [PROGRAM, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value: url } = (await lines.next()) as { value: string }
  expect(await workspace.attach(mcpServer({ ...terms, url }))).toMatchObject({ ok: true })
  // The stream of notifications is open.
  await lines.next()
  return workspace
}

/** A number below `limit`, the same for the same seed. */
function drawn(seed: number, limit: number): number {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 8) % limit
}

const shown = async (workspace: VirtualWorkspace) =>
  (await workspace.beginStep()).tools.map(({ name, description }) => `${name}: ${description}`)

test.each(['a pipe', 'HTTP'] as const)(
  'what a server announces before a result over %s is in the next step, and is called at once',
  async (over) => {
    const workspace = await aSession(over)
    const missed: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `t${round}`
      const turns = drawn(round, 4) === 0 ? drawn(round + 7, 2_000) : 0
      const loaded = await workspace.callTool('s_load', { name, turns })
      expect(loaded).toMatchObject({ ok: true, data: 'changed' })
      if (round % 2 === 0) {
        const tools = await shown(workspace)
        if (!tools.includes(`s_${name}: Does ${name}.`)) missed.push(`step ${name}`)
      }
      const called = await workspace.callTool(`s_${name}`, {}, { caller: 'model' })
      if (!called.ok || called.data !== `${name} ran`) missed.push(`call ${name}`)
      await workspace.callTool('s_reword', { name, turns })
      const words = `s_${name}: Does ${name} in another way.`
      if (!(await shown(workspace)).includes(words)) missed.push(`words ${name}`)
      await workspace.callTool('s_drop', { name, turns })
      await workspace.beginStep()
      const dropped = await workspace.callTool(`s_${name}`, {}, { caller: 'model' })
      if (dropped.ok || dropped.error.type !== 'UNAVAILABLE') missed.push(`drop ${name}`)
    }
    expect(missed).toEqual([])
  },
  600_000,
)

test.each(['a pipe', 'HTTP'] as const)(
  'a list that was announced over %s and cannot be read leaves the tools, and explain says so',
  async (over) => {
    const workspace = await aSession(over)
    await workspace.callTool('s_break', {})
    expect(await shown(workspace)).toContain('s_load: load')
    const { status, because, health } = workspace.explain('s_load')
    expect([status, health?.status]).toEqual(['available', 'failed-refresh'])
    expect(because.map(({ text }) => text).join('\n')).toContain('no list today')
    const [one] = workspace.figures.servers()
    expect(one).toMatchObject({
      server: 's',
      status: 'failed-refresh',
      problem: expect.stringContaining('no list today'),
    })
    const unknown = workspace.explain('s_more')
    expect(unknown.because.map(({ text }) => text).join('\n')).toContain('could not be read')
  },
)
