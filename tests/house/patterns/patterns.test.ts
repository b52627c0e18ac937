import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { PROJECT, projectFiles } from '../../../scripts/run-command.ts'
import { walkTree } from '../../../scripts/rooms/read-module.ts'
import { hostileTextsFor } from './hostile-texts-for.ts'
import { patternSteps } from './pattern-steps.ts'
import { patternTree } from './pattern-tree.ts'

const LENGTH = 512
/**
 * The most pieces for each character that a careful pattern examines here; a careless one examines hundreds.
 */
const STEPS_PER_CHARACTER = 40

/** Patterns that do go back, and the reason why it stays short. */
const HARMLESS: ReadonlyMap<string, string> = new Map([
  ['/\\B(?=(?:\\d{3})+$)/gu', 'the digits of a number'],
])

interface WrittenPattern {
  readonly source: string
  readonly flags: string
  readonly file: string
}

const written = new Map<string, WrittenPattern>()
const madeAtRunTime = new Set<string>()
for (const file of projectFiles(PROJECT).filter((one) => /^src\/.*\.tsx?$/.test(one))) {
  const { program } = parseSync(file, readFileSync(join(PROJECT, file), 'utf8'))
  for (const { node } of walkTree(program)) {
    if (node.type === 'Literal' && 'regex' in node) {
      const { pattern: source, flags } = node.regex
      written.set(`/${source}/${flags}`, { source, flags, file })
    }
    const isMade = node.type === 'NewExpression' || node.type === 'CallExpression'
    if (isMade && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') {
      madeAtRunTime.add(file)
    }
  }
}

/** Returns the beginning of a text on which a pattern takes more steps than a linear one would, or null. */
function slowOn(source: string, flags: string): string | null {
  const tree = patternTree(source)
  const slow = hostileTextsFor(tree, flags).find((make) => {
    const text = make(LENGTH)
    const most = STEPS_PER_CHARACTER * text.length
    return patternSteps(tree, flags, text, most) >= most
  })
  return slow === undefined ? null : slow(8)
}

test.each([
  ['(a+)+$', ''],
  ['^(?:[a-z]+_?)*!', ''],
  ['\\s+$', 'g'],
  ['a.*b.*c', ''],
  ['<b>.*?</b>', 'gs'],
  ['^(`{3,})(.*)$', ''],
  ['(?:\\r\\n|\\r|\\n| )*x', 'u'],
])('that /%s/%s reads the same text again is noticed', (source, flags) => {
  expect(slowOn(source, flags)).not.toBeNull()
})

test('every pattern in the sources takes steps in proportion to the length of any text', () => {
  const slow = [...written].flatMap(([pattern, { source, flags, file }]) => {
    const text = slowOn(source, flags)
    return text === null ? [] : [{ pattern, file, text }]
  })
  expect(written.size).toBeGreaterThan(150)
  expect(slow.filter(({ pattern }) => !HARMLESS.has(pattern))).toEqual([])
  expect(new Set(slow.map(({ pattern }) => pattern))).toEqual(new Set(HARMLESS.keys()))
})

test('patterns that are made at run time match one character or a literal start, or only have their syntax checked', () => {
  expect([...madeAtRunTime]).toEqual([
    'src/catalog/create/check-look-alikes.ts',
    'src/schema/interpreter/parse-pattern.ts',
    'src/search/words/words-of.ts',
    'src/workbench/project/trust/import-module.ts',
  ])
})
