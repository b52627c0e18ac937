import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTools } from '../../../src/connections/mcp/client/read-tools.ts'
import { firstImpossible, OPEN_POLICY, type Rule } from '../../../src/engine/model/policy.ts'
import { readAllowedTool } from '../../../src/engine/standing/allowed-tool.ts'
import { judgePermission, type PermissionFacts } from '../../../src/engine/standing/permission.ts'

type Named = Pick<PermissionFacts, 'claim' | 'source'>

/** A tool as it is registered. Without a server, the host has registered it. */
const named = (name: string, server?: string, nameOnServer?: string): Named => ({
  claim: { name, definedAs: name, ...(nameOnServer !== undefined && { nameOnServer }) },
  source:
    server === undefined
      ? { source: 'global', owner: 'global' }
      : { source: 'server', owner: server },
})

const effects = (rule: Rule, tool: Named) =>
  (['deny', 'ask', 'allow'] as const).map((list) => {
    const facts = {
      ...tool,
      tool: { risk: 'safe' as const },
      isMeta: false,
      lists: [],
      where: null,
    }
    return judgePermission({ ...OPEN_POLICY, [list]: [rule] }, facts).effect
  })

/** Restricts a session to one entry of `allowed-tools`, which is read on the allowing side. */
const isListed = (entry: string, tool: Named) => {
  const lists = [{ skill: 's', tools: [readAllowedTool(entry)], isUnchanged: true }]
  const facts = { ...tool, tool: { risk: 'safe' as const }, isMeta: false, lists, where: null }
  return judgePermission({ ...OPEN_POLICY, allowedTools: 'restrict' }, facts).effect === null
}

const shop = named('shop_delete', 'shop')

test.each<{ rule: string; tool: Named; holds: boolean | 'not in allow' }>([
  { rule: 'mcp__shop', tool: shop, holds: true },
  { rule: 'mcp__shop__*', tool: shop, holds: true },
  { rule: 'mcp__shop__delete', tool: shop, holds: true },
  { rule: 'mcp__shop__del*', tool: shop, holds: true },
  { rule: 'mcp__*', tool: shop, holds: true },
  { rule: 'mcp*', tool: shop, holds: true },
  { rule: 'mcp__*__delete', tool: shop, holds: true },
  { rule: 'mcp__sh*', tool: shop, holds: true },
  { rule: 'shop_delete', tool: shop, holds: true },
  // As the definition names it, which skills that were written for this library do.
  { rule: 'mcp__shop__shop_delete', tool: shop, holds: true },
  { rule: 'mcp__shop__find', tool: shop, holds: false },
  { rule: 'mcp__shop__delete_all', tool: shop, holds: false },
  { rule: 'mcp__shop__del', tool: shop, holds: false },
  { rule: 'mcp__sho', tool: shop, holds: false },
  { rule: 'mcp__shopping', tool: shop, holds: false },
  { rule: 'mcp__Shop__delete', tool: shop, holds: false },
  { rule: 'mcp__other', tool: shop, holds: false },
  { rule: 'm*', tool: shop, holds: false },
  { rule: '*__delete', tool: shop, holds: false },
  // Another prefix, none, and a name that was fitted.
  { rule: 'mcp__shop__delete', tool: named('store-delete', 'shop', 'delete'), holds: true },
  { rule: 'mcp__shop__delete', tool: named('delete', 'shop'), holds: true },
  {
    rule: 'mcp__shop__l_schen',
    tool: named('shop_l-schen', 'shop', 'löschen'),
    holds: 'not in allow',
  },
  {
    rule: 'mcp__shop__delete',
    tool: named('shop_shop_delete', 'shop', 'shop_delete'),
    holds: false,
  },
  // Names of servers that Claude Code writes in another way.
  {
    rule: 'mcp__My_Shop_v2__delete',
    tool: named('My-Shop.v2_delete', 'My-Shop.v2'),
    holds: 'not in allow',
  },
  { rule: 'mcp__my-shop__delete', tool: named('my-shop_delete', 'my-shop'), holds: true },
  { rule: 'mcp__my_shop', tool: named('my-shop_delete', 'my-shop'), holds: 'not in allow' },
  { rule: 'mcp__a__b__delete', tool: named('a__b_delete', 'a__b'), holds: 'not in allow' },
  { rule: 'mcp__a__b', tool: named('a__b_delete', 'a__b'), holds: 'not in allow' },
  { rule: 'mcp__a__b', tool: named('a_b', 'a'), holds: true },
  { rule: 'mcp__a', tool: named('a__b_delete', 'a__b'), holds: false },
  // What allows needs the exact name of the server: these may be of somebody else.
  { rule: 'mcp__a__b', tool: named('wipe', 'a__b'), holds: 'not in allow' },
  { rule: 'mcp__a__b', tool: named('mcp__a__b', 'evil'), holds: 'not in allow' },
  { rule: 'mcp__my-shop__read', tool: named('my.shop_read', 'my.shop'), holds: 'not in allow' },
  // A host that registers the tools of a server itself.
  { rule: 'mcp__shop__delete', tool: named('mcp__shop__delete'), holds: true },
  { rule: 'mcp__shop', tool: named('mcp__shop__delete'), holds: true },
  { rule: 'mcp__shop__*', tool: named('mcp__shop__delete'), holds: true },
  { rule: 'mcp__my_shop', tool: named('mcp__my-shop__delete'), holds: true },
  { rule: 'mcp__shop', tool: named('mcp__shopping__delete'), holds: false },
  { rule: 'mcp__shop', tool: named('shop_delete'), holds: false },
  { rule: 'mcp__shop__delete', tool: named('shop_delete'), holds: false },
])('$rule holds for $tool.claim.name of $tool.source.owner: $holds', ({ rule, tool, holds }) => {
  const allows = holds === true
  const expected = holds === false ? [null, null, null] : ['deny', 'ask', allows ? 'allow' : null]
  expect(effects(rule, tool)).toEqual(expected)
  expect(effects({ tool: rule }, tool)).toEqual(expected)
  expect(isListed(rule, tool)).toBe(allows)
})

test('a rule in the form of Claude Code ignores case when it says so', () => {
  const rule = { tool: 'MCP__Shop__Delete', ignoreCase: true }
  expect(effects(rule, named('SHOP_delete', 'SHOP'))).toEqual(['deny', 'ask', 'allow'])
  expect(effects(rule, named('mcp__shop__delete'))).toEqual(['deny', 'ask', 'allow'])
  expect(effects({ ...rule, ignoreCase: false }, named('SHOP_delete', 'SHOP'))[0]).toBe(null)
})

/** A name as Claude Code writes it, in units of UTF-16 and without our code. */
const there = (text: string) =>
  Array.from({ length: text.length }, (_, at) => text.charAt(at))
    .map((unit) => (/[\w-]/.test(unit) ? unit : '_'))
    .join('')

const aServer = fc.string({ unit: fc.constantFrom(...'aBc1_-.'), minLength: 1, maxLength: 6 })
const aName = fc.string({
  unit: fc.constantFrom(...'deL9_-. /ö', '😀'),
  minLength: 1,
  maxLength: 8,
})
const aPrefix = fc.constantFrom(null, '', 'x.', 'mcp__y__')

test('what Claude Code calls a tool of a server is denied here, whatever its name is here', async () => {
  await fc.assert(
    fc.asyncProperty(aServer, aName, aName, aPrefix, async (server, one, other, given) => {
      const terms = { name: server, prefix: given ?? `${server}_`, trusted: false }
      const wire = [{ name: one, inputSchema: { type: 'object' } }]
      const [read] = (await readTools(wire, undefined, terms)).listing.tools
      fc.pre(read !== undefined)
      const tool = named(read.name, server, read.nameOnServer)
      const all = `mcp__${there(server)}`
      for (const rule of [all, `${all}__*`, `${all}__${there(one)}`, 'mcp__*']) {
        expect(effects(rule, tool).slice(0, 2)).toEqual(['deny', 'ask'])
      }
      const plain = (text: string) => there(text).replaceAll('-', '_')
      const isOther = [one, read.name].every((name) => plain(name) !== plain(other))
      expect(effects(`${all}__${there(other)}`, tool)[0]).toBe(isOther ? null : 'deny')
    }),
  )
})

test.each<{ rule: Rule; what: RegExp; written: Rule }>([
  { rule: '', what: /it is empty/u, written: '*' },
  { rule: { tool: '' }, what: /it is empty/u, written: '*' },
  { rule: 'mcp__', what: /names no server/u, written: 'mcp__*' },
  { rule: 'mcp____delete', what: /names no server/u, written: 'mcp__*' },
  { rule: 'mcp__shop__', what: /names no tool/u, written: 'mcp__shop' },
  { rule: 'mcp__shop__delete(*)', what: /"\*" is no part/u, written: 'mcp__shop__delete' },
  { rule: 'mcp__shop__delete x', what: /have only letters/u, written: 'mcp__shop__delete_x' },
  { rule: 'shop_delete(rm:*)', what: /"rm:\*" is no part/u, written: 'shop_delete' },
  { rule: { tool: 'shop_delete()' }, what: /"" is no part/u, written: 'shop_delete' },
  { rule: 'shop/shop_delete', what: /have only letters/u, written: 'shop_delete' },
  { rule: 'shop delete', what: /have only letters/u, written: 'shop*delete' },
  { rule: { tool: 'x', skill: 'kit:mail' }, what: /names of skills/u, written: { skill: 'mail' } },
  { rule: { skill: '' }, what: /names of skills/u, written: { skill: '*' } },
  { rule: { skill: 'a', source: 'server:shop' }, what: /never of/u, written: { source: 'server' } },
  { rule: { source: 'server:' }, what: /has no tools/u, written: { source: 'server' } },
  { rule: { source: 'global:x' }, what: /has no tools/u, written: { source: 'global' } },
  { rule: { risk: [] }, what: /empty list/u, written: {} },
])('a rule that can match nothing is found: $rule', ({ rule, what, written }) => {
  expect(firstImpossible({ deny: ['x', rule] })).toMatchObject({
    path: ['deny', 1],
    message: expect.stringMatching(what),
  })
  expect(firstImpossible({ ask: [rule] })).toMatchObject({ path: ['ask', 0] })
  expect(firstImpossible({ deny: [written], ask: [written] })).toBe(null)
  // A session of an earlier version keeps it.
  expect(firstImpossible({ deny: [rule] }, { deny: [rule] })).toBe(null)
})

test.each<Rule>([
  'delete_*',
  'mcp__none',
  'mcp__none__delete',
  'mcp*',
  'ärger__delete',
  'a (b)__delete',
  '*',
  {},
  { source: 'server:none' },
  { source: '*:shop' },
  { source: 'global:loadout' },
  { skill: 'größe' },
  { skill: 's', source: 's*' },
])('a rule about something that may be registered later is possible: %j', (rule) => {
  expect(firstImpossible({ deny: [rule], ask: [rule] })).toBe(null)
})

test('no rule that is called impossible holds for a tool', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab_*-. (/)ö', 'mcp__'), maxLength: 6 })
  const registered = fc.string({ unit: fc.constantFrom(...'ab_-.'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      fc.oneof(text, fc.record({ tool: text })),
      registered,
      fc.option(text, { nil: undefined }),
      fc.option(text, { nil: undefined }),
      (rule, name, server, onServer) => {
        const isPossible = firstImpossible({ deny: [rule] }) === null
        const names = [name, ...(server === undefined ? [] : [`${server}__${name}`])]
        for (const one of names) {
          const [effect] = effects(rule, named(one, server, onServer))
          // What lacks a part of the form is refused, although a server might have such a name.
          const isForm = /^(?:mcp__)(?:__|$)|^mcp__.*__$/su.test(
            typeof rule === 'string' ? rule : rule.tool,
          )
          if (effect === 'deny') expect(isPossible || isForm).toBe(true)
        }
      },
    ),
    { numRuns: 5_000 },
  )
})
