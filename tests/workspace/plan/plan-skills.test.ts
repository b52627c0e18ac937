import fc from 'fast-check'
import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineComponent,
  defineSkill,
  defineTool,
  succeed,
  VirtualWorkspace,
} from 'loadout'
import type { HistoryMessage } from 'loadout/adapter'
import { planSkills, traceSession } from 'loadout/plan'
import { expect, test } from 'vitest'

const ran: string[] = []

function catalogOf(skills: number, tools: number) {
  return createCatalog({
    skills: Array.from({ length: skills }, (_, skill) =>
      defineSkill({
        name: `skill-${skill}`,
        description: `Work on part ${skill} of the project.`,
        instructions: `Read part ${skill} first. `.repeat(8),
        tools: Array.from({ length: tools }, (__, tool) =>
          defineTool({
            name: `tool_${skill}_${tool}`,
            description: `Does thing ${tool} to part ${skill}. It takes care of what belongs to it.`,
            risk: 'destructive',
            requiresConfirmation: true,
            inputSchema: {
              type: 'object',
              properties: { path: { type: 'string', description: 'The path of the part.' } },
              required: ['path'],
            },
            outputSchema: { type: 'object', properties: {}, additionalProperties: false },
            execute: () => {
              ran.push('handler')
              return {}
            },
          }),
        ),
        onActivate: () => void ran.push('onActivate'),
        onDeactivate: () => void ran.push('onDeactivate'),
      }),
    ),
    components: [
      defineComponent({
        key: 'notes',
        initialState: { lines: 0 },
        tools: (tool) => [
          tool({
            name: 'add_note',
            description: 'Keep a note.',
            execute: () => {
              ran.push('component')
              return succeed({})
            },
          }),
        ],
        panel: ({ lines }) => ({ title: 'Notes', lines: [`${lines} notes`] }),
      }),
    ],
  })
}

/** The advice without its figures, and without the way that comes next: they follow from the texts of prompts. */
const sentences = (advice: string) => advice.replaceAll(/\d[\d,]*/g, 'N').replace(/; .*/, '')

const everyTurn = (names: readonly string[]) => ({
  turns: Array.from({ length: 4 }, () => names),
})

test('a small agent that needs all tools in every turn gets all of them in every request', async () => {
  const catalog = await catalogOf(2, 5)
  const names = [...catalog.bringers.keys()]
  const { advice, ways } = await planSkills(catalog, {
    provider: 'anthropic',
    traces: [everyTurn(names)],
  })
  expect(ways.map(({ way }) => way)).toEqual(['always', 'activated', 'loaded', 'searched'])
  expect(sentences(advice)).toMatchInlineSnapshot(
    `"N tools, used in most sessions: send all of them in every request, without skills. That costs N tokens a session"`,
  )
})

test('a session that uses one of many skills is cheapest when the model loads it', async () => {
  const { advice, ways, activate } = await planSkills(await catalogOf(12, 10), {
    provider: 'anthropic/claude-opus-4-8',
    traces: Array.from({ length: 12 }, (_, skill) => everyTurn([`tool_${skill}_3`])),
  })
  expect(activate).toEqual([])
  expect(ways.map(({ way }) => way)).not.toContain('activated')
  expect(sentences(advice)).toMatchInlineSnapshot(
    `"N tools, of which a session uses few: let the model load skills. That costs N tokens a session"`,
  )
})

test('the skill that most sessions use is activated at the start', async () => {
  const { advice, activate } = await planSkills(await catalogOf(12, 10), {
    provider: 'openai',
    traces: Array.from({ length: 6 }, () => everyTurn(['tool_3_1', 'tool_3_2'])),
  })
  expect(activate).toEqual(['skill-3'])
  expect(sentences(advice)).toMatchInlineSnapshot(
    `"N tools, of which most sessions use those of "skill-N": activate it at the start. That costs N tokens a session"`,
  )
})

test('no code of the host runs, and every tool is reached in every way', async () => {
  const catalog = await catalogOf(4, 3)
  ran.length = 0
  const names = [...catalog.bringers.keys(), 'add_note']
  const plan = await planSkills(catalog, { traces: [everyTurn(names)] })
  expect(plan.unreached).toEqual([])
  expect(plan.ways.map(({ requests }) => requests >= 4 * (names.length + 1))).not.toContain(false)
  expect(ran).toEqual([])
})

test('tools that the catalog does not have are named', async () => {
  const { unreached } = await planSkills(await catalogOf(1, 1), {
    traces: [everyTurn(['tool_0_0', 'left_long_ago'])],
  })
  expect(unreached).toEqual(['left_long_ago'])
})

test('an agent that searches is also priced with all of its tools', async () => {
  const searcher = defineAgent({ name: 'searcher', discovery: 'activate-on-call' })
  const catalog = await catalogOf(3, 4)
  const [plain, searching] = await Promise.all([
    planSkills(catalog),
    planSkills(catalog, { agent: searcher }),
  ])
  expect(searching.ways).toEqual(plain.ways)
})

test.each([
  [{ traces: [] }, 'OPTIONS_INVALID'],
  [{ traces: [{ turns: [] }] }, 'OPTIONS_INVALID'],
  [{ trace: [] } as object, 'OPTIONS_INVALID'],
  [{ agent: 'nobody' }, 'AGENT_UNKNOWN'],
  [{ provider: 'antropic' as 'anthropic' }, 'PROVIDER_UNKNOWN'],
])('%j is refused: %s', async (options, code) => {
  await expect(planSkills(await catalogOf(1, 1), options)).rejects.toMatchObject({ code })
})

test('a recorded session is traced without meta-tools, with the tokens of its results', async () => {
  const catalog = await catalogOf(2, 2)
  const log = createMemoryLog()
  const policy = { permissions: { allow: ['*'] } }
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', policy })
  const call = (tool: string, input: object) => workspace.callTool(tool, input, { caller: 'model' })
  await workspace.beginTurn({ by: 'user' })
  await workspace.beginStep()
  await call('loadSkill', { skillName: 'skill-0' })
  await workspace.beginStep()
  await Promise.all([call('tool_0_0', { path: 'a' }), call('tool_0_1', { path: 'b' })])
  await workspace.beginStep()
  await workspace.beginTurn({ by: 'user' })
  await workspace.beginStep()
  await call('add_note', {})
  await workspace.callTool('tool_0_0', { path: 'c' })
  const trace = traceSession(await workspace.entries())
  await workspace.close()
  const tokens = expect.any(Number)
  expect(trace).toEqual({
    turns: [
      [
        [
          { tool: 'tool_0_0', tokens },
          { tool: 'tool_0_1', tokens },
        ],
      ],
      [[{ tool: 'add_note', tokens }]],
    ],
  })
  expect((await planSkills(catalog, { traces: [trace] })).unreached).toEqual([])
})

test('the words of a recorded session are what its messages have besides calls', async () => {
  const workspace = await VirtualWorkspace.open({ catalog: await catalogOf(1, 1) })
  const said = (tokens: number) => 'word '.repeat(tokens)
  const history: HistoryMessage[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    history.push({ role: 'user', content: said(100) })
    await workspace.beginTurn({ by: 'user' })
    await workspace.beginStep({ history: [...history] })
    history.push({ role: 'assistant', content: said(200) })
  }
  const { words = 0 } = traceSession(await workspace.entries())
  await workspace.close()
  expect(Math.abs(words - 300)).toBeLessThan(20)
})

test('more use never makes a session cheaper, in any way', async () => {
  const catalog = await catalogOf(3, 3)
  const names = [...catalog.bringers.keys()]
  const calls = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(calls, fc.constantFrom(...names), async (used, more) => {
      const price = async (turn: readonly string[]) => {
        const { ways } = await planSkills(catalog, {
          provider: 'openai',
          traces: [{ turns: [turn] }],
        })
        return new Map(ways.map((one) => [one.way, one.price]))
      }
      const [before, after] = [await price(used), await price([...used, more])]
      expect(before.get('always')).toBeLessThan(after.get('always') ?? 0)
      expect(before.get('loaded')).toBeLessThan(after.get('loaded') ?? 0)
      expect(before.get('searched')).toBeLessThan(after.get('searched') ?? 0)
    }),
    { numRuns: 15 },
  )
})
