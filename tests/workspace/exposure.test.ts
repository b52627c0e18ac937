import {
  createCatalog,
  type StepRequest,
  createMemoryLog,
  recordedOptions,
  defineAgent,
  defineTool,
  VirtualWorkspace,
  type Tool,
} from 'loadout'
import fc from 'fast-check'
import { providerName, providerTool } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestTokens } from '../../src/engine/model/step-cost.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'
import { deeds, hookScript, stagedCatalog, type HookStage } from './random-session.ts'

type Options = Omit<Parameters<typeof VirtualWorkspace.open>[0], 'catalog'>
type Step = Awaited<ReturnType<VirtualWorkspace['beginStep']>>

const names = ({ tools }: Pick<Step, 'tools'>) => tools.map(({ name }) => name)
const sent = ({ tools }: Step) => tools.map(({ name, hash }) => `${name} ${hash}`)

const sessions: readonly [string, Options][] = [
  ['active', { exposure: 'active' }],
  ['append', { exposure: 'append' }],
  ['deferred', { exposure: 'deferred', provider: 'anthropic' }],
  ['bridge', { exposure: 'bridge' }],
  ['conversation', { exposure: 'conversation', provider: 'openai/gpt-5.4' }],
  [
    'conversation that removes',
    { exposure: 'conversation', provider: 'anthropic/claude-opus-4-8' },
  ],
  ['active with search', { exposure: 'active', discovery: {} }],
  ['append with search', { exposure: 'append', discovery: {} }],
  ['deferred with search', { exposure: 'deferred', provider: 'openai', discovery: {} }],
  ['bridge with search', { exposure: 'bridge', discovery: {} }],
]

test.each(sessions)(
  'under %s, in any session: what is available can be reached, what is not is refused',
  async (label, options) => {
    await fc.assert(
      fc.asyncProperty(hookScript, deeds, async (script, acts) => {
        const stage: HookStage = { script: [...script] }
        const catalog = await stagedCatalog(stage)
        const agent = 'tester'
        const workspace = await VirtualWorkspace.open({
          catalog,
          agent,
          limits: { hookTimeoutMs: 5 },
          ...options,
        })
        stage.workspace = workspace
        let before: Step | undefined
        for (const { deed } of acts) {
          await deed(workspace)
          const {
            predicted: _,
            document: __,
            exposed: planned,
            hidden,
            ...preview
          } = await workspace.previewStep()
          const now = await workspace.beginStep()
          expect({ ...preview, step: now.step, seq: now.seq }).toEqual(now)
          expect(planned).toEqual(workspace.state.exposed)
          const available = new Set(workspace.getAvailableTools().map(({ name }) => name))
          for (const name of hidden) expect(available).toContain(name)
          const offered = (workspace.state.exposed ?? []).filter(({ removed }) => !removed)
          const exposed = new Set(offered.map(({ name }) => name))
          expect(exposed.size).toBe(offered.length)
          for (const { tool } of now.additions) expect(exposed).toContain(tool.name)
          for (const name of now.removals) expect(exposed).not.toContain(name)
          if (label === 'conversation that removes') {
            expect(sent(now)).toEqual(sent(before ?? now))
            expect([...exposed].toSorted()).toEqual([...available].toSorted())
          }
          const canReach = ['call_tool', 'tool_search'].some((name) => available.has(name))
          if (!canReach) expect([...available].filter((name) => !exposed.has(name))).toEqual([])
          for (const name of now.deferred) expect(exposed).toContain(name)
          // Only a definition that changed must not stay in the request.
          const isChanged = new Set(
            (before?.tools ?? []).flatMap(({ name, hash }) => {
              const callable = [...workspace.getAvailableTools(), ...workspace.state.found]
              const held = callable.find((one) => one.name === name)
              return held !== undefined && held.hash !== hash ? name : []
            }),
          )
          if (before !== undefined && !label.startsWith('active')) {
            const kept = sent(now).slice(0, before.tools.length)
            expect(names(now).slice(0, before.tools.length)).toEqual(names(before))
            expect(kept.filter((one) => !isChanged.has(one.split(' ')[0] ?? ''))).toEqual(
              sent(before).filter((one) => !isChanged.has(one.split(' ')[0] ?? '')),
            )
          }
          before = now
        }
        for (const { name } of before?.tools ?? []) {
          const { status } = workspace.explain(name)
          // A tool that was found is called by loading its skill: that is no refusal.
          const isFound = workspace.state.found.some((one) => one.name === name)
          if (status === 'available' || (isFound && status === 'skill-inactive')) continue
          const response = await workspace.callTool(name, {})
          expect(response).toMatchObject({ ok: false, error: { details: { code: status } } })
        }
        for (const { name } of label.startsWith('bridge') ? workspace.getAvailableTools() : []) {
          if (name === 'call_tool' || !workspace.isToolAvailable(name)) continue
          const response = await workspace.callTool('call_tool', { name })
          const code = response.ok ? 'ok' : response.error.details.code
          expect(code).not.toBe('unknown')
          expect(workspace.state.used.at(-1)?.tool === name || code !== 'ok').toBe(true)
        }
        await workspace.close()
      }),
      { numRuns: 25 },
    )
  },
)

const owls = aSkill('owls', { instructions: 'Look at night.' })
const mice = aSkill('mice', { instructions: 'Look in the barn.' })
const clock = aTool('clock')
const given = { skills: [owls, mice], tools: [clock] }

/** The requests of steps while two skills are activated and one is deactivated. */
async function walked(options: Options): Promise<Step[]> {
  const workspace = await aWorkspace(given, options)
  const steps = [await workspace.beginStep()]
  await workspace.activateSkill('owls')
  steps.push(await workspace.beginStep())
  await workspace.activateSkill('mice')
  steps.push(await workspace.beginStep())
  await workspace.deactivateSkill('owls')
  steps.push(await workspace.beginStep())
  return steps
}

test('append adds at the end and takes nothing away; calls of what left are refused', async () => {
  const workspace = await aWorkspace(given, { exposure: 'append' })
  await workspace.activateSkill('owls')
  await workspace.beginStep()
  await workspace.deactivateSkill('owls')
  await workspace.activateSkill('mice')
  const step = await workspace.beginStep()
  expect(names(step)).toEqual(['clock', 'owls_tool', 'mice_tool'])
  expect(await workspace.callTool('owls_tool', {})).toMatchObject({
    ok: false,
    error: { details: { code: 'skill-inactive' } },
  })
})

test('a definition that changed is replaced in its place, and the cost shows it', async () => {
  const workspace = await aWorkspace(given, { exposure: 'append' })
  await workspace.activateSkill('owls')
  await workspace.beginStep()
  await workspace.registerTool(aTool('clock', { description: 'Says the time.', version: '2.0.0' }))
  const step = await workspace.beginStep()
  expect(names(step)).toEqual(['clock', 'owls_tool'])
  expect(step.tools[0]?.description).toBe('Says the time.')
  expect(step.cost.changed).toMatchObject({ segment: 'tools', part: 'clock' })
})

test('a definition that nobody has any more leaves a gap after a resume', async () => {
  const log = createMemoryLog()
  const session = 's'
  const before = await aWorkspace(given, { exposure: 'append', log, session })
  await before.activateSkill('owls')
  await before.beginStep()
  await before.deactivateSkill('owls')
  const { definitions, ...rest } = log
  const forgetful = { ...rest, definitions: { ...definitions, get: async () => new Map() } }
  const catalog = await createCatalog({ skills: [mice], tools: [clock] })
  const after = await VirtualWorkspace.open({
    catalog,
    log: forgetful,
    session,
    exposure: 'append',
    provider: 'anthropic',
    metaTools: [],
  })
  const step = await after.beginStep()
  expect(names(step)).toEqual(['clock'])
  expect(step.cost.changed).toMatchObject({ segment: 'tools', part: 'owls_tool' })
})

test('deferred: what comes later is at the end, kept out of the prompt, and referred to once', async () => {
  const steps = await walked({ exposure: 'deferred', provider: 'anthropic' })
  expect(steps.map((step) => [names(step).join(' '), [...step.deferred], step.references])).toEqual(
    [
      ['clock', [], []],
      ['clock owls_tool', ['owls_tool'], ['owls_tool']],
      ['clock owls_tool mice_tool', ['owls_tool', 'mice_tool'], ['mice_tool']],
      ['clock owls_tool mice_tool', ['owls_tool', 'mice_tool'], []],
    ],
  )
  for (const { cost } of steps.slice(1)) {
    expect(cost).toMatchObject({ changed: null, lost: 0, kept: cost.previous })
  }
  expect(steps[1]?.cost.deferred).toBeGreaterThan(0)
})

test('where the provider cannot defer, a deferred definition is part of the prompt', async () => {
  const [, second] = await walked({ exposure: 'deferred', provider: 'google' })
  expect(second?.cost).toMatchObject({ deferred: 0, changed: { part: 'owls_tool' } })
})

test('bridge: the request’s tools never change, and the prompt lists arguments', async () => {
  const options: Options = { exposure: 'bridge', metaTools: ['loadSkill', 'call_tool'] }
  const steps = await walked(options)
  expect(steps.map(names)).toEqual(steps.map(() => ['loadSkill', 'call_tool']))
  for (const { cost } of steps.slice(1)) {
    expect(cost).toMatchObject({ changed: null, lost: 0, kept: cost.previous })
  }
  const find = defineTool({
    name: 'find',
    description: 'Does find.',
    execute: () => 'found',
    inputSchema: z.object({ query: z.string() }),
  })
  const workspace = await aWorkspace({ tools: [find] }, options)
  expect(workspace.prompt().text).toContain('query')
  const [section] = (await workspace.beginStep()).conversation
  expect(section?.text).toMatchInlineSnapshot(`
    "## Available tools

    - \`find\`: Does find.
      - query: string

    "
  `)
})

test('a bridge whose call_tool is switched off shows the tools themselves', async () => {
  const workspace = await aWorkspace(given, {
    exposure: 'bridge',
    metaTools: ['loadSkill', 'call_tool'],
  })
  await workspace.beginStep()
  await workspace.setToolEnabled('call_tool', false)
  expect(names(await workspace.beginStep())).toEqual(['loadSkill', 'call_tool', 'clock'])
})

test('a resumed session continues with the request it had', async () => {
  const log = createMemoryLog()
  const open = () => aWorkspace(given, { exposure: 'append', log, session: 's' })
  const before = await open()
  await before.activateSkill('owls')
  await before.beginStep()
  await before.deactivateSkill('owls')
  const after = await open()
  const step = await after.beginStep()
  expect(names(step)).toEqual(['clock', 'owls_tool'])
  expect(step.cost).toMatchObject({ changed: null, kept: step.cost.previous })
})

test('the planner is asked when a provider is named, and says why', async () => {
  const agents = [
    defineAgent({ name: 'keeper', prompt: 'Keep.', initialSkills: ['owls'], skills: [] }),
  ]
  const strategyOf = async (options: Options, step: StepRequest = {}) => {
    const workspace = await aWorkspace({ ...given, agents }, options)
    await workspace.beginStep(step)
    const [entry] = await workspace.entries(workspace.state.seq)
    return entry?.event.type === 'step.begun' ? entry.event.strategy : ''
  }
  expect(await strategyOf({})).toBe('active')
  const { anthropic, openai } = {
    anthropic: { provider: 'anthropic' },
    openai: { provider: 'openai' },
  } as const
  expect(await strategyOf(anthropic)).toBe('append')
  expect(await strategyOf(anthropic, { carries: ['deferred'] })).toBe('deferred')
  const carries = ['deferred', 'additions', 'removals'] as const
  expect(await strategyOf(anthropic, { carries, model: 'claude-opus-4-8' })).toBe('conversation')
  expect(await strategyOf(anthropic, { carries, model: 'claude-3' })).toBe('deferred')
  expect(await strategyOf(openai, { carries, model: 'gpt-4o' })).toBe('append')
  expect(await strategyOf(openai, { carries, model: 'gpt-5.4-mini' })).toBe('conversation')
  expect(await strategyOf(openai, { model: 'gpt-5.4' })).toBe('append')
  expect(await strategyOf(openai, { carries: ['deferred'], model: 'gpt-5.4' })).toBe('append')
  expect(await strategyOf({ provider: 'google' })).toBe('append')
  expect(await strategyOf({ provider: 'google', exposure: 'active' })).toBe('active')
  expect(await strategyOf({ provider: 'google', agent: 'keeper' })).toBe('active')
  expect(await strategyOf({ exposure: 'auto', discovery: {}, metaTools: undefined as never })).toBe(
    'bridge',
  )
})

test('the ledger names the family of models whose facts were used', async () => {
  const workspace = await aWorkspace(given, { provider: 'openai/gpt-5.4' })
  expect(workspace.figures.ledger().exposure).toMatchObject({
    strategy: 'append',
    provider: 'openai',
    family: 'gpt-5.4 and later',
  })
  await workspace.beginStep({ carries: ['additions'] })
  expect(workspace.figures.ledger().exposure.strategy).toBe('conversation')
  await workspace.beginStep({ carries: [], model: 'gpt-4o' })
  const { exposure } = workspace.figures.ledger()
  expect(exposure).toMatchObject({ strategy: 'append', provider: 'openai' })
  expect(exposure).not.toHaveProperty('family')
})

test('the facts of one session are not those of another that asked for its model', async () => {
  const first = await aWorkspace(given, { provider: 'openai' })
  await first.beginStep({ carries: ['additions'], model: 'gpt-5.4' })
  const second = await aWorkspace(given, { provider: 'openai/gpt-5.4' })
  await second.beginStep({ carries: ['additions'] })
  await second.beginStep({ carries: [] })
  expect((await second.beginStep({ carries: ['additions'] })).exposure.strategy).toBe(
    'conversation',
  )
})

test.each([
  [{ provider: 'anthropics' }, 'PROVIDER_UNKNOWN', 'No provider is named "anthropics".'],
  [{ exposure: 'constructor' }, 'EXPOSURE_UNKNOWN', 'No exposure is named "constructor".'],
])('%j is refused with what is known', async (options, code, message) => {
  await expect(aWorkspace(given, options as Options)).rejects.toMatchObject({ code, message })
})

test('Google is a provider, and gemini a form of tools: each error names the other word', async () => {
  const provider = 'gemini' as 'google'
  await expect(aWorkspace(given, { provider })).rejects.toMatchObject({
    hint: expect.stringContaining('Did you mean "google"?') as string,
  })
  const tool = { name: 'a', description: 'A.', inputSchema: { type: 'object' } }
  for (const write of [
    () => providerName('a', 'google' as 'gemini'),
    () => providerTool(tool, 'google' as 'gemini'),
  ]) {
    expect(write).toThrow(
      expect.objectContaining({
        message: 'There is no provider "google".',
        hint: expect.stringContaining('Did you mean "gemini"?') as string,
      }),
    )
  }
})

test('a step refused inside its strategy changes nothing', async () => {
  const workspace = await aWorkspace(given, {
    exposure: {
      name: 'broken',
      plan: () => {
        throw new Error('no plan')
      },
    },
  })
  await expect(workspace.beginStep()).rejects.toThrow('no plan')
  expect(workspace.state).toMatchObject({ step: 0, exposed: null, cost: null })
})

test.each([
  [undefined, 'tools'],
  [[], 'tools'],
  [{ tools: ['clock'], deferred: new Set() }, 'tools'],
  [{ tools: [] }, 'deferred'],
  [{ tools: [], deferred: ['clock'] }, 'deferred'],
  [{ tools: [], deferred: new Set(), offered: {} }, 'offered'],
])('a strategy that plans %j is refused in words, and changes nothing', async (plan, field) => {
  const strategy = { name: 'own', plan: () => plan } as unknown as Options['exposure']
  const workspace = await aWorkspace(given, { exposure: strategy as never })
  const history = [{ role: 'user', content: 'Hello.' }] as const
  for (const request of [{}, { history }]) {
    await expect(workspace.beginStep(request)).rejects.toMatchObject({
      code: 'EXPOSURE_INVALID',
      message: expect.stringContaining(`"own" has no "${field}"`),
      facts: { strategy: 'own', field },
    })
  }
  expect(workspace.state).toMatchObject({ step: 0, exposed: null, cost: null })
})

test.each([{ name: 'own' }, { plan: () => ({}) }, { name: 7, plan: () => ({}) }, 7])(
  'a strategy such as %j is refused when the workspace is opened',
  async (exposure) => {
    await expect(aWorkspace(given, { exposure: exposure as never })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message:
        '"exposure" must be the name of a strategy, or an object with a text "name" and a function "plan".',
    })
  },
)

const many: readonly Tool[] = ['send_mail', 'read_page', 'book_flight'].map((name) => aTool(name))

test('a found tool is shown, under its own name, where search hides it', async () => {
  const workspace = await aWorkspace(
    { tools: many },
    { exposure: 'append', discovery: {}, metaTools: ['tool_search'] },
  )
  expect(names(await workspace.beginStep())).toEqual(['tool_search'])
  await workspace.callTool('tool_search', { query: 'mail' }, { caller: 'model' })
  expect(names(await workspace.beginStep())).toEqual(['tool_search', 'send_mail'])
})

test('every reader shows the strategy of the last step, and before it that of a host that carries nothing', async () => {
  const log = createMemoryLog()
  const options = { provider: 'anthropic', discovery: {}, metaTools: undefined as never } as const
  const workspace = await aWorkspace(given, { ...options, log, session: 'read' })
  const shown = async () => {
    const entries = await log.read('read')
    const recorded = (await recordedOptions(log, entries)) ?? undefined
    const again = { session: 'read', log, readOnly: true } as const
    const sides = await Promise.all([
      workspace,
      workspace.sessions.look(workspace.state.seq),
      VirtualWorkspace.open({ ...options, ...again, catalog: workspace.catalog }),
      VirtualWorkspace.open({ catalog: workspace.catalog, ...recorded, ...again }),
    ])
    return Promise.all(
      sides.map(async (one) => [
        one.figures.ledger().exposure.strategy,
        (await one.previewStep()).exposure.strategy,
        one.prompt().text === workspace.prompt().text,
      ]),
    )
  }
  const all = (strategy: string) => Array.from({ length: 4 }, () => [strategy, strategy, true])
  expect(workspace.tools().map(({ name }) => name)).not.toContain('call_tool')
  expect(await shown()).toEqual(all('append'))
  await workspace.beginStep({ carries: ['deferred'] })
  expect(await shown()).toEqual(all('deferred'))
  await workspace.beginStep()
  expect(await shown()).toEqual(all('append'))
})

test('every reader removes tools in the conversation where the model of the last step does', async () => {
  const log = createMemoryLog()
  const options = { provider: 'anthropic', log, session: 'read' } as const
  const workspace = await aWorkspace(given, options)
  const carries = ['deferred', 'additions', 'removals'] as const
  await workspace.activateSkill('owls')
  await workspace.beginStep({ carries, model: 'claude-opus-4-8' })
  await workspace.deactivateSkill('owls')
  const { catalog } = workspace
  const recorded = (await recordedOptions(log, await log.read('read'))) ?? undefined
  const again = { log, session: 'read', readOnly: true } as const
  const sides = await Promise.all([
    workspace,
    VirtualWorkspace.open({ ...options, catalog, ...again }),
    VirtualWorkspace.open({ catalog, ...recorded, ...again }),
    VirtualWorkspace.open({ catalog, ...options, ...again, provider: 'anthropic/claude-opus-4-8' }),
  ])
  for (const side of sides) {
    const { exposure, removals } = await side.previewStep()
    expect([exposure.strategy, removals]).toEqual(['conversation', ['owls_tool']])
    expect(side.figures.ledger().exposure).toMatchObject({
      family: 'claude-opus-4-8 and later models',
    })
  }
  const elsewhere = { catalog, ...options, ...again, provider: 'openai' } as const
  const other = await VirtualWorkspace.open(elsewhere)
  expect(other.figures.ledger().exposure).toMatchObject({ strategy: 'append', provider: 'openai' })
})

test('a page of found tools says how to call them under the strategy of the last step', async () => {
  const options = { provider: 'anthropic', discovery: {} } as const
  const metaTools = ['tool_search', 'call_tool'] as const
  const workspace = await aWorkspace(given, { ...options, metaTools: [...metaTools] })
  const instruction = async () => {
    const answer = await workspace.callTool('tool_search', { query: 'owls' }, { caller: 'model' })
    return answer.ok ? (answer.data as { instruction: string }).instruction : answer.error.message
  }
  await workspace.beginStep({ carries: [] })
  expect(await instruction()).toMatch('Call these by call_tool.')
  await workspace.beginTurn({ by: 'user' })
  await workspace.beginStep({ carries: ['deferred'] })
  expect(await instruction()).toMatch('Call these by name.')
})

test.each(sessions)(
  'under %s, a turn and a step that change nothing keep the tools',
  async (_, options) => {
    const workspace = await aWorkspace(given, options)
    await workspace.activateSkill('owls', { lifetime: { turns: 4 } })
    await workspace.beginTurn({ by: 'user' })
    await workspace.beginStep()
    const { exposed } = workspace.state
    const available = workspace.getAvailableTools()
    await workspace.beginTurn({ by: 'user' })
    await workspace.beginStep()
    expect(workspace.state.exposed).toBe(exposed)
    expect(workspace.getAvailableTools()).toBe(available)
  },
)

test('tools that enter in the conversation cost what they cost among the tools, also without a history', async () => {
  const totals: number[] = []
  for (const exposure of ['conversation', 'active'] as const) {
    const provider = 'anthropic/claude-opus-4-8'
    const workspace = await aWorkspace({ skills: [aSkill('owls')] }, { exposure, provider })
    const before = requestTokens((await workspace.beginStep()).cost)
    await workspace.activateSkill('owls')
    const step = await workspace.beginStep()
    expect(step.additions).toHaveLength(exposure === 'conversation' ? 1 : 0)
    totals.push(requestTokens(step.cost) - before)
    expect(requestTokens((await workspace.previewStep()).cost)).toBe(requestTokens(step.cost))
    await workspace.deactivateSkill('owls')
    const { cost, removals } = await workspace.beginStep()
    const isMore = requestTokens(cost) > requestTokens(step.cost)
    expect([removals, isMore]).toEqual(
      exposure === 'conversation' ? [['owls_tool'], true] : [[], false],
    )
    await workspace.close()
  }
  expect(totals[0]).toBe(totals[1])
})
