import fc from 'fast-check'
import { createCatalog, createMemoryLog, defineAgent, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aTool } from './a-workspace.ts'

const file = {
  summary: 'Has a place in the prompt.',
  inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
} as const

const RISKS = { read: 'safe', write: 'moderate', wipe: 'destructive' } as const

type Name = keyof typeof RISKS

const NAMES = ['read', 'write', 'wipe'] as const satisfies readonly Name[]

const catalog = await createCatalog({
  agents: [defineAgent({ name: 'worker' })],
  tools: [
    aTool('read', { ...file, category: 'retrieval' }),
    aTool('write', { ...file, category: 'action', risk: 'moderate' }),
    aTool('wipe', { ...file, category: 'action', risk: 'destructive' }),
  ],
})

/** A rule, and the calls it is about: written a second time, without patterns. */
const RULES: readonly {
  readonly rule: string | object
  isMet(tool: Name, file: string): boolean
}[] = [
  { rule: 'read', isMet: (tool) => tool === 'read' },
  { rule: 'w*', isMet: (tool) => tool.startsWith('w') },
  { rule: { risk: ['moderate', 'destructive'] }, isMet: (tool) => RISKS[tool] !== 'safe' },
  {
    rule: { tool: 'write', where: { file: '*.env' } },
    isMet: (tool, name) => tool === 'write' && name.endsWith('.env'),
  },
  { rule: { where: { file: 'a*' } }, isMet: (_, name) => name.startsWith('a') },
]

const rules = fc.array(fc.nat(RULES.length - 1), { maxLength: 2 })

const lists = fc.record({ deny: rules, ask: rules, allow: rules })

type Lists = Readonly<Record<'deny' | 'ask' | 'allow', readonly number[]>>

const permissionsOf = (given: Lists) => ({
  deny: given.deny.map((one) => RULES[one]?.rule ?? ''),
  ask: given.ask.map((one) => RULES[one]?.rule ?? ''),
  allow: given.allow.map((one) => RULES[one]?.rule ?? ''),
})

const STRICT = ['DENIED', 'CONFIRMATION_REQUIRED', 'ok'] as const

/** The answer of one policy to a call of the model. */
function judged(policy: Lists, tool: Name, name: string): (typeof STRICT)[number] {
  const isMet = (list: keyof Lists) => policy[list].some((one) => RULES[one]?.isMet(tool, name))
  if (isMet('deny')) return 'DENIED'
  if (isMet('ask')) return 'CONFIRMATION_REQUIRED'
  return isMet('allow') || tool !== 'wipe' ? 'ok' : 'CONFIRMATION_REQUIRED'
}

/** Nine nodes: a root, two children, and three grandchildren each. */
const PARENTS = [null, 0, 0, 1, 1, 1, 2, 2, 2] as const

const node = fc.nat(PARENTS.length - 1)

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      node,
      file: fc.constantFrom('a.env', 'a', 'b'),
      tool: fc.constantFrom(...NAMES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('permit' as const), node, lists }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('step' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), node }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
)

function chain(at: number): readonly number[] {
  const parent = PARENTS[at] ?? null
  return parent === null ? [at] : [at, ...chain(parent)]
}

test('a child session is never looser than its parent, and prices sum, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(lists, { minLength: PARENTS.length, maxLength: PARENTS.length }),
      fc.array(step, { maxLength: 12 }),
      async (given, steps) => {
        const log = createMemoryLog()
        const policies = [...given]
        const tree: VirtualWorkspace[] = []
        const open = async (at: number) => {
          const permissions = permissionsOf(policies[at] as Lists)
          const parent = tree[PARENTS[at] ?? -1]
          const options = { session: `s${at}`, policy: { permissions } }
          tree[at] =
            parent === undefined
              ? await VirtualWorkspace.open({ catalog, log, metaTools: [], ...options })
              : await parent.sessions.child({ agent: 'worker', ...options })
        }
        const openAll = async () => {
          for (const at of PARENTS.keys()) await open(at)
        }
        await openAll()
        for (const one of steps) {
          switch (one.do) {
            case 'permit':
              policies[one.node] = one.lists
              await tree[one.node]?.setPermissions(permissionsOf(one.lists))
              break
            case 'step':
              await tree[one.node]?.beginStep()
              break
            case 'reopen':
              // A leaf ends, and is opened again.
              if (one.node < 3) break
              await tree[one.node]?.close()
              await open(one.node)
              break
            case 'restart':
              await tree[0]?.close()
              await openAll()
              break
            case 'call': {
              const above = new Set(
                chain(one.node).map((at) => judged(policies[at] as Lists, one.tool, one.file)),
              )
              const strictest = STRICT.find((answer) => above.has(answer))
              const input = { file: one.file }
              const answer = await tree[one.node]?.callTool(one.tool, input, { caller: 'model' })
              expect(answer?.ok ? 'ok' : answer?.error.type).toBe(strictest)
            }
          }
        }
        const own = tree.reduce((sum, { state }) => sum + state.spent.price, 0)
        expect(tree[0]?.figures.ledger().spent.total.price).toBe(own)
        for (const at of [8, 7, 6, 5, 4, 3, 2, 1]) await tree[at]?.close()
        expect(tree[0]?.figures.ledger().spent.total.price).toBe(own)
        expect(tree[0]?.state.children.every(({ isOpen }) => !isOpen)).toBe(true)
      },
    ),
    { numRuns: 25 },
  )
})

/** Trees of the law below: `LAW_RUNS=1000 npx vitest run tests/workspace/child-laws.test.ts` for more. */
const RUNS = Number(process.env['LAW_RUNS'] ?? 100)

const MODES = { careful: { tools: ['read', 'write'] } }

const change = fc.oneof(
  fc.record({ node, rules: fc.dictionary(fc.constantFrom('deny', 'ask', 'allow'), rules) }),
  fc.record({ node, mode: fc.constantFrom('text', 'careful') }),
)

test('asked at once, a child says in every way what its call does, whatever is changed above it', async () => {
  let asked = 0
  const heard: string[] = []
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(lists, { minLength: PARENTS.length, maxLength: PARENTS.length }),
      fc.array(
        fc.record({
          change,
          /** The turns of the microtask queue to wait for; null to await the change. */
          moment: fc.option(fc.nat(30)),
          asked: node,
          tool: fc.constantFrom(...NAMES),
          caller: fc.constantFrom('model' as const, 'host' as const),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      async (given, steps) => {
        const tree: VirtualWorkspace[] = []
        for (const at of PARENTS.keys()) {
          const permissions = permissionsOf(wholeOf(given[at] as Lists))
          const options = { session: `s${at}`, policy: { permissions, modes: MODES } }
          const parent = tree[PARENTS[at] ?? -1]
          const opened =
            parent === undefined
              ? await VirtualWorkspace.open({ catalog, metaTools: [], ...options })
              : await parent.sessions.child({ agent: 'worker', ...options })
          tree[at] = opened
          opened.store.subscribe(() => heard.push(...differences(tree)))
        }
        for (const { change: one, moment, asked: at, tool, caller } of steps) {
          const changed =
            'mode' in one
              ? tree[one.node]?.setMode(one.mode)
              : tree[one.node]?.setPermissions(permissionsOf(wholeOf(one.rules)))
          if (moment === null) await changed
          for (let turn = 0; turn < (moment ?? 0); turn += 1) await Promise.resolve()
          expect(differences(tree)).toEqual([])
          const child = tree[at] as VirtualWorkspace
          const { status } = child.explain(tool)
          const asks = await child.approvals.asksAbout(tool, { file: 'b' })
          const answer = await child.callTool(tool, { file: 'b' }, { caller })
          // A change that was not awaited may have come between.
          if (moment !== null && (await changed) && status !== child.explain(tool).status) continue
          const code = answer.ok ? 'ok' : answer.error.details['code']
          const isAsked = !answer.ok && answer.error.type === 'CONFIRMATION_REQUIRED'
          if (status !== 'available') expect(code).toBe(status)
          else expect(answer.ok || isAsked).toBe(true)
          // A host is not asked about a destructive tool without a rule.
          if (moment === null && caller === 'model') expect(asks).toBe(isAsked)
          seen.add(`${status} ${isAsked}`)
          asked += 1
        }
        await tree[0]?.close()
      },
    ),
    { numRuns: RUNS, seed: 26 },
  )
  expect(heard).toEqual([])
  expect(asked).toBeGreaterThan(RUNS)
  expect([...seen].toSorted()).toEqual([
    'available false',
    'available true',
    'blocked-by-mode false',
    'denied false',
  ])
})

/** The rules that are about all calls of a tool: what a tool may do follows from those. */
function wholeOf(given: Partial<Lists>): Lists {
  const whole = (list: readonly number[] = []) => list.filter((one) => one < 3)
  return { deny: whole(given.deny), ask: whole(given.ask), allow: whole(given.allow) }
}

/** Compares what each session says of each tool with the own rules and modes of those above it, as they are now. */
function differences(tree: readonly VirtualWorkspace[]): readonly string[] {
  return tree.flatMap((one, at) => {
    const { text } = one.prompt()
    const listed = one.tools()
    const available = one.getAvailableTools()
    return NAMES.flatMap((tool) => {
      const policies = chain(at).flatMap((above) => tree[above]?.state.policy ?? [])
      const status = policies.some(({ deny }) => deny.some((rule) => deniesTool(rule, tool)))
        ? 'denied'
        : tool === 'wipe' && policies.some(({ mode }) => mode === 'careful')
          ? 'blocked-by-mode'
          : 'available'
      const isAvailable = status === 'available'
      const answers = [
        one.explain(tool).status === status,
        listed.find(({ name }) => name === tool)?.status === status,
        one.isToolAvailable(tool) === isAvailable,
        available.some(({ name }) => name === tool) === isAvailable,
        text.includes(`\`${tool}\``) === isAvailable,
      ]
      return answers.every(Boolean) ? [] : `${one.session} ${tool}: ${status}, ${answers.join()}`
    })
  })
}

/** Returns true for a rule, in the form in which a policy has it, that is about all calls of a tool. */
function deniesTool(rule: unknown, tool: Name): boolean {
  return RULES.slice(0, 3).some(
    (known) => JSON.stringify(known.rule) === JSON.stringify(rule) && known.isMet(tool, ''),
  )
}

test('eight children at once stay within the calls of their parent, in every turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.array(fc.constantFrom<Name>('read', 'write'), { maxLength: 3 }), {
        minLength: 8,
        maxLength: 8,
      }),
      async (calls, plans) => {
        const limits = { tight: { calls } }
        const parent = await VirtualWorkspace.open({
          catalog,
          metaTools: [],
          policy: { mode: 'tight', modes: limits },
        })
        await parent.beginTurn()
        const children = await Promise.all(
          plans.map(() => parent.sessions.child({ agent: 'worker' })),
        )
        const answers = await Promise.all(
          children.flatMap((child, at) =>
            (plans[at] ?? []).map((tool) => child.callTool(tool, {})),
          ),
        )
        const ran = answers.filter(({ ok }) => ok).length
        expect(ran).toBe(Math.min(calls, answers.length))
        expect(parent.state.callsInSession).toBe(ran)
        await parent.close()
      },
    ),
    { numRuns: 10 },
  )
})
