import {
  createMemoryLog,
  defineAgent,
  type EventLog,
  type Tool,
  type VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

const reader = defineAgent({ name: 'reader', prompt: 'You read.', skills: ['owls'] })

const TOOLS = [
  aTool('read', { category: 'retrieval', summary: 'Has a place in the prompt.' }),
  aTool('glance', { category: 'retrieval' }),
  aTool('write', {
    category: 'action',
    risk: 'moderate',
    inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
  }),
  aTool('wipe', { category: 'action', risk: 'destructive' }),
]

async function aParent(
  options: Omit<WorkspaceOptions, 'catalog'> = {},
  tools: readonly Tool[] = [],
): Promise<VirtualWorkspace> {
  return aWorkspace(
    { skills: [aSkill('owls'), aSkill('cats')], agents: [reader], tools: [...TOOLS, ...tools] },
    { session: 'parent', log: createMemoryLog(), ...options },
  )
}

/** A log whose appends to a session can be held up. */
function aLogThatWaits() {
  const log = createMemoryLog()
  let held: { readonly session: string; readonly gate: Promise<void> } | null = null
  return {
    log: {
      ...log,
      append: async (...given: Parameters<EventLog['append']>) => {
        if (given[0] === held?.session) await held.gate
        return log.append(...given)
      },
    } satisfies EventLog,
    /** Returns the function that lets them go on. */
    holdAppends(session: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = { session, gate: promise }
      return resolve
    },
  }
}

/** Resolves once a condition on the state of a workspace holds. */
function until(
  workspace: VirtualWorkspace,
  holds: (state: VirtualWorkspace['state']) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    if (holds(workspace.state)) return resolve()
    const stop = workspace.store.subscribe(({ state }) => {
      if (!holds(state)) return
      stop()
      resolve()
    })
  })
}

test('a child session has a parent link, an agent, a log and skills of its own', async () => {
  const parent = await aParent()
  const child = await parent.sessions.child({ agent: 'reader', session: 'child' })
  expect(child.state.opening).toMatchObject({
    session: 'child',
    agent: 'reader',
    parent: { session: 'parent', call: null },
  })
  await child.activateSkill('owls')
  expect(await child.activateSkill('cats')).toMatchObject({ ok: false, code: 'not-permitted' })
  expect(parent.isToolAvailable('owls_tool')).toBe(false)
  expect(parent.state.children).toMatchObject([
    { session: 'child', agent: 'reader', call: null, isOpen: true },
  ])
  await child.close()
  expect(parent.state.children).toMatchObject([{ session: 'child', isOpen: false }])
  expect((await history(parent)).slice(-2)).toEqual(['child.opened', 'child.ended'])
})

test('a child has the skills and the tools that it is given, in place of those of its agent', async () => {
  const parent = await aParent()
  const child = await parent.sessions.child({
    agent: 'reader',
    skills: ['cats'],
    tools: ['read', 'cats*'],
  })
  expect((await child.activateSkill('cats')).ok).toBe(true)
  expect(child.getAvailableTools().map(({ name }) => name)).toEqual(['read', 'cats_tool'])
})

test.each([
  { rule: 'deny', parent: { deny: ['write'] }, child: { allow: ['write'] }, error: 'DENIED' },
  {
    rule: 'ask',
    parent: { ask: ['write'] },
    child: { allow: ['write'] },
    error: 'CONFIRMATION_REQUIRED',
  },
  {
    rule: 'own deny',
    parent: { allow: ['write'] },
    child: { deny: ['write'] },
    error: 'DENIED',
  },
  {
    rule: 'allow of the child alone',
    parent: {},
    child: { allow: ['wipe'] },
    tool: 'wipe',
    error: 'CONFIRMATION_REQUIRED',
  },
  {
    rule: 'deny with arguments',
    parent: { deny: [{ tool: 'write', where: { to: '*.env' } }] },
    child: {},
    error: 'DENIED',
  },
])('a child is under the rules of its parent: $rule', async (given) => {
  const { tool = 'write', error } = given
  const parent = await aParent({ policy: { permissions: given.parent } })
  const child = await parent.sessions.child({ policy: { permissions: given.child } })
  const input = tool === 'write' ? { to: 'a.env' } : {}
  const answer = await child.callTool(tool, input, { caller: 'model' })
  expect(answer).toMatchObject({ ok: false, error: { type: error } })
})

test('explain says as of which entry it knows the rules of sessions above that are not open here', async () => {
  const log = createMemoryLog()
  const root = await aParent({ log, policy: { permissions: { deny: ['glance'] } } })
  const middle = await root.sessions.child({ session: 'middle' })
  const child = await middle.sessions.child({
    session: 'child',
    policy: { permissions: { deny: ['wipe'] } },
  })
  const why = (one: Pick<VirtualWorkspace, 'explain'>, tool: string) =>
    one.explain(tool).because.flatMap(({ text }) => (/as of|denies/.test(text) ? text : []))
  // Open in the same process: known as they are.
  expect(why(child, 'read')).toEqual([])
  const known = [
    'The rules of its parent session "middle" are those as of its entry 2.',
    'The rules of "parent", a session above it, are those as of its entry 2.',
  ]
  const last = child.state.seq
  for (const view of [
    await child.sessions.look(last),
    await aParent({ log, session: 'child', readOnly: true }),
  ]) {
    expect(why(view, 'read')).toEqual(known)
  }
  await root.close()
  const alone = await aParent({ log, session: 'child' })
  expect(why(alone, 'read')).toEqual(known)
  expect(why(alone, 'glance')).toEqual([
    ...known,
    'The policy of its parent session denies "glance".',
  ])
  // Denied by itself, whatever is above it.
  expect(why(alone, 'wipe')).toEqual(['The policy denies "wipe".'])
  const again = await aParent({ log })
  await again.setPermissions({ deny: ['read'] })
  expect(why(alone, 'read')).toEqual(known)
  const { seq } = again.state
  expect(await alone.callTool('read', {})).toMatchObject({
    error: {
      message:
        'The tool "read" is not available (denied): The policy of its parent session denies "read". Ask the host to change its permissions.',
    },
  })
  const now = [
    known[0],
    `The rules of "parent", a session above it, are those as of its entry ${seq}.`,
  ]
  expect(why(alone, 'read')).toEqual([...now, 'The policy of its parent session denies "read".'])
  // Nothing is recorded when a session above has other entries and the same rules.
  await again.beginTurn()
  const before = alone.state.seq
  await alone.approvals.asksAbout('glance', {})
  expect(alone.state.seq).toBe(before)
  expect(why(alone, 'glance')[1]).toContain(`entry ${seq + 1}.`)
})

test('what another process recorded of the parent in a child counts before what this one read earlier', async () => {
  const log = createMemoryLog()
  await (await aParent({ log })).sessions.child({ session: 'child' })
  const [here, there] = [
    await aParent({ log, session: 'child' }),
    await aParent({ log, session: 'child' }),
  ]
  await here.approvals.asksAbout('read', {})
  await (await aParent({ log })).setPermissions({ deny: ['read'] })
  await there.beginTurn()
  await (
    await here.sessions.follow()
  )()
  expect(here.explain('read').status).toBe('denied')
})

test('a call runs without a question where the child and its parent both allow it', async () => {
  const parent = await aParent({ policy: { permissions: { allow: ['wipe'] } } })
  const child = await parent.sessions.child({ policy: { permissions: { allow: ['w*'] } } })
  expect(await child.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
})

test('a rule that the parent gets later holds in the open children at once, and in theirs', async () => {
  const parent = await aParent()
  const child = await parent.sessions.child({ session: 'child' })
  const grandchild = await child.sessions.child({ session: 'grandchild' })
  expect(await grandchild.callTool('write', {})).toMatchObject({ ok: true })
  await parent.setPermissions({ deny: ['write'] })
  for (const one of [child, grandchild]) {
    expect(await one.callTool('write', {})).toMatchObject({ ok: false, error: { type: 'DENIED' } })
    expect(one.explain('write')).toMatchObject({
      status: 'denied',
      because: [{}, { text: 'The policy of its parent session denies "write".' }],
    })
  }
})

test('what a child reads follows the rules of its parent at once, and again when they are lifted', async () => {
  const parent = await aParent()
  const child = await parent.sessions.child({ session: 'child' })
  const family = [child, await child.sessions.child(), await parent.sessions.child()]
  // Listeners of the parent, also one that was there before a child, and of the children read the same.
  const heard: string[] = []
  const listen = (one: VirtualWorkspace) =>
    one.store.subscribe(() => heard.push(...family.map((other) => other.explain('read').status)))
  const stops = [parent, ...family].map(listen)
  for (const [deny, status] of [
    [['read'], 'denied'],
    [[], 'available'],
    [['r*'], 'denied'],
  ] as const) {
    const entries = await Promise.all(family.map((one) => one.entries()))
    heard.length = 0
    await parent.setPermissions({ deny })
    expect(new Set(heard)).toEqual(new Set([status]))
    for (const [at, one] of family.entries()) {
      const isListed = status === 'available'
      expect(one.explain('read').status).toBe(status)
      expect(one.getAvailableTools().some(({ name }) => name === 'read')).toBe(isListed)
      expect(one.prompt().text.includes('`read`')).toBe(isListed)
      const { tools } = await one.previewStep()
      expect(tools.some(({ name }) => name === 'read')).toBe(isListed)
      expect((await one.callTool('read', {})).ok).toBe(isListed)
      // The log of each child has the rule once.
      const later = (await one.entries()).slice(entries[at]?.length)
      expect(later.filter(({ event }) => event.type === 'policy.changed')).toHaveLength(1)
    }
  }
  await parent.setPermissions({ deny: [], ask: ['write'] })
  expect(child.approvals.asksFirst('write')).toBe(true)
  expect(await child.approvals.asksAbout('write', {})).toBe(true)
  stops.forEach((stop) => stop())
  await parent.close()
  expect(child.explain('read').status).toBe('available')
})

test('listeners of a child hear of a rule of its parent before its log has it', async () => {
  const hanging = aLogThatWaits()
  const parent = await aParent({ log: hanging.log })
  const child = await parent.sessions.child({ session: 'child' })
  const heard: string[] = []
  child.store.subscribe((now, before) => {
    expect(now).not.toBe(before)
    heard.push(child.explain('read').status)
  })
  const release = hanging.holdAppends('child')
  await parent.setPermissions({ deny: ['read'] })
  expect(heard).toEqual(['denied'])
  expect(child.store.getState()).toBe(child.store.getState())
  expect(child.state.seq).toBe((await child.entries()).length - 1)
  const shown = child.explain('read')
  release()
  expect(await child.callTool('read', {})).toMatchObject({ error: { type: 'DENIED' } })
  expect(child.explain('read')).toEqual(shown)
  await parent.close()
})

test('a rule that another process gives the parent holds from the next call of the child on', async () => {
  const log = createMemoryLog()
  const parent = await aParent({ log })
  const child = await parent.sessions.child()
  const other = await aParent({ log, policy: { onResume: 'tighten' } })
  await other.setPermissions({ deny: ['write'] })
  expect(parent.state.policy.deny).toEqual([])
  expect(await child.callTool('write', {})).toMatchObject({ ok: false, error: { type: 'DENIED' } })
})

test('a child that is opened without its parent is under the rules of the parent', async () => {
  const log = createMemoryLog()
  const parent = await aParent({ log })
  await parent.sessions.child({ session: 'child' })
  await parent.setPermissions({ deny: ['write'] })
  const alone = await aParent({ log, session: 'child' })
  expect(await alone.callTool('write', {})).toMatchObject({ ok: false, error: { type: 'DENIED' } })
})

test('a remembered approval of the parent does not hold in a child', async () => {
  const parent = await aParent()
  await parent.callTool('wipe', {}, { caller: 'model' })
  const [asked] = parent.state.confirmations
  await parent.approve(asked?.id ?? '', { remember: 'session' })
  expect(await parent.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
  const child = await parent.sessions.child()
  expect(await child.callTool('wipe', {}, { caller: 'model' })).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
})

test.each(['approve', 'deny'] as const)(
  'a question of a grandchild is asked in each session above, and $0 there counts',
  async (answer) => {
    const parent = await aParent()
    const child = await parent.sessions.child({ session: 'child' })
    const grandchild = await child.sessions.child({ session: 'grandchild' })
    const call = () => grandchild.callTool('wipe', {}, { caller: 'model' })
    expect(await call()).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
    await until(parent, ({ confirmations }) => confirmations.length === 1)
    const [asked] = parent.state.confirmations
    expect(asked).toMatchObject({ tool: 'wipe', child: 'child/grandchild', consent: 'pending' })
    expect(child.state.confirmations).toMatchObject([{ id: asked?.id, child: 'grandchild' }])
    expect(grandchild.state.confirmations).toMatchObject([{ id: asked?.id }])

    // A call of the parent itself is another question.
    expect(await parent.callTool('wipe', {}, { caller: 'model' })).toMatchObject({
      error: { type: 'CONFIRMATION_REQUIRED' },
    })
    await parent[answer](asked?.id ?? '')
    const done = answer === 'approve' ? { ok: true } : { error: { type: 'DENIED' } }
    const consent = answer === 'approve' ? 'approved' : 'denied'
    expect(grandchild.state.answers).toMatchObject([{ id: asked?.id, consent }])
    expect(await call()).toMatchObject(done)
    if (answer === 'deny') return
    await until(parent, ({ confirmations }) => confirmations.every(({ child }) => !child))
    expect(await call()).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  },
)

test('an answer by another process to the parent counts in the child', async () => {
  const log = createMemoryLog()
  const parent = await aParent({ log })
  const child = await parent.sessions.child()
  await child.callTool('wipe', {}, { caller: 'model' })
  await until(parent, ({ confirmations }) => confirmations.length === 1)
  const other = await aParent({ log, policy: { onResume: 'tighten' } })
  const [asked] = other.state.confirmations
  expect(await other.approve(asked?.id ?? '', { remember: 'session' })).toMatchObject({
    code: 'approval-too-wide',
  })
  expect(await other.approve(asked?.id ?? '')).toMatchObject({ ok: true })
  expect(await child.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
})

test('a child ends with the call whose handler opened it, and its calls are aborted', async () => {
  let opened: VirtualWorkspace | undefined
  const appends: string[][] = []
  const memory = createMemoryLog()
  const log: EventLog = {
    ...memory,
    append: (session, expected, entries, after) => {
      appends.push(entries.map(({ event }) => event.type))
      return memory.append(session, expected, entries, after)
    },
  }
  const asked = Promise.withResolvers<unknown>()
  const parent: VirtualWorkspace = await aParent({ log }, [
    aTool('hang', {
      execute: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }),
    aTool('delegate', {
      execute: async () => {
        opened = await parent.sessions.child({ session: 'child' })
        asked.resolve(opened.callTool('hang', {}))
        return 'left'
      },
    }),
  ])
  expect(await parent.callTool('delegate', {}, { call: 'c1' })).toMatchObject({ ok: true })
  expect(opened?.state.opening?.parent).toEqual({ session: 'parent', call: 'c1' })
  expect(await asked.promise).toMatchObject({ error: { type: 'ABORTED' } })
  expect(parent.state.children).toMatchObject([{ call: 'c1', isOpen: false }])
  expect((await history(parent)).slice(-4)).toEqual([
    'call.started global',
    'child.opened',
    'child.ended',
    'call.ended delegate',
  ])
  // A process that dies between them would leave a call without an end, and a child that nobody continues.
  expect(appends.at(-1)).toEqual(['child.ended', 'call.ended'])
})

test('children are closed with their parent, and are opened again with it', async () => {
  const log = createMemoryLog()
  const parent = await aParent({ log })
  const child = await parent.sessions.child({ session: 'child', agent: 'reader' })
  await child.activateSkill('owls')
  await parent.close()
  await expect(child.beginTurn()).rejects.toMatchObject({ code: 'WORKSPACE_CLOSED' })

  const again = await aParent({ log })
  expect(again.state.children).toMatchObject([{ session: 'child', isOpen: true }])
  const resumed = await again.sessions.child({ session: 'child', agent: 'reader' })
  expect(resumed.isToolAvailable('owls_tool')).toBe(true)
  await expect(again.sessions.child({ session: 'child' })).rejects.toMatchObject({
    code: 'CHILD_OPEN',
  })
})

test('a session that is no child of the parent is refused', async () => {
  const log = createMemoryLog()
  await aParent({ log, session: 'other' })
  const parent = await aParent({ log })
  await expect(parent.sessions.child({ session: 'other' })).rejects.toMatchObject({
    code: 'SESSION_MISMATCH',
  })
})

test('the call ids of a child do not clash with those of its parent', async () => {
  const parent: VirtualWorkspace = await aParent({}, [
    aTool('delegate', {
      execute: async () => {
        const child = await parent.sessions.child()
        await child.callTool('read', {}, { call: 'c1', caller: 'model' })
        return (await child.entries()).find(({ event }) => event.type === 'call.started')?.event
      },
    }),
  ])
  const answer = await parent.callTool('delegate', {}, { call: 'c1', caller: 'model' })
  expect(answer).toMatchObject({ ok: true, data: { call: 'c1', caller: 'model' } })
  expect(answer.ok && 'within' in (answer.data as object)).toBe(false)
})

test('the spending of children is summed in their parent', async () => {
  const parent = await aParent()
  const child = await parent.sessions.child({ agent: 'reader' })
  const grandchild = await child.sessions.child()
  for (const one of [parent, child, grandchild, grandchild]) {
    await one.beginTurn()
    await one.beginStep()
  }
  const own = [parent, child, grandchild].map(({ state }) => state.spent)
  const sum = own.reduce((total, { price }) => total + price, 0)
  expect(parent.figures.ledger().spent.total.price).toBe(sum)
  await grandchild.close()
  await child.close()
  expect(parent.figures.ledger().spent).toMatchObject({
    own: own[0],
    total: { steps: 4, price: sum },
  })
})

test('a fork has no open children, and asks none of their questions', async () => {
  const log: EventLog = createMemoryLog()
  const parent = await aParent({ log })
  const child = await parent.sessions.child()
  await child.callTool('wipe', {}, { caller: 'model' })
  await until(parent, ({ confirmations }) => confirmations.length === 1)
  const { session } = await parent.sessions.fork()
  const fork = await aParent({ log, session })
  expect(fork.state.children).toMatchObject([{ isOpen: false }])
  expect(fork.state.confirmations).toEqual([])
})

test('calls of children count in the budgets of their parent, at the same time and after a restart', async () => {
  const log = createMemoryLog()
  const options = { log, policy: { callsPerTurn: { retrieval: 3 } } }
  const parent = await aParent(options)
  await parent.beginTurn()
  const children = await Promise.all(
    ['a', 'b', 'c', 'd'].map((session) => parent.sessions.child({ session })),
  )
  const answers = await Promise.all(children.map((child) => child.callTool('read', {})))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
  expect(answers.find(({ ok }) => !ok)).toMatchObject({
    error: {
      type: 'BUDGET_EXCEEDED',
      details: { code: 'budget-spent', of: 'retrieval', limit: 3 },
    },
  })
  expect(await parent.callTool('read', {})).toMatchObject({ error: { type: 'BUDGET_EXCEEDED' } })
  await parent.close()
  const again = await aParent(options)
  const grandchild = await (await again.sessions.child({ session: 'a' })).sessions.child()
  expect(await grandchild.callTool('read', {})).toMatchObject({ ok: false })
  await again.beginTurn()
  expect(await grandchild.callTool('read', {})).toMatchObject({ ok: true })
})

test('a child lists and explains the budgets of a parent that is open with it, as its calls find them', async () => {
  const parent = await aParent({ policy: { callsPerTurn: { retrieval: 1 } } })
  await parent.beginTurn()
  const child = await parent.sessions.child()
  const grandchild = await child.sessions.child()
  const isListed = (one: VirtualWorkspace) =>
    one.getAvailableTools().some(({ name }) => name === 'read')
  expect([child, grandchild].map(isListed)).toEqual([true, true])
  expect(await grandchild.callTool('read', {})).toMatchObject({ ok: true })
  for (const one of [parent, child, grandchild]) {
    const { status, outcomes } = one.explain('read')
    expect([isListed(one), status, outcomes]).toEqual([false, 'budget-spent', ['refuse']])
  }
  expect(grandchild.explain('read').because.at(-1)?.text).toBe(
    "The calls of the parent's turn are spent (1).",
  )
  expect(await grandchild.callTool('read', {})).toMatchObject({
    error: { type: 'BUDGET_EXCEEDED' },
  })
  await parent.beginTurn()
  expect([child, grandchild].map(isListed)).toEqual([true, true])
})

const ofModel = (call: string) => ({ caller: 'model', call }) as const

const TWICE = { policy: { callsPerTurn: { retrieval: 2 } } }

/** A log that does not take the start of a call while `refuses` is set. */
function aLogThatRefuses() {
  const log = createMemoryLog()
  const { immediate: _, ...port } = log
  const refusing = { refuses: false }
  const refusingLog: EventLog = {
    ...port,
    async append(session, version, entries, after) {
      if (refusing.refuses && entries.some(({ event }) => event.type === 'call.started')) {
        throw new Error('The disk is full.')
      }
      return log.append(session, version, entries, after)
    },
  }
  return { log: refusingLog, refusing }
}

test('a call of a child whose start could not be recorded counts once in its parents when it is made again', async () => {
  const { log, refusing } = aLogThatRefuses()
  const parent = await aParent({ ...TWICE, log })
  const grandchild = await (
    await parent.sessions.child({ session: 'a' })
  ).sessions.child({ session: 'b' })
  await parent.beginTurn()
  await grandchild.beginStep()
  refusing.refuses = true
  expect(await grandchild.callTool('read', {}, ofModel('c'))).toMatchObject({ ok: false })
  refusing.refuses = false
  await parent.close()
  const again = await aParent({ ...TWICE, log })
  const later = await (
    await again.sessions.child({ session: 'a' })
  ).sessions.child({ session: 'b' })
  expect(await later.callTool('read', {}, ofModel('c'))).toMatchObject({ ok: true })
  expect(again.state.callsThisTurn.retrieval).toBe(1)
  expect(await later.callTool('read', {}, ofModel('d'))).toMatchObject({ ok: true })
  // The same call gets its result, although nothing is left to spend; another one does not.
  expect(await later.callTool('read', {}, ofModel('d'))).toMatchObject({ ok: true })
  expect(await later.callTool('read', {}, ofModel('e'))).toMatchObject({ ok: false })
})

test('a call of a child that two processes make counts once in its parent', async () => {
  const log = createMemoryLog()
  const processes = [await aParent({ ...TWICE, log }), await aParent({ ...TWICE, log })]
  const children = await Promise.all(
    processes.map((parent) => parent.sessions.child({ session: 'a' })),
  )
  await children[0]?.beginStep()
  await children[1]?.setToolEnabled('read', true)
  for (const child of children) {
    expect(await child.callTool('read', {}, ofModel('c'))).toMatchObject({ ok: true })
  }
  const entries = await log.read('parent')
  expect(entries.filter(({ event }) => event.type === 'child.called')).toHaveLength(1)
})

test('calls with one id in two children, in two steps, of two tools, or without a step are each counted', async () => {
  const parent = await aParent({ policy: { callsPerTurn: { retrieval: 20 } } })
  await parent.beginTurn()
  for (const session of ['a', 'b']) {
    const child = await parent.sessions.child({ session })
    for (const _ of ['one step', 'the next']) {
      await child.beginStep()
      await child.callTool('read', {}, ofModel('call_1'))
    }
    await child.callTool('glance', {}, ofModel('call_1'))
  }
  expect(parent.state.callsThisTurn.retrieval).toBe(6)
  const third = await parent.sessions.child()
  for (let times = 0; times < 3; times += 1) await third.callTool('read', {}, ofModel('call_1'))
  expect(parent.state.callsThisTurn.retrieval).toBe(9)
})

test('functions of the rules of a parent decide in its children, whatever functions those have', async () => {
  const isProtected = ({ to }: Readonly<Record<string, unknown>>) => to === 'main'
  const parent = await aParent({
    policy: { permissions: { deny: [{ tool: 'write', when: isProtected }] } },
  })
  const own = { isProtected: () => false }
  const child = await parent.sessions.child({
    policy: { permissions: { deny: [{ tool: 'write', when: own.isProtected }] } },
  })
  const grandchild = await child.sessions.child()
  for (const one of [child, grandchild]) {
    expect(await one.callTool('write', { to: 'main' })).toMatchObject({ error: { type: 'DENIED' } })
    expect(await one.callTool('write', { to: 'side' })).toMatchObject({ ok: true })
  }
})

test('of two calls that open one child at the same time, one gets it', async () => {
  const parent = await aParent()
  const both = await Promise.allSettled([
    parent.sessions.child({ session: 'child' }),
    parent.sessions.child({ session: 'child' }),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(both[1]).toMatchObject({ reason: { code: 'CHILD_OPEN' } })
})

test('a child that could not be opened is recorded as ended, and can be opened later', async () => {
  const parent = await aParent()
  await expect(parent.sessions.child({ session: 'child', agent: 'nobody' })).rejects.toMatchObject({
    code: 'AGENT_UNKNOWN',
  })
  expect(parent.state.children).toMatchObject([{ session: 'child', isOpen: false }])
  expect((await parent.sessions.child({ session: 'child' })).session).toBe('child')
})

test('a child with a skill that its parent does not have is not opened', async () => {
  const parent = await aParent()
  await expect(parent.sessions.child({ skills: ['owls', 'cat'] })).rejects.toMatchObject({
    code: 'SKILL_UNKNOWN',
    message: 'No skill is named "cat".',
    hint: 'Did you mean "cats"?',
  })
  expect(parent.state.children).toEqual([])
})

test('a child that is opened while its parent closes is closed, too', async () => {
  const parent = await aParent()
  const opening = parent.sessions.child({ session: 'child' })
  await parent.close()
  await expect(opening).rejects.toMatchObject({ code: 'WORKSPACE_CLOSED' })
})

test.each([
  { limits: {}, answer: { ok: true } },
  // It cannot be counted in the parent.
  { limits: { callsPerTurn: { retrieval: 2 } }, answer: { ok: false } },
])(
  'a call of a child in a hook of its parent does not wait for that hook: $limits',
  async (row) => {
    const made: { child?: VirtualWorkspace } = {}
    const answers: unknown[] = []
    const owls = aSkill('owls', {
      onActivate: async () => void answers.push(await made.child?.callTool('read', {})),
    })
    const parent = await aWorkspace({ skills: [owls], tools: TOOLS }, { policy: row.limits })
    made.child = await parent.sessions.child()
    expect(await parent.activateSkill('owls')).toMatchObject({ ok: true })
    expect(answers).toMatchObject([row.answer])
  },
)

test('secrets in the arguments of a question are hidden in each session that asks it', async () => {
  const parent = await aParent({
    confirmations: { keepArguments: true },
    redact: { secrets: ['hunter22'] },
  })
  const child = await parent.sessions.child({ policy: { permissions: { ask: ['write'] } } })
  await child.callTool('write', { to: 'hunter22' }, { caller: 'model' })
  await until(parent, ({ confirmations }) => confirmations.length === 1)
  expect(parent.state.confirmations).toMatchObject([{ arguments: { to: '[redacted]' } }])
})
