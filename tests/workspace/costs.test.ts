import { createMemoryLog, type VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import type { StepCost } from '../../src/engine/model/step-cost.ts'
import type { StepPreview } from '../../src/workspace/offer/preview-step.ts'
import { describeEvent } from '../../src/engine/explain/describe-event.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

/** Every letter is a token. */
const LETTERS = { name: 'letters', count: (text: string) => text.length }

const given = {
  skills: [
    aSkill('owls', { instructions: 'Look at night.' }),
    aSkill('mice', { instructions: 'Look in the barn.' }),
  ],
  tools: [aTool('clock')],
}

const aPriced = (options: Omit<WorkspaceOptions, 'catalog'> = {}) =>
  aWorkspace(given, {
    tokenCounter: LETTERS,
    provider: 'anthropic',
    exposure: 'active',
    ...options,
  })

test('the first step keeps nothing and writes everything; the log has its cost', async () => {
  const workspace = await aPriced()
  const { cost, tools, instructions, conversation, seq } = await workspace.beginStep()
  const [tool] = tools
  const definition = `{"description":"Does clock.","inputSchema":${JSON.stringify(tool?.inputSchema)},"name":"clock"}`
  expect(definition.length).toBe(cost.tokens.tools)
  expect(cost.tokens.instructions).toBe(instructions.length)
  expect(cost.tokens.conversation).toBe(conversation.map(({ text }) => text).join('').length)
  const whole = cost.tokens.tools + cost.tokens.instructions + cost.tokens.conversation
  expect(cost).toMatchObject({
    provider: 'anthropic',
    order: ['tools', 'instructions', 'conversation'],
    previous: 0,
    kept: 0,
    changed: null,
    lost: 0,
    messages: 0,
  })
  expect(cost.price).toBeCloseTo(whole * 1.25, 0)
  const [entry] = await workspace.entries(seq)
  expect(entry?.event).toMatchObject({ type: 'step.begun', cost })
  expect(workspace.state.cost).toEqual(cost)
})

test('a step after nothing happened keeps all of the one before', async () => {
  const workspace = await aPriced()
  const first = await workspace.beginStep()
  const { cost } = await workspace.beginStep()
  const { tools, instructions, conversation } = first.cost.tokens
  expect(cost).toMatchObject({ previous: tools + instructions + conversation, changed: null })
  expect(cost.kept).toBe(cost.previous)
  expect(cost.tokens).toEqual(first.cost.tokens)
})

test('a tool that leaves takes the prefix with it from its place on', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.activateSkill('mice')
  const before = await workspace.beginStep({ messageTokens: 5000 })
  await workspace.deactivateSkill('owls')
  const { cost } = await workspace.beginStep({ messageTokens: 5000 })
  expect(before.tools.map(({ name }) => name)).toEqual(['clock', 'owls_tool', 'mice_tool'])
  const clock = cost.kept
  expect(cost.changed).toEqual({ segment: 'tools', part: 'owls_tool', at: clock })
  const mice = cost.tokens.tools - clock
  const again = mice + before.cost.tokens.instructions + before.cost.tokens.conversation
  // What is kept is below the minimum, so it is written, too, instead of being read.
  expect(cost.lost).toBeCloseTo((again + clock) * 1.15, 0)
})

test('the host’s messages count once they are given, and cut history restarts the conversation', async () => {
  const workspace = await aPriced({ exposure: 'append' })
  await workspace.beginStep({ messageTokens: 4000 })
  const more = await workspace.beginStep({ messageTokens: 4300 })
  expect(more.cost).toMatchObject({ messages: 4300, changed: null })
  expect(more.cost.kept).toBe(more.cost.previous)
  const cut = await workspace.beginStep({ messageTokens: 1000 })
  expect(cut.cost.changed).toMatchObject({ segment: 'conversation', part: 'messages' })
  expect(cut.cost.kept).toBe(cut.cost.tokens.tools + cut.cost.tokens.instructions)
})

test('below the provider’s minimum nothing is lost, since nothing was cached', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.beginStep()
  await workspace.deactivateSkill('owls')
  const { cost } = await workspace.beginStep()
  expect(cost.previous).toBeLessThan(1024)
  expect(cost).toMatchObject({ lost: 0, changed: { part: 'owls_tool' } })
})

test('a step of a log from before costs were counted is no mystery: the next one starts to count', async () => {
  const log = createMemoryLog()
  const before = await aPriced({ log, session: 's' })
  await before.beginStep()
  const entries = (await before.entries()).map((entry) => {
    if (entry.event.type !== 'step.begun') return entry
    const { cost: _, ...event } = entry.event
    return { ...entry, event }
  })
  const older = createMemoryLog()
  await older.append('s', 0, entries)
  const after = await aPriced({ log: { ...older, definitions: log.definitions }, session: 's' })
  expect(after.figures.ledger().lastStep).toBeNull()
  expect((await after.beginStep()).cost).toMatchObject({ previous: 0, kept: 0, lost: 0 })
})

test('the ledger shows the last request by tool, and what each deactivation frees and loses', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.activateSkill('mice')
  expect(workspace.figures.ledger().lastStep).toBeNull()
  const { cost } = await workspace.beginStep()
  const { lastStep, removals, withdrawable, exposure, spent, reported, ...rest } =
    workspace.figures.ledger()
  expect(rest).toEqual(workspace.prompt().ledger)
  expect(withdrawable).toEqual([])
  expect(reported).toMatchObject({ steps: 0, last: null })
  expect(spent.own).toMatchObject({ steps: 1, price: cost.price })
  expect(spent.total).toEqual(spent.own)
  expect(exposure).toMatchObject({ strategy: 'active', provider: 'anthropic' })
  expect(lastStep).toMatchObject({ step: 1, cost, share: 1 })
  const tokens = new Map(lastStep?.tools.map((one) => [one.name, one.tokens]))
  expect(lastStep?.tools.map(({ name, owner }) => [name, owner])).toEqual([
    ['clock', 'global'],
    ['owls_tool', 'owls'],
    ['mice_tool', 'mice'],
  ])
  const behind = cost.tokens.instructions + cost.tokens.conversation
  expect(removals).toMatchObject([
    {
      skill: 'owls',
      tokensFreed: tokens.get('owls_tool'),
      prefixLost: (tokens.get('mice_tool') ?? 0) + behind,
    },
    { skill: 'mice', tokensFreed: tokens.get('mice_tool'), prefixLost: behind },
  ])
  for (const { text } of removals) expect(text).toBeGreaterThan(0)
})

test('the ledger’s estimate of a removal is the cost in the log', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.beginStep({ messageTokens: 5000 })
  const [foretold] = workspace.figures.ledger().removals
  await workspace.deactivateSkill('owls')
  const { cost } = await workspace.beginStep({ messageTokens: 5000 })
  expect(cost.previous - cost.kept).toBe((foretold?.tokensFreed ?? 0) + (foretold?.prefixLost ?? 0))
  const entry = (await workspace.entries()).find(({ event }) => event.type === 'source.closed')
  expect(entry?.event).toMatchObject({
    price: { tokensFreed: foretold?.tokensFreed, prefixLost: foretold?.prefixLost },
  })
})

test.each(['append', 'bridge'] as const)(
  'under %s putting a skill away frees nothing and loses nothing',
  async (exposure) => {
    const workspace = await aPriced({ exposure, metaTools: ['call_tool'] })
    await workspace.activateSkill('owls')
    await workspace.beginStep()
    expect(workspace.figures.ledger().removals).toMatchObject([{ tokensFreed: 0, prefixLost: 0 }])
  },
)

test('what left and stays in the request is in the ledger as such', async () => {
  const workspace = await aPriced({ exposure: 'append' })
  await workspace.activateSkill('owls')
  await workspace.beginStep()
  await workspace.deactivateSkill('owls')
  await workspace.beginStep()
  expect(workspace.figures.ledger().lastStep?.tools.at(-1)).toMatchObject({
    name: 'owls_tool',
    owner: null,
    available: false,
  })
})

test('a preview is what the next step will be, to the byte, and writes nothing', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.activateSkill('mice')
  const { tools } = await workspace.beginStep({ messageTokens: 5000 })
  await workspace.deactivateSkill('owls')
  const { seq } = workspace.state
  const {
    predicted,
    document: __,
    exposed,
    hidden,
    ...preview
  } = await workspace.previewStep({
    messageTokens: 5100,
  })
  expect(workspace.state.seq).toBe(seq)
  expect(predicted.changed).toMatchObject({ segment: 'tools', part: 'owls_tool' })
  const [clock, owls, mice] = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ description, inputSchema, name }),
  )
  const before = `${clock}${owls}`
  const now = `${clock}${mice}`
  expect(before.slice(0, predicted.changed?.byte)).toBe(now.slice(0, predicted.changed?.byte))
  expect(before[predicted.changed?.byte ?? 0]).not.toBe(now[predicted.changed?.byte ?? 0])
  const { step: _, seq: ___, ...begun } = await workspace.beginStep({ messageTokens: 5100 })
  expect(preview).toEqual(begun)
  expect(exposed).toEqual(workspace.state.exposed)
  expect(hidden.size).toBe(0)
})

test('the parts of a preview add up to its cost, and the shared ones to what is kept', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.beginStep({ messageTokens: 5000 })
  await workspace.activateSkill('mice')
  const { predicted, cost } = await workspace.previewStep({ messageTokens: 5100 })
  const { parts, shared } = predicted
  const sum = (some: typeof parts) => some.reduce((all, { tokens }) => all + tokens, 0)
  const bySegment = Map.groupBy(parts, ({ segment }) => segment)
  const sums = [...bySegment].map(([segment, some]) => [segment, sum(some)])
  expect(Object.fromEntries(sums)).toEqual(cost.tokens)
  expect([...bySegment.keys()]).toEqual(cost.order)
  expect(sum(parts.slice(0, shared))).toBe(cost.kept)
  expect(parts[shared]?.id).toBe(cost.changed?.part)
})

test('a preview for another provider or strategy has its order and its price, and changes nothing', async () => {
  const workspace = await aPriced({ provider: 'compatible', exposure: 'active' })
  await workspace.activateSkill('owls')
  await workspace.activateSkill('mice')
  await workspace.beginStep({ messageTokens: 5000 })
  await workspace.deactivateSkill('owls')
  const own = await workspace.previewStep({ messageTokens: 5100 })
  const other = await workspace.previewStep({ messageTokens: 5100, provider: 'anthropic' })
  expect(other.cost).toMatchObject({
    provider: 'anthropic',
    order: ['tools', 'instructions', 'conversation'],
  })
  expect(other.exposure.strategy).toBe('active')
  const appended = await workspace.previewStep({ messageTokens: 5100, strategy: 'append' })
  expect(appended.cost).toMatchObject({ provider: 'compatible', lost: 0, changed: null })
  expect(own.cost.lost).toBeGreaterThan(0)
  const { predicted: _, ...again } = await workspace.previewStep({ messageTokens: 5100 })
  expect(own).toMatchObject(again)
})

test('a preview with a strategy that cannot be used says which one it was made with', async () => {
  const workspace = await aPriced({ provider: 'compatible', exposure: 'active' })
  const { exposure: bridge } = await workspace.previewStep({ strategy: 'bridge' })
  expect(bridge.strategy).toBe('active')
  const { exposure: deferred } = await workspace.previewStep({ strategy: 'deferred' })
  expect(deferred.strategy).toBe('active')
  const { exposure: added } = await workspace.previewStep({ strategy: 'conversation' })
  expect(added.strategy).not.toBe('conversation')
})

test('a session can be priced again under another strategy, step after step', async () => {
  const changes = [
    (workspace: VirtualWorkspace) => workspace.activateSkill('owls'),
    (workspace: VirtualWorkspace) => workspace.activateSkill('mice'),
    (workspace: VirtualWorkspace) => workspace.deactivateSkill('owls'),
  ]
  const costs = async (exposure: 'active' | 'append', strategy?: 'append') => {
    const workspace = await aPriced({ exposure })
    const priced: (StepCost | undefined)[] = []
    let after: StepPreview | undefined
    for (const change of changes) {
      await change(workspace)
      if (strategy !== undefined) {
        after = await workspace.previewStep({
          messageTokens: 5000,
          strategy,
          ...(after && { after }),
        })
        priced.push(after.cost)
      }
      const { cost } = await workspace.beginStep({ messageTokens: 5000 })
      if (strategy === undefined) priced.push(cost)
    }
    return priced
  }
  expect(await costs('active', 'append')).toEqual(await costs('append'))
})

test('the timeline says of a step what it lost', async () => {
  const workspace = await aPriced()
  await workspace.activateSkill('owls')
  await workspace.beginStep()
  await workspace.deactivateSkill('owls')
  const { seq, cost } = await workspace.beginStep()
  const [entry] = await workspace.entries(seq)
  if (entry === undefined) throw new Error('No entry.')
  expect(describeEvent(entry.event)).toBe(
    `step 2 began (active), with 1 tool exposed, ${cost.kept} of ${cost.previous} tokens unchanged: tools "owls_tool" changed`,
  )
})
