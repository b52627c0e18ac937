import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { figuresPage, type BenchRun } from './figures-page.ts'
import { PROJECT } from './run-command.ts'

/** `npm run figures`: write docs/figures.md from the results of the last bench. */
const results = join(PROJECT, 'bench', 'results', 'core.json')
const run = JSON.parse(readFileSync(results, 'utf8')) as BenchRun
const page = await format(figuresPage(run), { parser: 'markdown' })
writeFileSync(join(PROJECT, 'docs', 'figures.md'), page)
console.log(`docs/figures.md: ${run.figures.length} figures of ${run.date}`)
