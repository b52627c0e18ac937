import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
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
} from './figures-page.ts'
import { skillsTable } from './figures/skills-table.ts'
import { PROJECT } from './run-command.ts'

/**
 * `npm run figures`: writes docs/figures.md from the results of the last benches, and copies them into the
 * other pages that quote them.
 */
const results = (name: string): unknown =>
  JSON.parse(readFileSync(join(PROJECT, 'bench', 'results', `${name}.json`), 'utf8'))

const page = await format(figuresPage(results), { parser: 'markdown' })

writeFileSync(join(PROJECT, 'docs', 'figures.md'), page)

await quoteIn('exposure.md', (text) => exposurePage(text, results('exposure')))

await quoteIn('trust.md', (text) => trustPage(text, results('torture')))

await quoteIn('you-already-have-an-agent.md', (text) => agentsPage(text, results('agents')))

await quoteIn('migrating-from-carnet.md', (text) => carnetPage(text, results('carnet-suites')))

await quoteIn('mcp.md', (text) => conformancePage(text, results('conformance')))

const table = await skillsTable()

await quoteIn('skills-you-have.md', (text) => skillsPage(text, table))

await quoteIn('scripts.md', (text) => scriptsPage(text, results('escapes')))

await quoteIn('wires.md', (text) => wiresPage(text, results('wires')))

console.log(`docs/figures.md: ${FIGURES_SECTIONS.map(({ name }) => name).join(', ')}`)

async function quoteIn(name: string, quoted: (text: string) => string): Promise<void> {
  const filepath = join(PROJECT, 'docs', name)
  const text = quoted(readFileSync(filepath, 'utf8'))
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }))
}
