import fc from 'fast-check'
import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  VirtualWorkspace,
  type Entry,
  type EventLog,
  type ProviderName,
  type WorkspaceStep,
} from 'loadout'
import type { HistoryMessage } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { aSkill } from '../../a-workspace.ts'

const SKILLS = ['owls', 'cats', 'newts'] as const

/** Appears in the instructions of each skill, and may appear nowhere in a log. */
const KEY = 'swordfish-7781'

const catalog = await createCatalog({
  skills: SKILLS.map((name) => aSkill(name, { instructions: `Use {{ KEY }} for ${name}.` })),
  agents: [defineAgent({ name: 'keeper', prompt: 'Keep.', skills: '*' })],
})

type Provider = `${ProviderName}/${string}`

const PROVIDERS: readonly Provider[] = ['anthropic/claude-opus-4-8', 'openai/gpt-5.4']

async function open(provider: Provider, log: EventLog, key = KEY): Promise<VirtualWorkspace> {
  return VirtualWorkspace.open({
    catalog,
    agent: 'keeper',
    session: 's',
    log,
    provider,
    exposure: 'conversation',
    metaTools: [],
    variables: { KEY: key },
  })
}

const CARRIES = ['additions', 'removals'] as const

/** An act between two requests: of the host on its skills, or on its history. */
type Act =
  | { readonly skill: number }
  | { readonly drop: number }
  | { readonly remove: number }
  | { readonly change: number }
  | 'reopen'
  | 'nothing'

const at = fc.nat({ max: 30 })

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ skill: fc.nat({ max: 2 }) }) },
    fc.record({ drop: fc.nat({ max: 4 }) }),
    fc.record({ remove: at }),
    fc.record({ change: at }),
    fc.constant('reopen' as const),
    fc.constant('nothing' as const),
  ),
  { minLength: 1, maxLength: 14 },
)

async function carryOut(act: Act, workspace: VirtualWorkspace, history: HistoryMessage[]) {
  if (typeof act === 'string') return
  if ('skill' in act) {
    const name = SKILLS[act.skill] ?? 'owls'
    const isActive = workspace.explainSkill(name).status === 'active'
    await (isActive ? workspace.deactivateSkill(name) : workspace.activateSkill(name))
  } else if ('drop' in act) history.splice(0, act.drop)
  else if ('remove' in act) history.splice(act.remove, 1)
  else if (history[act.change] !== undefined) {
    const { role } = history[act.change] as HistoryMessage
    history[act.change] = { role, content: `Changed ${act.change}.` }
  }
}

/** Expects a sequence that a provider takes, which leaves the model with what it may call. */
function expectValid(
  provider: string,
  { tools, messages }: WorkspaceStep,
  history: readonly HistoryMessage[],
  workspace: VirtualWorkspace,
) {
  const now = new Map(tools.map(({ name, hash }) => [name, hash]))
  const ever = new Set(tools.map(({ name, hash }) => `${name} ${hash}`))
  const order: number[] = []
  for (const [index, one] of messages.entries()) {
    if (one.kind === 'history') order.push(one.index)
    if (one.kind !== 'tools') continue
    const next = messages.slice(index + 1).find(({ kind }) => kind !== 'tools')
    const role = next?.kind === 'history' ? history[next.index]?.role : next?.kind
    if (!provider.startsWith('openai')) expect([undefined, 'assistant']).toContain(role)
    expect(one.additions.length + one.removals.length).toBeGreaterThan(0)
    for (const name of one.removals) {
      expect([...now.keys()]).toContain(name)
      now.delete(name)
    }
    for (const { tool, known } of one.additions) {
      if (known) expect(ever).toContain(`${tool.name} ${tool.hash}`)
      expect(now.get(tool.name)).not.toBe(tool.hash)
      now.set(tool.name, tool.hash)
      ever.add(`${tool.name} ${tool.hash}`)
    }
  }
  expect(order).toEqual([...history.keys()])
  for (const { name, hash } of workspace.getAvailableTools()) expect(now.get(name)).toBe(hash)
}

test.each(PROVIDERS)(
  'whatever the host does to its history, the messages are valid, and the same history gives the same ones (%s)',
  async (provider) => {
    await fc.assert(
      fc.asyncProperty(acts, async (script) => {
        const log = createMemoryLog()
        let workspace = await open(provider, log)
        const history: HistoryMessage[] = []
        for (const [turn, act] of script.entries()) {
          await carryOut(act, workspace, history)
          history.push({ role: 'user', content: `Question ${turn}.` })
          const step = await workspace.beginStep({ carries: CARRIES, history })
          expectValid(provider, step, history, workspace)
          if (act === 'reopen') {
            await workspace.close()
            workspace = await open(provider, log)
          }
          const again = await workspace.beginStep({ carries: CARRIES, history: [...history] })
          expect(again.messages).toEqual(step.messages)
          expect(again.cost).toMatchObject({ changed: null, lost: 0 })
          history.push({ role: 'assistant', content: `Answer ${turn}.` })
        }
        const stored = JSON.stringify(await workspace.entries())
        expect(stored).not.toContain(KEY)
        await workspace.close()
      }),
      {
        numRuns: 40,
        examples: [
          // The removal loses its place, and the addition after it does not.
          [[{ skill: 0 }, { skill: 0 }, { drop: 2 }, { skill: 0 }, { drop: 1 }, 'reopen']],
        ],
      },
    )
  },
)

test.each(PROVIDERS)(
  'a workspace that stays open plans the steps of one that is opened for each (%s)',
  async (provider) => {
    await fc.assert(
      fc.asyncProperty(acts, fc.boolean(), async (script, trims) => {
        const trim = trims ? { trim: { above: 6, keep: 3 } } : {}
        const runs = await Promise.all(
          [false, true].map(async (reopens) => {
            const log = createMemoryLog()
            let workspace = await open(provider, log)
            const history: HistoryMessage[] = []
            const steps: unknown[] = []
            for (const [turn, act] of script.entries()) {
              await carryOut(act, workspace, history)
              history.push({ role: 'user', content: `Question ${turn % 3}.` })
              if (reopens) {
                await workspace.close()
                workspace = await open(provider, log)
              }
              const step = await workspace.beginStep({ carries: CARRIES, history, ...trim })
              const { messages, cost, additions, removals } = step
              const logged = (await workspace.entries(step.seq)).map(({ event }) => event)
              steps.push({ messages, cost, additions, removals, logged })
              history.push({ role: 'assistant', content: `Answer ${turn % 2}.` })
            }
            await workspace.close()
            return steps
          }),
        )
        expect(runs[0]).toEqual(runs[1])
      }),
      { numRuns: 40 },
    )
  },
)

const textsOf = ({ messages }: WorkspaceStep) =>
  messages.flatMap((one) => (one.kind === 'text' ? one.text : []))

/** A session of one step with an active skill, and the texts that it sent. */
async function aSession(log: EventLog) {
  const workspace = await open('openai/gpt-5.4', log)
  await workspace.activateSkill('owls')
  const history: HistoryMessage[] = [{ role: 'user', content: 'Hello.' }]
  const step = await workspace.beginStep({ carries: CARRIES, history })
  history.push({ role: 'assistant', content: 'Hello.' })
  await workspace.close()
  expect(textsOf(step).join('\n')).toContain(`Use ${KEY} for owls.`)
  return { history, step }
}

test('another process sends the texts of the log with the values of variables, which the log does not have', async () => {
  const written: string[] = []
  const log = createMemoryLog()
  const { definitions } = log
  const watched: EventLog = {
    ...log,
    append: (...given) => {
      written.push(JSON.stringify(given))
      return log.append(...given)
    },
    definitions: {
      ...definitions,
      put: (...given) => {
        written.push(JSON.stringify(given))
        return definitions.put(...given)
      },
    },
  }
  const { history, step } = await aSession(watched)
  const everything = written.join('\n')
  expect(everything).toContain('From the workspace, not from the user.')
  expect(everything).toContain('Use {{ KEY }} for owls.')
  expect(everything).not.toContain(KEY)
  const later = await open('openai/gpt-5.4', log)
  const next = await later.beginStep({ carries: CARRIES, history })
  expect(textsOf(next)).toEqual(textsOf(step))
})

test('a text whose variable has another value is not sent as the old one, and follows at the end', async () => {
  const log = createMemoryLog()
  const { history, step } = await aSession(log)
  const later = await open('openai/gpt-5.4', log, 'marlin-1')
  const next = await later.beginStep({ carries: CARRIES, history })
  const texts = textsOf(next).join('\n')
  expect(texts).not.toContain(KEY)
  expect(texts).toContain('Use marlin-1 for owls.')
  expect(next.messages.findIndex(({ kind }) => kind === 'text')).toBeGreaterThan(
    step.messages.findIndex(({ kind }) => kind === 'text'),
  )
  expect(next.cost.changed).toMatchObject({ segment: 'conversation' })
})

test('a session of an earlier version, whose steps have no conversation, opens and continues', async () => {
  const log = createMemoryLog()
  const { history } = await aSession(log)
  const earlier = (entry: Entry): Entry => {
    if (entry.event.type !== 'step.begun') return entry
    const { conversation: _, ...event } = entry.event
    return { ...entry, event }
  }
  const old = createMemoryLog()
  await old.append('s', 0, (await log.read('s')).map(earlier))
  const later = await open('openai/gpt-5.4', old)
  expect(later.state.conversation.sent).toBeNull()
  const next = await later.beginStep({ carries: CARRIES, history })
  expectValid('openai/gpt-5.4', next, history, later)
  expect(textsOf(next).join('\n')).toContain(`Use ${KEY} for owls.`)
  const after = await later.beginStep({ carries: CARRIES, history })
  expect(after.messages).toEqual(next.messages)
})
