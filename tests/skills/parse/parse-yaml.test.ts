import { expect, test } from 'vitest'
import { parseYaml, type YamlNode, type YamlOutcome } from '../../../src/skills/parse/parse-yaml.ts'

test.each([
  { name: 'an unquoted version', yaml: 'a: 1.10', value: '1.10' },
  { name: 'what YAML 1.1 took for a boolean', yaml: 'a: no', value: 'no' },
  { name: 'a date', yaml: 'a: 2026-01-02', value: '2026-01-02' },
  { name: 'quoted text', yaml: 'a: "x: y"', value: 'x: y' },
  { name: 'folded text', yaml: 'a: >\n  one\n  two\n', value: 'one two\n' },
  { name: 'a reference', yaml: 'b: &n text\na: *n', value: 'text' },
])('$name keeps what was written', ({ yaml, value }) => {
  expect(plain(parseYaml(yaml))).toMatchObject({ a: value })
})

test('keys that mean something to JavaScript are plain keys, and << merges nothing', () => {
  const yaml = '__proto__: {polluted: 1}\nconstructor: 2\ntoString: 3\n<<: {__proto__: 4}\n'
  const outcome = parseYaml(yaml)
  if (!outcome.ok || outcome.root?.kind !== 'map') throw new Error('not a mapping')
  expect([...outcome.root.entries.keys()]).toEqual(['__proto__', 'constructor', 'toString', '<<'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghi'.split('').map((key, index) => {
    const above = 'abcdefgh'[index]
    return `${key}: &${key} [${Array.from({ length: 9 }, () => `*${above}`).join(', ')}]`
  }),
].join('\n')

test.each([
  { name: 'a duplicate key', yaml: 'name: a\nb: 1\nname: c', code: 'duplicate-key', line: 3 },
  { name: 'a nested duplicate key', yaml: 'a:\n  b: 1\n  b: 2', code: 'duplicate-key', line: 3 },
  { name: 'a tag that makes a function', yaml: 'a: !!js/function "x"', code: 'yaml-tag', line: 1 },
  { name: 'a tag of somebody', yaml: 'b: 1\na: !thing x', code: 'yaml-tag', line: 2 },
  { name: 'references that multiply', yaml: bomb, code: 'yaml-too-complex', line: 3 },
  { name: 'a value that holds itself', yaml: 'a: &a [*a]', code: 'yaml-too-complex', line: 1 },
  {
    name: 'depth',
    yaml: `a: ${'['.repeat(40)}${']'.repeat(40)}`,
    code: 'yaml-too-complex',
    line: 1,
  },
  { name: 'great depth', yaml: '['.repeat(60_000), code: 'yaml-too-complex', line: 1 },
  { name: 'depth by dashes', yaml: '- '.repeat(30_000), code: 'yaml-too-complex', line: 1 },
  {
    name: 'very many values',
    yaml: `a: [${'x,'.repeat(20_000)}]`,
    code: 'yaml-too-complex',
    line: 1,
  },
  { name: 'a reference to nothing', yaml: 'a: *nope', code: 'yaml-invalid', line: 1 },
  { name: 'a list as a key', yaml: '? [x]\n: y', code: 'yaml-invalid', line: 1 },
  { name: 'an open quote', yaml: 'a: 1\nb: "x', code: 'yaml-invalid', line: 2 },
])('$name is refused with its line', ({ yaml, code, line }) => {
  expect(parseYaml(yaml)).toMatchObject({ ok: false, problems: [{ code, place: { line } }] })
})

test('lines count from the first line of the text in its file', () => {
  expect(parseYaml('a: 1\na: 2', 2)).toMatchObject({
    problems: [{ message: 'The key "a" occurs twice.', place: { line: 3, column: 1 } }],
  })
})

function plain(outcome: YamlOutcome): unknown {
  return outcome.ok && outcome.root ? value(outcome.root) : outcome
}

function value(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.text
    case 'list':
      return node.items.map(value)
    case 'map':
      return Object.fromEntries([...node.entries].map(([key, entry]) => [key, value(entry.node)]))
  }
}
