import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { VirtualWorkspace } from 'loadout'
import { available, aWorkspace } from '../../../workspace/a-workspace.ts'
import { FAILED_CALLS, hostile, UNATTACHED } from './server-faults.ts'

const opened: VirtualWorkspace[] = []

/** A busy machine takes its time: only a call that is to run out of it has a short limit. */
async function aSession(timeoutMs = 120_000) {
  const workspace = await aWorkspace({}, { limits: { timeoutMs } })
  opened.push(workspace)
  return workspace
}

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
})

test.each(UNATTACHED)(
  'a server that $fault is not attached: $stage',
  async ({ fault, stage, more }) => {
    const workspace = await aSession()
    const outcome = await workspace.attach(hostile(fault, more))
    expect(outcome).toMatchObject({
      ok: false,
      code: 'server-failed',
      facts: { server: 'h', stage },
    })
    expect(available(workspace)).toEqual([])
  },
)

test.each<{ fault: string; offered: readonly string[]; leftOut?: RegExp }>([
  { fault: 'prints-a-banner', offered: ['h_good'] },
  { fault: 'same-name-twice', offered: ['h_good'], leftOut: /Another tool is named "h_good"/u },
  { fault: 'names-of-objects', offered: ['h___proto__', 'h_constructor', 'h_good'] },
  {
    fault: 'huge-schema',
    offered: ['h_good'],
    leftOut: /"huge": Its definition has 2000\d\d characters/u,
  },
  { fault: 'deep-schema', offered: ['h_good'], leftOut: /"deep"/u },
  { fault: 'remote-reference', offered: ['h_good'], leftOut: /"far"/u },
  { fault: 'escapes-in-names', offered: ['h_good', 'h_-52-c-eA-bad', 'h_'] },
  { fault: 'tool-without-schema', offered: ['h_good'], leftOut: /"bad": It has no input schema/u },
  { fault: 'task-only', offered: ['h_good'], leftOut: /"slow": It only runs as a task/u },
  {
    fault: 'pages-in-a-circle',
    offered: ['h_good', 'h_good1', 'h_good2'],
    leftOut: /list of tools never ends: a page leads back/u,
  },
  {
    fault: 'cursor-that-stays',
    offered: ['h_good', 'h_better'],
    leftOut: /are left out\. Its list of tools never ends: a page leads back[^"]*$/u,
  },
  {
    fault: 'cursors-without-end',
    offered: ['h_good'],
    leftOut: /are left out\. Its list of tools never ends: a page leads back[^"]*$/u,
  },
  {
    fault: 'pages-without-end',
    offered: Array.from({ length: 64 }, (_, at) => `h_good${at}`),
    leftOut: /never ends: over 64 pages/u,
  },
  {
    fault: 'dangling-output',
    offered: ['h_good', 'h_screen'],
    leftOut: /The output schema of "screen": .*"#\/\$defs\/Screen" refers to no schema/u,
  },
  { fault: 'huge-output', offered: ['h_good', 'h_screen'], leftOut: /over 65536/u },
])(
  'of a server with $fault, the tools that can be used are',
  async ({ fault, offered, leftOut }) => {
    const workspace = await aSession()
    expect(await workspace.attach(hostile(fault))).toMatchObject({ ok: true })
    expect(available(workspace)).toEqual(offered)
    const warnings = (await workspace.entries()).flatMap(({ event }) =>
      event.type === 'warning.given' ? event.message : [],
    )
    if (leftOut === undefined) expect(warnings).toEqual([])
    else expect(warnings.join('\n')).toMatch(leftOut)
  },
)

test('of a server with ten thousand tools, a thousand are offered, and the others are counted', async () => {
  const workspace = await aSession()
  expect(await workspace.attach(hostile('ten-thousand-tools'))).toMatchObject({ ok: true })
  expect(available(workspace)).toHaveLength(1_000)
})

test.each(FAILED_CALLS)(
  'a call of a server that $fault fails with $type',
  async ({ fault, type, message }) => {
    const workspace = await aSession(type === 'TIMEOUT' ? 1_000 : undefined)
    expect(await workspace.attach(hostile(fault))).toMatchObject({ ok: true })
    const result = await workspace.callTool('h_good', {})
    expect(result).toMatchObject({ ok: false, error: { type } })
    expect(!result.ok && result.error.message).toMatch(message)
  },
)

test.each([
  { fault: 'progress-after-the-end', data: /^done$/u },
  { fault: 'asks-for-a-model', data: /-32601/u },
  { fault: 'asks-the-person', data: /decline/u },
])('a call of a server that $fault has a result', async ({ fault, data }) => {
  const workspace = await aSession()
  expect(await workspace.attach(hostile(fault))).toMatchObject({ ok: true })
  const result = await workspace.callTool('h_good', {})
  expect(result).toMatchObject({ ok: true })
  expect(result.ok && result.data).toMatch(data)
})

test('a result that is too large is cut', async () => {
  const workspace = await aSession()
  expect(await workspace.attach(hostile('result-too-large'))).toMatchObject({ ok: true })
  const result = await workspace.callTool('h_good', {})
  expect(result).toMatchObject({ ok: true, meta: { warnings: [expect.stringContaining('cut')] } })
  expect(JSON.stringify(result).length).toBeLessThan(1_100_000)
})

test('5,000 notifications of changes at once lead to two lists at most, and to no call without an end', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'hostile-')), 'lists')
  const lists = () => readFileSync(file, 'utf8').split('\n').length - 1
  const workspace = await aSession()
  const outcome = await workspace.attach(hostile('storm-of-changes', {}, file))
  // A fast machine reads over 1,000 of them in a second, which ends the connection; a slow one reads them as one change.
  if (!outcome.ok) expect(outcome.facts['stage']).toBe('SERVER_FLOODS')
  expect(lists()).toBeLessThanOrEqual(2)
  const before = lists()
  const result = await workspace.callTool('h_good', {})
  if (outcome.ok && !result.ok)
    expect(result.error).toMatchObject({
      type: 'PERMANENT',
      message: expect.stringContaining('1000 notifications'),
    })
  await workspace.close()
  expect(lists() - before).toBeLessThanOrEqual(2)
})

test('a program that ends says why, with what it wrote and the variables that it did not get', async () => {
  vi.stubEnv('LOADOUT_TEST_TOKEN', 'a secret')
  const workspace = await aSession()
  expect(await workspace.attach(hostile('lacks-a-token'))).toMatchObject({ ok: true })
  vi.unstubAllEnvs()
  const result = await workspace.callTool('h_good', {})
  expect(!result.ok && result.error.message).toBe(
    `Server "h": "${process.execPath}" ended with the code 3. It wrote: LOADOUT_TEST_TOKEN is not set`,
  )
  const { because, health } = workspace.explain('h_good')
  expect(health).toMatchObject({ status: 'cut', stderr: ['LOADOUT_TEST_TOKEN is not set'] })
  expect(health?.withheld).toContain('LOADOUT_TEST_TOKEN')
  expect(JSON.stringify(health)).not.toContain('a secret')
  const since = / \(since [^)]*\)/u
  expect(because.slice(1).map(({ text }) => text.replace(since, ''))).toEqual([
    `The connection to the server "h" was cut, and the next call connects again: "${process.execPath}" ended with the code 3. It wrote: LOADOUT_TEST_TOKEN is not set`,
    'Its program does not get these variables of this process: LOADOUT_TEST_TOKEN.',
  ])
})

test('a server that calls itself otherwise after it was started again is refused', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'hostile-')), 'started')
  const workspace = await aSession()
  expect(await workspace.attach(hostile('another-identity', {}, file))).toMatchObject({ ok: true })
  expect(await workspace.callTool('h_good', {})).toMatchObject({
    ok: false,
    error: { type: 'TRANSIENT' },
  })
  expect(await workspace.callTool('h_good', {})).toMatchObject({
    ok: false,
    error: { details: { code: 'SERVER_CHANGED' } },
  })
})
