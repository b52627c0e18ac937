import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { FIGURES_SECTIONS, figuresPage } from './figures-page.ts'
import { PROJECT } from './run-command.ts'

/** `npm run figures`: write docs/figures.md from the results of the last benches. */
const results = (name: string): unknown =>
  JSON.parse(readFileSync(join(PROJECT, 'bench', 'results', `${name}.json`), 'utf8'))
const page = await format(figuresPage(results), { parser: 'markdown' })
writeFileSync(join(PROJECT, 'docs', 'figures.md'), page)
console.log(`docs/figures.md: ${FIGURES_SECTIONS.map(({ name }) => name).join(', ')}`)
