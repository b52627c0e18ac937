import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PermissionRule } from '../../../src/engine/model/policy.ts'
import { unseenWhere, whereMatches } from '../../../src/engine/standing/where-matches.ts'

type Where = Readonly<Record<string, string>>

/** Returns for each list whether its rule matches a call with these arguments. */
function met(where: Where, ...forms: readonly unknown[]) {
  const rules = [{ where }]
  const { deny, ask, allow } = whereMatches({ deny: rules, ask: rules, allow: rules }, forms)
  return { deny: deny.length > 0, ask: ask.length > 0, allow: allow.length > 0 }
}

const NO = { deny: false, ask: false, allow: false }
const YES = { deny: true, ask: true, allow: true }
const HOLDS_UP = { deny: true, ask: true, allow: false }

const given = {
  path: '/etc/passwd',
  amount: 100,
  dry: false,
  to: ['a@here.example', 'b@there.example'],
  none: null,
  nested: { deep: { name: 'x' } },
  rows: [{ id: 1 }, { id: 2 }],
}

test.each<{ title: string; where: Where; holds: object }>([
  { title: 'a text is matched directly', where: { path: '/etc/*' }, holds: YES },
  { title: 'case counts', where: { path: '/ETC/*' }, holds: NO },
  { title: 'a number is matched as JSON', where: { amount: '100' }, holds: YES },
  { title: 'so is a truth value', where: { dry: 'false' }, holds: YES },
  { title: 'and null', where: { none: 'null' }, holds: YES },
  { title: 'and a list', where: { to: '["a@*' }, holds: YES },
  { title: 'an item has its number', where: { 'to.1': '*@there.example' }, holds: YES },
  { title: 'a member lies deeper', where: { 'nested.deep.name': 'x' }, holds: YES },
  { title: 'all of several paths must match', where: { path: '*', amount: '1' }, holds: NO },
  {
    title: 'one item of many holds up, and lets nothing through',
    where: { 'to.*': '*@there.example' },
    holds: HOLDS_UP,
  },
  { title: 'every item lets through', where: { 'to.*': '*.example' }, holds: YES },
  { title: 'items have members', where: { 'rows.*.id': '2' }, holds: HOLDS_UP },
  { title: 'what is missing matches nothing', where: { account: '*' }, holds: NO },
  { title: 'nor what is missing below a text', where: { 'path.length': '*' }, holds: NO },
  { title: 'nor what every object inherits', where: { 'constructor.name': '*' }, holds: NO },
  { title: 'nor an item of an empty list', where: { 'nested.*.none.*': '*' }, holds: NO },
])('$title: $where', ({ where, holds }) => {
  expect(met(where, given, given)).toEqual(holds)
})

test.each<{ title: string; where: Where; given: unknown; holds: object }>([
  {
    title: 'a name with a dot is seen',
    where: { 'user.name': 'root' },
    given: { 'user.name': 'root' },
    holds: YES,
  },
  {
    title: 'so is one with several, and with a slash',
    where: { 'labels.app.kubernetes.io/name': 'x' },
    given: { labels: { 'app.kubernetes.io/name': 'x' } },
    holds: YES,
  },
  {
    title: 'one with brackets',
    where: { 'rows[0].id': '1' },
    given: { 'rows[0].id': 1 },
    holds: YES,
  },
  { title: 'one with empty parts', where: { 'a..b': 'x' }, given: { 'a..b': 'x' }, holds: YES },
  { title: 'one that is a dot', where: { '.': 'x' }, given: { '.': 'x' }, holds: YES },
  { title: 'one with a star', where: { 'a.*': 'x' }, given: { 'a.*': 'x' }, holds: YES },
  {
    title: 'a part with a dot, below a part',
    where: { 'a.b.c.d': 'x' },
    given: { a: { 'b.c': { d: 'x' } } },
    holds: YES,
  },
  {
    title: 'a harmless one hides no other way to read the path',
    where: { 'user.name': 'root' },
    given: { 'user.name': 'ada', user: { name: 'root' } },
    holds: HOLDS_UP,
  },
  {
    title: 'nor does the other way',
    where: { 'user.name': 'root' },
    given: { user: { name: 'ada' }, 'user.name': 'root' },
    holds: HOLDS_UP,
  },
  {
    title: 'nor a list, which has a length',
    where: { 'rows.length': '5' },
    given: { rows: [{ length: 5 }] },
    holds: HOLDS_UP,
  },
])('$title: $where', ({ where, given: other, holds }) => {
  expect(met(where, other)).toEqual(holds)
})

test('a rule about the names on the way to a value sees it, whatever dots they have', () => {
  const name = fc.stringMatching(/^[a.*-]{1,4}$/u)
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const form = names.reduceRight<unknown>((value, one) => ({ [one]: value }), 'root')
      expect(met({ [names.join('.')]: 'root' }, form)).toEqual(YES)
    }),
  )
})

test('members with the names of inherited ones are matched like all others', () => {
  const odd = JSON.parse('{"__proto__": "a", "constructor": {"toString": "b"}}') as unknown
  expect(met(JSON.parse('{"__proto__": "a"}') as Where, odd)).toEqual(YES)
  expect(met({ 'constructor.toString': 'b' }, odd)).toEqual(YES)
})

test('the result of a schema transform is matched in addition to the given arguments', () => {
  const where = { path: '/etc/*' }
  expect(met(where, { path: ' /etc/passwd' }, { path: '/etc/passwd' })).toEqual(HOLDS_UP)
  expect(met(where, { path: '/etc/passwd' }, { path: '/srv/passwd' })).toEqual(HOLDS_UP)
  expect(met({ at: '*2026*' }, { at: '2026-01-02' }, { at: new Date('2026-01-02') })).toEqual(YES)
})

test('rules are named by their places, and those without "where" are left out', () => {
  const rules = ['x', { where: { a: '1' } }, { tool: 'x' }, { where: { a: '2' } }]
  const policy = { deny: rules, ask: [], allow: [] }
  expect(whereMatches(policy, [{ a: 2 }])).toEqual({ deny: [3], ask: [], allow: [] })
})

test('without checked arguments, every rule of deny and ask matches', () => {
  const rules = ['x', { where: { a: '1' } }, { where: { b: '2' } }]
  const all = { deny: rules, ask: rules, allow: rules }
  expect(unseenWhere(all)).toEqual({ deny: [1, 2], ask: [1, 2], allow: [] })
})

test('all arguments are judged, and a rule of allow matches only when it would match in deny and ask', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('a', 'a.b', 'a.*', '*', '*.*', '0', 'toString', '__proto__'),
      fc.constantFrom('*', '1', 'a*', '"*', '{*}'),
      (form, path, pattern) => {
        const { deny, ask, allow } = met({ [path]: pattern }, form)
        expect(ask).toBe(deny)
        if (allow) expect(deny).toBe(true)
      },
    ),
  )
})

test.each<{ title: string; where: Where; given: unknown }>([
  { title: 'a list for a text', where: { to: '*@bad.example' }, given: { to: ['a@bad.example'] } },
  { title: 'a list in a list', where: { to: 'x' }, given: { to: [['y'], [['x']]] } },
  { title: 'a text for a list', where: { 'to.*': 'x' }, given: { to: 'x' } },
  { title: 'a list on the way', where: { 'user.name': 'x' }, given: { user: [{ name: 'x' }] } },
  {
    title: 'an object for a list of objects',
    where: { 'rows.*.id': '1' },
    given: { rows: [[{ id: 1 }]] },
  },
  {
    title: 'accents put together otherwise',
    where: { path: '/caf\u00e9/*' },
    given: { path: '/cafe\u0301/x' },
  },
])('$title does not get past deny and ask', ({ where, given: other }) => {
  expect(met(where, other)).toEqual(HOLDS_UP)
})

/** Returns for each list whether a rule with these members matches a call. */
function metBy(rule: PermissionRule, ...forms: readonly unknown[]) {
  const { deny, ask, allow } = whereMatches({ deny: [rule], ask: [rule], allow: [rule] }, forms)
  return { deny: deny.length > 0, ask: ask.length > 0, allow: allow.length > 0 }
}

test.each<{ title: string; rule: PermissionRule; given: object; holds: object }>([
  {
    title: 'case is ignored where the rule says so',
    rule: { where: { command: 'CAT *' }, ignoreCase: true },
    given: { command: 'cat .ENV' },
    holds: YES,
  },
  {
    title: 'letters that only look alike in upper case hold up, and let nothing through',
    rule: { where: { name: 'straße' }, ignoreCase: true },
    given: { name: 'STRASSE' },
    holds: HOLDS_UP,
  },
  {
    title: 'a path has many spellings',
    rule: { where: { file: { path: '**/.env*' } }, ignoreCase: true },
    given: { file: './a/../.ENV' },
    holds: YES,
  },
  {
    title: 'an absolute path may be below the folder',
    rule: { where: { 'files.*': { path: 'src/**' } } },
    given: { files: ['/srv/src/a'] },
    holds: HOLDS_UP,
  },
  {
    title: 'a path is text',
    rule: { where: { file: { path: '*' } } },
    given: { file: 7 },
    holds: HOLDS_UP,
  },
  {
    title: 'a command is found in a chain',
    rule: { where: { command: { command: 'rm' } } },
    given: { command: 'npm run format && rm x' },
    holds: HOLDS_UP,
  },
  {
    title: 'and not in a word',
    rule: { where: { command: { command: 'rm' } } },
    given: { command: 'npm run format' },
    holds: NO,
  },
  {
    title: 'a command may be a list of words',
    rule: { where: { argv: { command: 'git push' } } },
    given: { argv: ['git', 'push'] },
    holds: HOLDS_UP,
  },
  {
    title: 'a plain command is let through',
    rule: { where: { command: { command: 'git status' } } },
    given: { command: 'git status -s' },
    holds: YES,
  },
])('$title', ({ rule, given, holds }) => {
  expect(metBy(rule, given)).toEqual(holds)
})
