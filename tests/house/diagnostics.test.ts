import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { diagnosticsPage, emittedCodes } from '../../scripts/diagnostics-page.ts'
import { CLIENT_RULES } from '../../src/catalog/lint/checks/client-rules.ts'
import { DIAGNOSTIC_GROUPS } from '../../src/catalog/lint/diagnostic-groups.ts'

const project = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')
const rows = DIAGNOSTIC_GROUPS.flatMap(({ codes }) => Object.keys(codes))

const sources = globSync('src/**/*.{ts,tsx}', { cwd: project }).sort()
const emitted = sources.flatMap((path) => emittedCodes(path, read(path)))

/** Returns the rows that a code stands for. A code may have `*` for a part that is known at run time. */
function rowsOf(code: string): readonly string[] {
  const pattern = new RegExp(`^${code.replaceAll('*', '[a-z-]+')}$`)
  return rows.filter((row) => pattern.test(row))
}

test('the page of diagnostics is written from the table', async () => {
  const filepath = join(project, 'docs/diagnostics.md')
  const options = { ...(await resolveConfig(filepath)), filepath }
  expect(read('docs/diagnostics.md')).toBe(await format(diagnosticsPage(), options))
})

test('a code has one row', () => {
  expect(rows).toHaveLength(new Set(rows).size)
  expect(rows.filter((row) => !/^[a-z]+(?:-[a-z0-9]+)+$/.test(row))).toEqual([])
})

test('every code that the source emits is in the table', () => {
  expect(emitted.length).toBeGreaterThan(120)
  const unknown = emitted.filter(({ code }) => code === null || rowsOf(code).length === 0)
  expect(unknown.map(({ path, line, code }) => `${path}:${line} ${code}`)).toEqual([])
})

test('every code of the table is emitted', () => {
  const found = new Set(emitted.flatMap(({ code }) => (code === null ? [] : rowsOf(code))))
  const rules = Object.keys(CLIENT_RULES)
  expect(rows.filter((row) => !found.has(row) && !rules.includes(row))).toEqual([])
})

/**
 * Codes that no test can cause: no file can make a parsed definition that cannot be defined, and a test
 * cannot use up the watches of the system.
 */
const OUT_OF_REACH = ['skill-invalid', 'watch-failed']

test('every code of the table is expected by a test', () => {
  const self = join('tests', 'house', 'diagnostics.test.ts')
  const tests = globSync('tests/**/*.test.{ts,tsx}', { cwd: project }).filter(
    (path) => path !== self,
  )
  const words = new Set(
    tests.flatMap((path) => read(path).match(/[a-z0-9]+(?:-[a-z0-9]+)+/g) ?? []),
  )
  // Tests of the reference validator's rules name them without their common prefix.
  const untold = rows.filter((row) => !words.has(row) && !words.has(row.replace(/^spec-/, '')))
  expect(untold).toEqual(OUT_OF_REACH)
})

test.each([
  ["const a = { code: 'new-one', severity: 'error', message: '', hint: '' }", 'new-one'],
  ["findings.add('error', 'new-one', '', '')", 'new-one'],
  ["findings.add(bad ? 'error' : 'info', bad ? 'new-one' : 'other-one', '')", 'new-one'],
  ["findings.add(severity, `new-${what}`, '')", 'new-*'],
  ["function f(code) { findings.add('error', `new-${code}`, '') }\nf('one')", 'new-one'],
  ["const f = (code) => ({ code, severity: 'info' })\nf('new-one')", 'new-one'],
  ["findings.add('error', codeOf(it), '')", null],
])('the code in %j is found: %j', (text, code) => {
  expect(emittedCodes('src/catalog/x.ts', text).map((one) => one.code)).toContain(code)
})
