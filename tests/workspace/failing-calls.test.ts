import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  ToolError,
  VirtualWorkspace,
  type EventLog,
  type ToolContext,
} from 'loadout'
import { expect, test } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aSkill, aTool } from './a-workspace.ts'

/** A log of which one operation fails, whatever it is, counted from when it was armed. */
function failingLog() {
  const log = createMemoryLog()
  const fault = { in: Number.POSITIVE_INFINITY }
  const strike = (): void => {
    fault.in -= 1
    if (fault.in === 0) throw new Error('disk full')
  }
  const failing: EventLog = {
    append: async (...given) => {
      strike()
      await log.append(...given)
    },
    read: async (...given) => {
      strike()
      return log.read(...given)
    },
    list: log.list,
    prune: log.prune,
    delete: log.delete,
    definitions: {
      has: log.definitions.has,
      put: async (...given) => {
        strike()
        await log.definitions.put(...given)
      },
      get: log.definitions.get,
    },
  }
  return { failing, fault, log }
}

const calling = (name: string, run: (context: ToolContext) => unknown, more: object = {}) =>
  aTool(name, { ...more, execute: (_: unknown, context: ToolContext) => run(context) } as never)

/** Handlers of every kind, and how often each was started. */
async function scenario(failAt: number) {
  const { failing, fault, log } = failingLog()
  const ran: string[] = []
  let attempts = 0
  const streaming = aTool('streaming', {
    async *execute() {
      ran.push('streaming')
      yield await Promise.resolve('half')
      return 'whole'
    },
  })
  const inner = calling('inner', () => ran.push('inner'))
  const nesting = calling('nesting', async ({ callTool }) => {
    ran.push('nesting')
    const found = await callTool('owls_tool', {})
    const answer = await callTool('inner', {})
    return [found.ok, answer.ok]
  })
  const flaky = calling(
    'flaky',
    () => {
      ran.push('flaky')
      attempts += 1
      if (attempts % 3 !== 0) throw new ToolError('TRANSIENT', 'Soon.')
      return attempts
    },
    { idempotent: true },
  )
  const job = calling('job', () => ran.push('job'), { background: true })
  const starting = calling('starting', ({ callTool }) => {
    ran.push('starting')
    return callTool('job', {})
  })
  const notes = defineComponent({
    key: 'notes',
    initialState: 0 as number,
    tools: (define) => [
      define({
        name: 'note',
        description: 'Count, and ask another tool.',
        execute: async (_, { update, callTool }) => {
          ran.push('note')
          await callTool('inner', {})
          return update((count) => count + 1)
        },
      }),
    ],
    panel: (count) => ({ title: 'Notes', lines: [String(count)] }),
  })
  const catalog = await createCatalog({
    skills: [aSkill('owls', { lifetime: { uses: 1 } })],
    tools: [streaming, inner, nesting, flaky, job, starting],
    components: [notes],
  })
  const workspace = await VirtualWorkspace.open({
    catalog,
    log: failing,
    metaTools: [],
    testing: { randomness: () => 0 },
  })
  await workspace.activateSkill('owls')
  fault.in = failAt
  const failures: string[] = []
  const call = async (tool: string) => {
    const before = ran.length
    const response = await workspace.callTool(tool, {}, { caller: 'model' })
    expect(response.meta).toMatchObject({ version: '1.0.0', tool })
    const text = JSON.stringify(response)
    if (text.includes('disk full')) failures.push(tool)
    if (response.meta.seq === undefined && text.includes('it was not made')) {
      expect(ran.slice(before)).not.toContain(tool)
    }
    expect(workspace.state).toEqual(fold(await log.read(workspace.session)))
    return response
  }
  for (const tool of ['streaming', 'nesting', 'flaky', 'starting', 'note']) await call(tool)
  await call('job')
  const operations = failAt - fault.in
  fault.in = Number.POSITIVE_INFINITY
  for (const { event } of await log.read(workspace.session)) {
    if (event.type !== 'call.detached') continue
    // Also when the log could not take its end: it is recorded as soon as possible.
    expect(await workspace.calls.waitFor(event.call)).toMatchObject({ status: 'done' })
  }
  expect(await call('inner')).toMatchObject({ ok: true })
  expect(workspace.state.calls).toEqual([])
  expect(workspace.state.background.running).toEqual([])
  await workspace.close()
  const entries = await log.read(workspace.session)
  const count = (type: string) => entries.filter(({ event }) => event.type === type).length
  expect(count('call.started')).toBe(count('call.ended'))
  return { operations, failures }
}

const { operations } = await scenario(1_000)

test('the scenario has many operations to fail', () => {
  expect(operations).toBeGreaterThan(20)
})

test.each(Array.from({ length: operations }, (_, index) => index + 1))(
  'when operation %i of the log fails, every call is an envelope, and each that began has ended',
  async (failAt) => {
    const { failures } = await scenario(failAt)
    expect(failures.length).toBeLessThanOrEqual(1)
  },
)

test('an operation that fails is reported by some call of the scenario', async () => {
  const told = await Promise.all(
    Array.from({ length: operations }, async (_, index) => (await scenario(index + 1)).failures),
  )
  expect(told.filter((failures) => failures.length > 0).length).toBeGreaterThan(operations / 2)
})
