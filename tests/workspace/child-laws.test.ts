import fc from 'fast-check'
import { createCatalog, createMemoryLog, defineAgent, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aTool } from './a-workspace.ts'

const file = {
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
              : await parent.child({ agent: 'worker', ...options })
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
        expect(tree[0]?.ledger().spent.total.price).toBe(own)
        for (const at of [8, 7, 6, 5, 4, 3, 2, 1]) await tree[at]?.close()
        expect(tree[0]?.ledger().spent.total.price).toBe(own)
        expect(tree[0]?.state.children.every(({ isOpen }) => !isOpen)).toBe(true)
      },
    ),
    { numRuns: 25 },
  )
})

test('at each moment a child lists what its call may do, whatever is permitted above it', async () => {
  let looks = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(lists, { minLength: PARENTS.length, maxLength: PARENTS.length }),
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.record({ node, lists, isAwaited: fc.boolean() }) },
          { weight: 1, arbitrary: fc.record({ reopened: node }) },
        ),
        { maxLength: 10 },
      ),
      async (given, changes) => {
        const tree: VirtualWorkspace[] = []
        const open = async (at: number, policy: Lists) => {
          const options = { session: `s${at}`, policy: { permissions: permissionsOf(policy) } }
          const parent = tree[PARENTS[at] ?? -1]
          const opened =
            parent === undefined
              ? await VirtualWorkspace.open({ catalog, metaTools: [], ...options })
              : await parent.child({ agent: 'worker', ...options })
          tree[at] = opened
          opened.store.subscribe(() => heard.push(...differences()))
        }
        const heard: string[] = []
        /** Compares what each session lists with the own rules of those above it, as they are now. */
        function differences(): readonly string[] {
          return tree.flatMap((one, at) =>
            NAMES.flatMap((tool) => {
              looks += 1
              const isDenied = chain(at).some((above) =>
                tree[above]?.state.policy.deny.some((rule) => deniesTool(rule, tool)),
              )
              const answers = [
                one.explain(tool).status === 'denied',
                !one.isToolAvailable(tool),
                one.getAvailableTools().every(({ name }) => name !== tool),
              ]
              return answers.every((answer) => answer === isDenied)
                ? []
                : `${one.session} ${tool}: ${answers.join()}, not ${isDenied}`
            }),
          )
        }
        for (const at of PARENTS.keys()) await open(at, given[at] as Lists)
        for (const one of changes) {
          if ('reopened' in one) {
            const policy = tree[one.reopened]?.state.policy
            if (one.reopened < 3 || policy === undefined) continue
            await tree[one.reopened]?.close()
            await open(one.reopened, given[one.reopened] as Lists)
          } else {
            const changed = tree[one.node]?.setPermissions(permissionsOf(one.lists))
            if (one.isAwaited) await changed
            else void changed
          }
          expect(differences()).toEqual([])
          for (const [at, child] of tree.entries()) {
            const tool = NAMES[at % 3] ?? 'read'
            const status = () => child.explain(tool).status
            const before = status()
            const answer = await child.callTool(tool, { file: 'b' })
            // A change that was not awaited may have come between.
            if (before !== status()) continue
            const isDenied = !answer.ok && answer.error.type === 'DENIED'
            expect(isDenied).toBe(before === 'denied')
          }
        }
        expect(heard).toEqual([])
        await tree[0]?.close()
      },
    ),
    { numRuns: 25 },
  )
  expect(looks).toBeGreaterThan(1_000)
})

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
        const children = await Promise.all(plans.map(() => parent.child({ agent: 'worker' })))
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
