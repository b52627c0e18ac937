import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { figuresPage, type BenchRun } from './figures-page.ts'
import { PROJECT } from './run-command.ts'
import type { TerminalRun } from './terminal-figures.ts'

/** `npm run figures`: write docs/figures.md from the results of the last benches. */
const results = (name: string): unknown =>
  JSON.parse(readFileSync(join(PROJECT, 'bench', 'results', name), 'utf8'))
const core = results('core.json') as BenchRun
const terminal = results('terminal.json') as TerminalRun
const page = await format(figuresPage(core, terminal), { parser: 'markdown' })
writeFileSync(join(PROJECT, 'docs', 'figures.md'), page)
for (const { date, figures } of [core, terminal]) {
  console.log(`docs/figures.md: ${figures.length} figures of ${date}`)
}
