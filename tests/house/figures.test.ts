import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { figuresPage, type BenchRun } from '../../scripts/figures-page.ts'
import type { TerminalRun } from '../../scripts/terminal-figures.ts'

const project = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')

test('the page of figures says what the benches measured', async () => {
  const core = JSON.parse(read('bench/results/core.json')) as BenchRun
  const terminal = JSON.parse(read('bench/results/terminal.json')) as TerminalRun
  expect(core.figures.length).toBeGreaterThan(0)
  expect(terminal.figures.length).toBeGreaterThan(0)
  const page = await format(figuresPage(core, terminal), { parser: 'markdown' })
  expect(read('docs/figures.md')).toBe(page)
})
