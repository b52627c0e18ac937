import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Rule } from '../../../../src/engine/model/policy.ts'
import { ruleKey } from '../../../../src/engine/model/stored-rule.ts'
import { rulePlaces } from '../../../../src/workbench/project/config/rule-places.ts'

const deletes = ({ command }: { command: string }) => command.includes('rm')

/** Returns the lines of the rules that are denied, in their order. */
function linesOf(text: string, deny: readonly Rule[]) {
  const places = rulePlaces(text, 'loadout.config.ts', { deny })
  return deny.map((rule) => places.get(ruleKey('deny', rule))?.line)
}

const where = { where: { 'to.*': '*@x.org' } }

test.each<readonly [string, string, readonly Rule[], readonly (number | undefined)[]]>([
  [
    'JSON',
    '{\n"permissions": {\n"deny": [\n"a",\n{ "tool": "b" }\n]\n}\n}',
    ['a', { tool: 'b' }],
    [4, 5],
  ],
  [
    'a key that is written twice, of which the last counts',
    '{\n"permissions": { "deny": ["a"],\n"deny": [\n"a"] } }',
    ['a'],
    [4],
  ],
  ['one line', '{ "permissions": { "deny": ["a", "b"] } }', ['a', 'b'], [1, 1]],
  [
    'code',
    "export default {\n  permissions: {\n    deny: ['a', 'b'],\n  },\n}",
    ['a', 'b'],
    [3, 3],
  ],
  ['comments', '{ /* deny: ["a"] */\n// deny: ["a"]\ndeny: [ // "a",\n"a" ] }', ['a'], [4]],
  ['quotes', 'deny: [\n`a"`,\n\'it\\\'s\',\n"\\u0041" ]', ['a"', "it's", 'A'], [2, 3, 4]],
  [
    'nested values',
    `deny: [\n{ tool: 'a', risk: ['safe'],\nwhere: { 'to.*': '*@x.org' } },\n'b']`,
    [{ tool: 'a', risk: ['safe'], ...where }, 'b'],
    [2, 4],
  ],
  [
    'functions, by their place',
    "deny: [\n'a',\n{ tool: 'b', when: (input) => f(input, [1, 2]) },\n'c']",
    ['a', { tool: 'b', when: deletes }, 'c'],
    [2, 3, 4],
  ],
  [
    'a list with a spread, by what is written',
    "permissions: {\ndeny: [...base,\n'a'] }",
    ['base', 'a'],
    [2, 3],
  ],
  [
    'a list elsewhere',
    "const base = ['a']\nexport default { permissions: { deny: base } }",
    ['a'],
    [2],
  ],
  ['another list of that name', "x: { deny: ['q'] },\npermissions: {\ndeny: ['a'] }", ['a'], [3]],
  ['nothing', '', ['a'], [undefined]],
  ['a text that ends early', 'permissions: { deny: [\n"a', ['a'], [2]],
])('the lines of rules in %s', (_, text, deny, lines) => {
  expect(linesOf(text, deny)).toEqual(lines)
})

test('each rule is looked at equally often, however many there are', () => {
  const reads = (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `tool-${at}`)
    let sum = 0
    const rules = names.map((name) => ({
      get tool() {
        sum += 1
        return name
      },
    }))
    const items = names.map((name) => `{ tool: '${name}' }`)
    rulePlaces(`permissions: { deny: [...base, ${items.join(',\n')}] }`, 'f', { deny: rules })
    return sum
  }
  expect(reads(200)).toBe(2 * reads(100))
})

test('the same rule in two lists has a place in each', () => {
  const rules = { deny: ['a'], ask: ['a'] }
  const places = rulePlaces('{"permissions":{"deny":["a"],\n"ask":["a"]}}', 'f', rules)
  expect([places.get(ruleKey('deny', 'a'))?.line, places.get(ruleKey('ask', 'a'))?.line]).toEqual([
    1, 2,
  ])
})

test('each rule of any JSON has the line on which it begins', () => {
  const rule = fc.oneof(
    fc.string(),
    fc.record({ tool: fc.string(), where: fc.dictionary(fc.string(), fc.string()) }),
  )
  fc.assert(
    fc.property(fc.uniqueArray(rule, { selector: (one) => ruleKey('deny', one) }), (deny) => {
      const items = deny.map((one) => JSON.stringify(one))
      const text = `{"permissions":{"deny":[\n${items.join(',\n')}\n]}}`
      expect(linesOf(text, deny)).toEqual(deny.map((_one, place) => place + 2))
    }),
  )
})

test('any text is read to its end', () => {
  const piece = fc.constantFrom(
    'deny',
    ':',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '`',
    '\\',
    '/*',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(() => rulePlaces(pieces.join(''), 'f', { deny: ['a'] })).not.toThrow()
    }),
  )
})
