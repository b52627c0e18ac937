import {
  createCatalog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type ToolResponse,
} from 'loadout'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BAD_HANDLERS, type BadHandler } from './calls/handlers/bad-handlers.ts'

const rejections: unknown[] = []
const collect = (reason: unknown): void => void rejections.push(reason)

/** Every promise reaction and every tick that is due has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

let timersBefore = 0

beforeEach(() => {
  rejections.length = 0
  timersBefore = timers()
  process.on('unhandledRejection', collect)
})

/** The test runner has timers of its own while it reports, so a moment of it proves nothing. */
async function settledTimers(): Promise<number> {
  const patience = performance.now() + 30_000
  while (timers() > timersBefore && performance.now() < patience) await settled()
  return timers()
}

afterEach(async () => {
  await settled()
  process.off('unhandledRejection', collect)
  expect(rejections).toEqual([])
  expect(await settledTimers()).toBeLessThanOrEqual(timersBefore)
})

/** A workspace whose one skill has the bad handler, active. */
async function workspaceWith({ run }: BadHandler, timeoutMs: number) {
  const bad = defineTool({
    name: 'bad',
    description: 'Behaves badly.',
    execute: (_, { signal }): unknown => run({ signal }),
  })
  const skill = defineSkill({ name: 'trouble', description: 'Trouble.', tools: [bad] })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [skill] }),
    limits: {
      timeoutMs,
      maxBytes: 10_000,
      oversized: 'fail',
      stream: { outputs: 10_000, bytes: 20_000 },
      drainMs: 0,
    },
  })
  await workspace.activateSkill('trouble')
  return workspace
}

/** An envelope, whole and plain, whose end the log has. */
async function expectEnvelope(workspace: VirtualWorkspace, response: ToolResponse): Promise<void> {
  expect(JSON.parse(JSON.stringify(response))).toEqual(response)
  expect(response.meta).toMatchObject({ version: '1.0.0', tool: 'bad' })
  if (!response.ok) expect(response.error.message).not.toBe('')
  const entries = await workspace.entries()
  const [started, ended] = ['call.started', 'call.ended'].map(
    (type) => entries.filter(({ event }) => event.type === type).length,
  )
  expect(started).toBe(ended)
  expect(workspace.state.calls).toEqual([])
}

beforeAll(async () => {
  // The schema checker is loaded by the first call: no handler's time shall be spent on that.
  const workspace = await workspaceWith(
    { name: 'fine', run: () => 1, expected: { data: 1 } },
    600_000,
  )
  await workspace.callTool('bad', {})
})

describe('through the whole gate, a handler that', () => {
  test.each(BAD_HANDLERS)('$name ends in an envelope', async (handler) => {
    const hangs = 'error' in handler.expected && handler.expected.error === 'TIMEOUT'
    const workspace = await workspaceWith(handler, hangs ? 100 : 600_000)
    const response = await workspace.callTool('bad', {})
    await expectEnvelope(workspace, response)
    if ('error' in handler.expected) {
      expect(response).toMatchObject({ ok: false, error: { type: handler.expected.error } })
    }
    await workspace.close()
  })

  test.each(BAD_HANDLERS)('$name ends in an envelope when its skill leaves', async (handler) => {
    const workspace = await workspaceWith(handler, 600_000)
    const calling = workspace.callTool('bad', {})
    const [response, outcome] = await Promise.all([calling, workspace.deactivateSkill('trouble')])
    expect(outcome.ok).toBe(true)
    await expectEnvelope(workspace, response)
    expect(await workspace.callTool('bad', {})).toMatchObject({
      error: { details: { code: 'skill-inactive' } },
    })
    await workspace.close()
  })

  test.each(BAD_HANDLERS)('$name ends in an envelope when the caller gives up', async (handler) => {
    const workspace = await workspaceWith(handler, 600_000)
    const caller = new AbortController()
    const calling = workspace.callTool('bad', {}, { signal: caller.signal })
    await settled()
    caller.abort(new Error('the user went home'))
    await expectEnvelope(workspace, await calling)
    await workspace.close()
  })

  test.each(BAD_HANDLERS)(
    '$name ends in an envelope when the workspace closes',
    async (handler) => {
      const workspace = await workspaceWith(handler, 600_000)
      const calling = workspace.callTool('bad', {})
      await settled()
      await workspace.close()
      await expectEnvelope(workspace, await calling)
      expect(await workspace.callTool('bad', {})).toMatchObject({
        error: { type: 'SESSION_INACTIVE' },
      })
    },
  )
})
