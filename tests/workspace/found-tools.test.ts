import { createMemoryLog, defineAgent, type VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'
import { storedDefinition } from '../../src/connections/logs/contract/event-log-case.ts'

const SEARCHING: Omit<WorkspaceOptions, 'catalog'> = {
  discovery: {},
  metaTools: ['tool_search', 'loadSkill', 'unloadSkill'],
}
const pages = aSkill('pages', {
  tools: [aTool('get_page', { description: 'Read a page.' }), aTool('put_page')],
})
const images = aSkill('images', { tools: [aTool('find_image', { description: 'Find an image.' })] })
const definitions = { skills: [pages, images], tools: [aTool('clock'), aTool('calendar')] }

const search = (workspace: VirtualWorkspace, query: string, limit = 1) =>
  workspace.callTool('tool_search', { query, limit }, { caller: 'model' })

const found = ({ state }: VirtualWorkspace) => state.found.map(({ name }) => name)

async function exposed(workspace: VirtualWorkspace) {
  const { tools } = await workspace.beginStep()
  return tools
    .map(({ name }) => name)
    .filter((name) => !/^(tool_search|(un)?loadSkill)$/u.test(name))
}

test('a session that searches shows no tool until it is found', async () => {
  const workspace = await aWorkspace(definitions, SEARCHING)
  expect(await exposed(workspace)).toEqual([])
  await search(workspace, 'clock')
  await search(workspace, 'find image')
  expect(await exposed(workspace)).toEqual(['clock', 'find_image'])
})

test('pinned tools are shown from the start, the rest of the host and components are found', async () => {
  const agent = defineAgent({ name: 'a', discovery: 'suggest', pinned: ['cal*'] })
  const workspace = await aWorkspace(definitions, { ...SEARCHING, agent })
  expect(await exposed(workspace)).toEqual(['calendar'])
  const also = await aWorkspace(definitions, {
    ...SEARCHING,
    agent,
    discovery: { pinned: ['clock'] },
  })
  expect(await exposed(also)).toEqual(['calendar', 'clock'])
})

test('the first call of a found tool loads its skill, with its hooks, and then runs', async () => {
  const events: string[] = []
  const skill = aSkill('pages', {
    tools: [aTool('get_page', { execute: () => events.push('called') })],
    onActivate: () => void events.push('loaded'),
  })
  const workspace = await aWorkspace({ skills: [skill] }, SEARCHING)
  await search(workspace, 'get_page')
  expect(workspace.explain('get_page')).toMatchObject({
    status: 'skill-inactive',
    source: 'skill',
    owner: 'pages',
    fix: 'Call it: the call activates the skill "pages".',
  })
  expect(available(workspace)).not.toContain('get_page')
  const before = workspace.state.seq
  const call = { caller: 'model', call: 'c1' } as const
  expect(await workspace.callTool('get_page', {}, call)).toMatchObject({ ok: true })
  expect(events).toEqual(['loaded', 'called'])
  expect(await history(workspace, before + 1)).toEqual([
    'source.opened pages',
    'call.started pages',
    'call.ended get_page',
  ])
  const [opened] = await workspace.entries(before + 1)
  expect(opened?.cause).toEqual({ by: 'model', call: 'c1' })
})

test('two calls at once load their skill once', async () => {
  const workspace = await aWorkspace(definitions, SEARCHING)
  await search(workspace, 'get_page put_page', 2)
  const before = workspace.state.seq
  const answers = await Promise.all([
    workspace.callTool('get_page', {}),
    workspace.callTool('put_page', {}),
  ])
  expect(answers.map(({ ok }) => ok)).toEqual([true, true])
  const events = await history(workspace, before + 1)
  expect(events.filter((one) => one.startsWith('source.opened'))).toEqual(['source.opened pages'])
  expect(events.filter((one) => one.startsWith('command.refused'))).toEqual([])
})

test('what one process found another calls, without a command of its own before', async () => {
  const options = { ...SEARCHING, log: createMemoryLog(), session: 's' }
  const one = await aWorkspace(definitions, options)
  const two = await aWorkspace(definitions, options)
  await search(one, 'get_page')
  expect(found(two)).toEqual([])
  const before = one.state.seq
  expect(await two.callTool('get_page', {})).toMatchObject({ ok: true })
  expect(await history(two, before + 1)).toEqual([
    'source.opened pages',
    'call.started pages',
    'call.ended get_page',
  ])
})

test('a workspace opened at an earlier entry stays there, whatever is called', async () => {
  const options = { ...SEARCHING, log: createMemoryLog(), session: 's' }
  const workspace = await aWorkspace(definitions, options)
  const at = workspace.state.seq
  await search(workspace, 'get_page')
  const looking = await aWorkspace(definitions, { ...options, at })
  expect(await looking.callTool('get_page', {})).toMatchObject({ ok: false })
  expect(looking.state.seq).toBe(at)
})

test('a call is refused, with the status of its tool, when its skill does not come', async () => {
  const failing = aSkill('pages', {
    tools: [aTool('get_page')],
    onActivate: () => {
      throw new Error('no database')
    },
  })
  const workspace = await aWorkspace({ skills: [failing] }, SEARCHING)
  await search(workspace, 'get_page')
  const answer = await workspace.callTool('get_page', {})
  expect(answer).toMatchObject({
    ok: false,
    error: {
      type: 'UNAVAILABLE',
      details: { code: 'skill-inactive', activation: 'hook-failed', skill: 'pages' },
    },
  })
  expect(answer.ok ? '' : answer.error.message).toMatchInlineSnapshot(
    `"The tool "get_page" is not available (skill-inactive): its skill "pages" could not be loaded. onActivate of "pages" failed: no database Nothing changed. Fix the hook, or what it depends on, and try again."`,
  )
  expect((await history(workspace)).at(-1)).toBe('activation.failed pages')
})

test('where the host only wants suggestions, a call is refused with what to load', async () => {
  const workspace = await aWorkspace(definitions, {
    ...SEARCHING,
    discovery: { onFound: 'suggest' },
  })
  await search(workspace, 'get_page')
  expect(found(workspace)).toEqual([])
  expect(await exposed(workspace)).toEqual([])
  expect(await workspace.callTool('get_page', {})).toMatchObject({
    error: { details: { code: 'skill-inactive', hint: 'Activate the skill "pages".' } },
  })
})

test('a tool that was not found is not loaded by a call', async () => {
  const workspace = await aWorkspace(definitions, SEARCHING)
  await search(workspace, 'get_page')
  expect(await workspace.callTool('find_image', {})).toMatchObject({
    error: { details: { code: 'skill-inactive' } },
  })
})

test.each<{ what: string; options: Partial<WorkspaceOptions>; tool?: object }>([
  { what: 'denied', options: { policy: { permissions: { deny: ['get_*'] } } } },
  { what: 'for another mode', options: {}, tool: { modes: ['voice'] } },
  { what: 'without a handler', options: {}, tool: { execute: undefined } },
  {
    what: 'of a skill the agent may not load',
    options: { agent: defineAgent({ name: 'a', skills: ['images'] }) },
  },
  {
    what: 'kept from the agent',
    options: { agent: defineAgent({ name: 'a', tools: ['find_*'] }) },
  },
])('a tool that is $what is never found', async ({ options, tool = {} }) => {
  const skill = aSkill('pages', { tools: [aTool('get_page', tool)] })
  const workspace = await aWorkspace({ skills: [skill, images] }, { ...SEARCHING, ...options })
  await search(workspace, 'get_page', 5)
  expect(found(workspace)).not.toContain('get_page')
  expect(await workspace.callTool('get_page', {})).toMatchObject({ ok: false })
})

test('a found tool that is denied later is neither shown nor called', async () => {
  const log = createMemoryLog()
  const first = await aWorkspace(definitions, { ...SEARCHING, log, session: 's' })
  await search(first, 'get_page')
  expect(await exposed(first)).toEqual(['get_page'])
  const permissions = { deny: ['get_page'] }
  const second = await aWorkspace(definitions, {
    ...SEARCHING,
    log,
    session: 's',
    policy: { permissions },
  })
  expect(await exposed(second)).toEqual([])
  expect(await second.callTool('get_page', {})).toMatchObject({ ok: false })
})

test('a name that two skills want goes to the one that was found first', async () => {
  const workspace = await aWorkspace(
    {
      skills: [
        aSkill('mail', { tools: [aTool('send', { description: 'Send a mail.' })] }),
        aSkill('fax', { tools: [aTool('send', { description: 'Send a fax.' })] }),
      ],
    },
    SEARCHING,
  )
  await search(workspace, 'send', 5)
  expect(found(workspace)).toEqual(['send'])
  expect(await exposed(workspace)).toEqual(['send'])
  const [{ owner } = { owner: '' }] = workspace.state.found
  await workspace.callTool('send', {})
  expect(workspace.skillManager.getActiveSkill()?.name).toBe(owner)
})

test.each<{ keep: object; calls: readonly number[]; gone: number; reason: string }>([
  { keep: { turns: 1 }, calls: [], gone: 2, reason: 'turns' },
  { keep: { turns: 2 }, calls: [1, 2], gone: 3, reason: 'turns' },
  { keep: { idleTurns: 1 }, calls: [], gone: 3, reason: 'idle' },
  { keep: { idleTurns: 1 }, calls: [2], gone: 4, reason: 'idle' },
])(
  'a tool found in turn 1, kept for $keep, called in turns $calls, is forgotten in turn $gone',
  async ({ keep, calls, gone, reason }) => {
    const workspace = await aWorkspace(definitions, { ...SEARCHING, discovery: { keep } })
    await workspace.beginTurn()
    await search(workspace, 'clock')
    for (let turn = 2; turn <= gone; turn += 1) {
      expect(await exposed(workspace)).toEqual(['clock'])
      if (calls.includes(turn - 1)) await workspace.callTool('clock', {})
      await workspace.beginTurn()
    }
    expect(found(workspace)).toEqual([])
    expect(await exposed(workspace)).toEqual([])
    const events = (await workspace.entries()).map(({ event }) => event)
    const evicted = events.find(({ type }) => type === 'tools_evicted')
    expect(evicted).toMatchObject({ tools: ['clock'], reason })
    expect(evicted?.type === 'tools_evicted' && evicted.tokensFreed).toBeGreaterThan(0)
  },
)

test('finding a tool again renews its lifetime, in its place', async () => {
  const keep = { turns: 2 }
  const workspace = await aWorkspace(definitions, { ...SEARCHING, discovery: { keep } })
  await workspace.beginTurn()
  await search(workspace, 'clock')
  await search(workspace, 'calendar')
  await workspace.beginTurn()
  await search(workspace, 'clock')
  expect(found(workspace)).toEqual(['clock', 'calendar'])
  await workspace.beginTurn()
  expect(found(workspace)).toEqual(['clock'])
})

test('over the cap, what was used longest ago goes first', async () => {
  const discovery = { keep: { cap: 2 }, guard: { sameQuery: 9 } }
  const workspace = await aWorkspace(definitions, { ...SEARCHING, discovery })
  await search(workspace, 'clock')
  await search(workspace, 'calendar')
  await workspace.callTool('clock', {})
  await search(workspace, 'find_image')
  expect(found(workspace)).toEqual(['clock', 'find_image'])
  expect((await workspace.entries()).map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'tools_evicted', tools: ['calendar'], reason: 'cap' }),
  )
})

test('the hit rate is the part of the tools found so far that was called', async () => {
  const workspace = await aWorkspace(definitions, SEARCHING)
  await search(workspace, 'clock')
  await search(workspace, 'calendar')
  await workspace.callTool('clock', {})
  await workspace.callTool('clock', {})
  await search(workspace, 'find_image')
  const events = (await workspace.entries()).map(({ event }) => event)
  const rates = events.flatMap((event) => (event.type === 'tools_enabled' ? [event.hitRate] : []))
  expect(rates).toEqual([null, 0, 0.5])
  expect((await workspace.figures.health()).searches).toMatchObject({
    total: 3,
    empty: 0,
    hitRate: 1 / 3,
  })
})

test('a session that is read later shows the found tools it had then', async () => {
  const log = createMemoryLog()
  const workspace = await aWorkspace(definitions, { ...SEARCHING, log, session: 's' })
  await search(workspace, 'get_page')
  await workspace.beginStep()
  const gone = await aWorkspace(
    { skills: [images] },
    { ...SEARCHING, log, session: 's', readOnly: true },
  )
  expect(gone.state.exposed?.map(({ name }) => name)).toContain('get_page')
  expect(gone.prompt().text).not.toContain('get_page')
  expect(workspace.prompt().text).toContain('get_page')
  const definition = await storedDefinition(log, workspace.state.found[0]?.hash ?? 'sha256:')
  expect(definition).toMatchObject({ name: 'get_page' })
})

test('a found tool is listed, explained and called by its name, and another of that name is not', async () => {
  const faxing = aTool('send', { description: 'Send a fax.' })
  const workspace = await aWorkspace(
    {
      skills: [
        aSkill('fax', { tools: [faxing] }),
        aSkill('mail', { tools: [aTool('send', { description: 'Send a letter.' })] }),
      ],
    },
    SEARCHING,
  )
  await search(workspace, 'letter')
  expect(workspace.state.found).toMatchObject([{ name: 'send', owner: 'mail' }])
  const listed = workspace.tools().filter(({ source }) => source === 'skill')
  expect(listed.map(({ name, owner }) => [name, owner])).toEqual([
    ['fax/send', 'fax'],
    ['send', 'mail'],
  ])
  expect(workspace.explain('send').owner).toBe('mail')
  expect(workspace.explain('fax/send').fix).toBe('Activate the skill "fax".')
  expect(await workspace.callTool(faxing, {} as never)).toMatchObject({
    error: { details: { code: 'skill-inactive', owner: 'fax' } },
  })
  expect(workspace.skillManager.getActiveSkills()).toEqual([])
})
