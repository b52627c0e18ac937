import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { figuresPage, type BenchRun } from '../../scripts/figures-page.ts'

const project = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')

test('the page of figures says what the bench measured', async () => {
  const run = JSON.parse(read('bench/results/core.json')) as BenchRun
  expect(run.figures.length).toBeGreaterThan(0)
  expect(read('docs/figures.md')).toBe(await format(figuresPage(run), { parser: 'markdown' }))
})
