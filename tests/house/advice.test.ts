import type { Command } from 'commander'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSync, Visitor } from 'oxc-parser'
import { adviceIn } from '../../scripts/recorded/advice-in.ts'
import { buildProgram } from '../../src/workbench/cli/build-program.ts'
import { processContext } from '../../src/workbench/cli/shell/process-context.ts'

/**
 * Advice that names a command, in the texts of the source and in the pages: each parses, with its options and as many
 * words as the command takes.
 */

const program = buildProgram({ ...processContext(false), onEnd: () => {} }, () => {})

/** The texts of a source: literals, and templates with `x` for what is put in. */
function textsIn(file: string): readonly string[] {
  const texts: string[] = []
  const visitor = new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateLiteral: ({ quasis }) => {
      texts.push(quasis.map(({ value: { cooked, raw } }) => cooked ?? raw).join('x'))
    },
  })
  visitor.visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return texts
}

/** Texts in a page: code, in blocks and in lines. */
function codeIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/```(?:sh|bash|console)\n([^]*?)```|`([^`\n]+)`/g)].flatMap(
    ([, block, line = '']) => (block === undefined ? [line] : block.split('\n')),
  )
}

/** The lines of recorded answers, without the commands that they answer. */
function linesIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"')
    .split('\n')
    .filter((line) => !line.startsWith('=== ') && !line.includes('Usage: '))
}

/** What is wrong with a command line; null for nothing. */
function faultOf(words: readonly string[]): string | null {
  let command: Command = program
  let rest = words
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0])
    if (next === undefined) break
    command = next
    rest = rest.slice(1)
  }
  if (command === program) return words[0] === 'x' ? null : `${words[0]} is no command`
  let operands = 0
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (word === '--') return null
    if (!word.startsWith('-') || word === '-') {
      operands += 1
      continue
    }
    const name = word.split('=')[0]
    const option = command.options.find(({ long, short }) => long === name || short === name)
    if (option === undefined && name !== '--help') return `${command.name()} has no option ${name}`
    if (option?.required === true && !word.includes('=')) at += 1
  }
  const { registeredArguments: taken } = command
  const most = taken.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : taken.length
  return operands > most ? `${command.name()} takes ${most} words, not ${operands}` : null
}

const names = new Set(program.commands.map((one) => one.name()))

const sources = globSync('src/**/*.{ts,tsx}')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]

test.each([
  ['sources', sources, textsIn, 150],
  ['pages', pages, codeIn, 200],
  ['recorded answers', globSync('tests/recorded/records/*.txt'), linesIn, 100],
])('advice in %s parses', (_name, files, read, least) => {
  const found = files.flatMap((file) =>
    read(file).flatMap((text) => adviceIn(text, names).map((words) => ({ file, words }))),
  )
  expect(found.length).toBeGreaterThan(least)
  const faults = found.flatMap(({ file, words }) => {
    const fault = faultOf(words)
    return fault === null ? [] : [`${file}: ${words.join(' ')}: ${fault}`]
  })
  expect(faults).toEqual([])
})
