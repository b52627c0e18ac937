import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { exposurePage } from '../../scripts/figures/exposure-page.ts'
import { FIGURES_SECTIONS, figuresPage } from '../../scripts/figures-page.ts'

const project = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')
const results = (name: string): unknown => JSON.parse(read(`bench/results/${name}.json`))

test('the page of figures says what the benches measured', async () => {
  const page = await format(figuresPage(results), { parser: 'markdown' })
  expect(read('docs/figures.md')).toBe(page)
})

test('the page of exposure quotes facts and figures as they are', async () => {
  const page = read('docs/exposure.md')
  const filepath = join(project, 'docs/exposure.md')
  const quoted = exposurePage(page, results('exposure'))
  expect(page).toBe(await format(quoted, { ...(await resolveConfig(filepath)), filepath }))
  expect(() => exposurePage('nothing', results('exposure'))).toThrow('<!-- figures: providers -->')
})

test.each(FIGURES_SECTIONS)(
  'the section of $name has a heading and figures in a table',
  (section) => {
    const text = section.write(results(section.name))
    expect(text).toMatch(/^## /)
    expect(text).toMatch(/^\|.*\d/m)
  },
)
