import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { skillsTable } from '../../scripts/figures/skills-table.ts'
import {
  agentsPage,
  carnetPage,
  conformancePage,
  exposurePage,
  FIGURES_SECTIONS,
  figuresPage,
  scriptsPage,
  skillsPage,
  trustPage,
  wiresPage,
} from '../../scripts/figures-page.ts'

const table = await skillsTable()

const project = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')
const results = (name: string): unknown => JSON.parse(read(`bench/results/${name}.json`))

test('the page of figures says what the benches measured', async () => {
  const page = await format(figuresPage(results), { parser: 'markdown' })
  expect(read('docs/figures.md')).toBe(page)
})

test.each([
  { name: 'exposure.md', quoted: (page: string) => exposurePage(page, results('exposure')) },
  { name: 'trust.md', quoted: (page: string) => trustPage(page, results('torture')) },
  {
    name: 'you-already-have-an-agent.md',
    quoted: (page: string) => agentsPage(page, results('agents')),
  },
  {
    name: 'migrating-from-carnet.md',
    quoted: (page: string) => carnetPage(page, results('carnet-suites')),
  },
  { name: 'mcp.md', quoted: (page: string) => conformancePage(page, results('conformance')) },
  { name: 'skills-you-have.md', quoted: (page: string) => skillsPage(page, table) },
  { name: 'scripts.md', quoted: (page: string) => scriptsPage(page, results('escapes')) },
  { name: 'wires.md', quoted: (page: string) => wiresPage(page, results('wires')) },
])('$name quotes the current facts and figures', async ({ name, quoted }) => {
  const filepath = join(project, 'docs', name)
  const page = read(join('docs', name))
  expect(page).toBe(await format(quoted(page), { ...(await resolveConfig(filepath)), filepath }))
  expect(() => quoted('nothing')).toThrow('No place is marked with <!-- figures:')
})

test.each(FIGURES_SECTIONS)(
  'the section of $name has a heading, figures in a table, and a bench of that name',
  (section) => {
    const text = section.write(results(section.name))
    expect(text).toMatch(/^## /)
    expect(existsSync(join(project, 'bench', `${section.name}.ts`))).toBe(true)
    expect(text).toMatch(/^\|.*\d/m)
  },
)
