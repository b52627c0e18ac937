import { readAllowedTool } from '../../../src/engine/standing/allowed-tool.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AllowedList,
  judgePermission,
  type PermissionFacts,
} from '../../../src/engine/standing/permission.ts'
import {
  type AllowedToolsEffect,
  OPEN_POLICY,
  type Policy,
  type Rule,
} from '../../../src/engine/model/policy.ts'
import type { RiskLevel } from '../../../src/tools/definition/tool.ts'

const FACTS: PermissionFacts = {
  claim: { name: 'billing__refund', definedAs: 'refund' },
  source: { source: 'skill', owner: 'billing' },
  tool: { risk: 'destructive' },
  isMeta: false,
  lists: [],
  where: null,
}

const judge = (policy: Partial<Policy>, facts: Partial<PermissionFacts> = {}) =>
  judgePermission({ ...OPEN_POLICY, ...policy }, { ...FACTS, ...facts }).effect

test.each<{ title: string; rule: Rule; meets: boolean }>([
  { title: 'the name it goes by', rule: 'billing__*', meets: true },
  { title: 'the name in its definition', rule: 'refund', meets: true },
  { title: 'another name', rule: 'refunds', meets: false },
  { title: 'its name as a member', rule: { tool: 're*' }, meets: true },
  { title: 'its skill', rule: { skill: 'bill*' }, meets: true },
  { title: 'another skill', rule: { skill: 'shop' }, meets: false },
  { title: 'its kind of source', rule: { source: 'skill' }, meets: true },
  { title: 'its source and owner', rule: { source: 'skill:billing' }, meets: true },
  { title: 'another kind of source', rule: { source: 'component*' }, meets: false },
  { title: 'its risk', rule: { risk: 'destructive' }, meets: true },
  { title: 'one of several risks', rule: { risk: ['moderate', 'destructive'] }, meets: true },
  { title: 'another risk', rule: { risk: 'safe' }, meets: false },
  {
    title: 'all members',
    rule: { tool: 'refund', skill: 'billing', risk: 'destructive' },
    meets: true,
  },
  { title: 'all members but one', rule: { tool: 'refund', skill: 'shop' }, meets: false },
  { title: 'no member', rule: {}, meets: true },
  {
    title: 'arguments, where there is no call',
    rule: { tool: 'refund', where: { a: '*' } },
    meets: false,
  },
])('a rule about $title', ({ rule, meets }) => {
  expect(judge({ deny: [rule] })).toBe(meets ? 'deny' : null)
  expect(judge({ ask: [rule] })).toBe(meets ? 'ask' : null)
  expect(judge({ allow: [rule] })).toBe(meets ? 'allow' : null)
})

test('a rule about a skill does not match tools without a skill', () => {
  const component = { source: { source: 'component', owner: 'billing' } } as const
  expect(judge({ deny: [{ skill: '*' }] }, component)).toBe(null)
  expect(judge({ deny: [{ source: 'component:billing' }] }, component)).toBe('deny')
})

test('a rule about arguments matches by its place and its other fields', () => {
  const deny: readonly Rule[] = ['x', { tool: 'refund', where: { a: '1' } }]
  expect(judge({ deny }, { where: { deny: [1], ask: [], allow: [] } })).toBe('deny')
  expect(judge({ deny }, { where: { deny: [], ask: [1], allow: [1] } })).toBe(null)
  const other: readonly Rule[] = ['x', { tool: 'pay', where: { a: '1' } }]
  expect(judge({ deny: other }, { where: { deny: [1], ask: [], allow: [] } })).toBe(null)
})

test.each<{ trusted?: false; declared: RiskLevel | null; counts: RiskLevel }>([
  { declared: 'safe', counts: 'safe' },
  { declared: 'destructive', counts: 'destructive' },
  { trusted: false, declared: 'safe', counts: 'moderate' },
  { trusted: false, declared: 'moderate', counts: 'moderate' },
  { trusted: false, declared: 'destructive', counts: 'destructive' },
  { declared: null, counts: 'moderate' },
])(
  'risk $declared of a source trusted: $trusted counts as $counts',
  ({ trusted, declared, counts }) => {
    const facts = {
      claim: { ...FACTS.claim, ...(trusted === false && { trusted }) },
      tool: declared === null ? undefined : { risk: declared },
    }
    for (const risk of ['safe', 'moderate', 'destructive'] as const) {
      expect(judge({ deny: [{ risk }] }, facts)).toBe(risk === counts ? 'deny' : null)
    }
  },
)

const list = (skill: string, ...texts: readonly string[]): AllowedList => ({
  skill,
  tools: texts.map(readAllowedTool),
  isUnchanged: true,
})

test.each<{
  title: string
  allowedTools: AllowedToolsEffect
  lists: readonly AllowedList[]
  effect: 'allow' | 'deny' | null
  facts?: Partial<PermissionFacts>
}>([
  { title: 'ignored', allowedTools: 'ignore', lists: [list('a', 'refund')], effect: null },
  { title: 'named', allowedTools: 'pre-approve', lists: [list('a', 'ref*')], effect: 'allow' },
  { title: 'not named', allowedTools: 'pre-approve', lists: [list('a', 'pay')], effect: null },
  {
    title: 'named with arguments',
    allowedTools: 'pre-approve',
    lists: [list('a', 'refund(x:*)')],
    effect: null,
  },
  {
    title: 'named by a skill that changed',
    allowedTools: 'pre-approve',
    lists: [{ ...list('a', 'refund'), isUnchanged: false }],
    effect: null,
  },
  {
    title: 'named, of a source that is not trusted',
    allowedTools: 'pre-approve',
    lists: [list('a', 'refund')],
    effect: null,
    facts: { claim: { ...FACTS.claim, trusted: false } },
  },
  { title: 'no list', allowedTools: 'restrict', lists: [], effect: null },
  {
    title: 'on the list of a skill that changed since it was activated',
    allowedTools: 'restrict',
    lists: [{ ...list('a', 'refund'), isUnchanged: false }],
    effect: 'deny',
  },
  { title: 'on the list', allowedTools: 'restrict', lists: [list('a', 'refund')], effect: null },
  {
    title: 'on the list with arguments that cannot be judged',
    allowedTools: 'restrict',
    lists: [list('a', 'refund(x:*)')],
    effect: 'deny',
  },
  {
    title: 'on one of two lists',
    allowedTools: 'restrict',
    lists: [list('a', 'pay'), list('b', '*')],
    effect: null,
  },
  {
    title: 'on no list',
    allowedTools: 'restrict',
    lists: [list('a', 'pay'), list('b', 'x')],
    effect: 'deny',
  },
  {
    title: 'a meta-tool',
    allowedTools: 'restrict',
    lists: [list('a', 'pay')],
    effect: null,
    facts: { isMeta: true },
  },
])('allowed-tools, $allowedTools: $title', ({ allowedTools, lists, effect, facts }) => {
  expect(judge({ allowedTools }, { ...facts, lists })).toBe(effect)
})

test.each([
  ['Bash(git add:*)', 'Bash', 'git add:*'],
  ['Read', 'Read', null],
  ['mcp__shop__*', 'mcp__shop__*', null],
  ['odd(', 'odd(', null],
])('"%s" names the tool "%s" with the arguments %s', (text, pattern, argument) => {
  expect(readAllowedTool(text)).toMatchObject({ text, pattern, argument })
})

const aRule = fc.constantFrom<Rule>(
  'refund',
  'pay',
  '*',
  { skill: 'billing' },
  { risk: 'destructive' },
  { source: 'global' },
  { tool: 'refund', where: { a: '1' } },
)
const rules = fc.array(aRule, { maxLength: 4 })
const aPolicy = fc.record({
  mode: fc.constant('text'),
  deny: rules,
  ask: rules,
  allow: rules,
  allowedTools: fc.constantFrom<AllowedToolsEffect>('ignore', 'pre-approve', 'restrict'),
  limits: fc.constant(OPEN_POLICY.limits),
})
const places = fc.uniqueArray(fc.nat(3), { maxLength: 4 })
const facts = fc.record({
  claim: fc.constantFrom<PermissionFacts['claim']>(FACTS.claim, { ...FACTS.claim, trusted: false }),
  source: fc.constantFrom<PermissionFacts['source']>(FACTS.source, {
    source: 'global',
    owner: 'global',
  }),
  tool: fc.constantFrom<PermissionFacts['tool']>({ risk: 'safe' }, { risk: 'destructive' }),
  isMeta: fc.constant(false),
  lists: fc.array(
    fc.record({
      skill: fc.constantFrom('a', 'b'),
      tools: fc.array(fc.constantFrom('refund', 'pay', '*', 'refund(x)').map(readAllowedTool)),
      isUnchanged: fc.boolean(),
    }),
  ),
  where: fc.option(fc.record({ deny: places, ask: places, allow: places })),
})

/** A higher rank lets more calls run. */
const RANK = { deny: 0, ask: 1, null: 2, allow: 3 } as const
const rank = (policy: Policy, of: PermissionFacts) => RANK[`${judgePermission(policy, of).effect}`]

test('the order within a list does not matter, and a further rule only restricts, unless it allows', () => {
  const withoutPlaces = facts.map((one) => ({ ...one, where: null }))
  fc.assert(
    fc.property(aPolicy, withoutPlaces, aRule, (policy, of, rule) => {
      const before = rank(policy, of)
      const turned = { ...policy, deny: policy.deny.toReversed(), ask: policy.ask.toReversed() }
      expect(rank(turned, of)).toBe(before)
      for (const effect of ['deny', 'ask'] as const) {
        const more = { ...policy, [effect]: [...policy[effect], rule] }
        expect(rank(more, of)).toBeLessThanOrEqual(before)
      }
      const more = rank({ ...policy, allow: [rule, ...policy.allow] }, of)
      if (before < RANK.null) expect(more).toBe(before)
    }),
  )
})

test('allowed-tools never override deny and ask of the host', () => {
  fc.assert(
    fc.property(aPolicy, facts, (policy, of) => {
      const ignored = rank({ ...policy, allowedTools: 'ignore' }, of)
      expect(rank({ ...policy, allowedTools: 'restrict' }, of)).toBeLessThanOrEqual(ignored)
      const approved = rank({ ...policy, allowedTools: 'pre-approve' }, of)
      if (ignored === RANK.null) expect([RANK.null, RANK.allow]).toContain(approved)
      else expect(approved).toBe(ignored)
    }),
  )
})
