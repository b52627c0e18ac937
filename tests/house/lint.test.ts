import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = join(import.meta.dirname, '..', '..')
/** The one file of src that may have 450 lines of code. */
const FACADE = 'src/workspace/virtual-workspace.ts'
const LONG = linesOfCode(301)

function linesOfCode(count: number): string {
  return Array.from({ length: count }, (_, index) => `export const n${index} = ${index}`).join('\n')
}

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loadout-lint-'))
  copyFileSync(join(project, '.oxlintrc.json'), join(root, '.oxlintrc.json'))
})

afterEach(() => rmSync(root, { recursive: true }))

/** The rules that a file breaks under the configuration of this project. */
function lint(path: string, text: string): readonly string[] {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `${text}\n`)
  const { stdout } = spawnSync(join(project, 'node_modules', '.bin', 'oxlint'), ['-f', 'json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const { diagnostics, number_of_files: checked } = JSON.parse(stdout)
  expect(checked).toBe(1)
  return diagnostics.map(({ code }: { code: string }) => code)
}

test.each([
  { path: 'src/kernel/a.ts', text: 'export default 1', rule: 'import(no-default-export)' },
  { path: 'src/workspace/a.ts', text: 'console.log(1)', rule: 'eslint(no-console)' },
  { path: 'src/kernel/a.ts', text: 'export const a: any = 1', rule: 'typescript(no-explicit-any)' },
  { path: 'src/kernel/a.ts', text: '// TODO: later', rule: 'eslint(no-warning-comments)' },
  { path: 'src/kernel/aB.ts', text: 'export const a = 1', rule: 'unicorn(filename-case)' },
  { path: 'src/kernel/a.ts', text: LONG, rule: 'eslint(max-lines)' },
  { path: FACADE, text: linesOfCode(451), rule: 'eslint(max-lines)' },
  {
    path: 'src/kernel/a.ts',
    text: 'export const a = (b?: string) => b!.length',
    rule: 'typescript(no-non-null-assertion)',
  },
  {
    path: 'src/kernel/a.ts',
    text: "import { A } from './a.ts'\nexport const a: A = 1",
    rule: 'typescript(consistent-type-imports)',
  },
  {
    path: 'tests/a.test.ts',
    text: "test.only('a', () => expect(1).toBe(1))",
    rule: 'vitest(no-focused-tests)',
  },
])('$rule is reported in $path', ({ path, text, rule }) => {
  expect(lint(path, text)).toContain(rule)
})

test.each([
  { path: 'src/workbench/cli/a.ts', text: 'console.log(1)' },
  { path: 'vitest.config.ts', text: 'export default 1' },
  { path: 'tests/a.test.ts', text: LONG },
  { path: FACADE, text: linesOfCode(450) },
  {
    path: 'src/kernel/a.ts',
    text: `${linesOfCode(300)}\n\n// A line that does not count.\n/** Nor this one,\n * nor this. */`,
  },
])('$path with text that only other files may not have passes', ({ path, text }) => {
  expect(lint(path, text)).toEqual([])
})
