import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { exposurePage } from './figures/exposure-page.ts'
import { FIGURES_SECTIONS, figuresPage } from './figures-page.ts'
import { PROJECT } from './run-command.ts'

/**
 * `npm run figures`: write docs/figures.md from the results of the last benches, and quote them where
 * other pages do.
 */
const results = (name: string): unknown =>
  JSON.parse(readFileSync(join(PROJECT, 'bench', 'results', `${name}.json`), 'utf8'))
const page = await format(figuresPage(results), { parser: 'markdown' })
writeFileSync(join(PROJECT, 'docs', 'figures.md'), page)
const exposure = join(PROJECT, 'docs', 'exposure.md')
const quoted = exposurePage(readFileSync(exposure, 'utf8'), results('exposure'))
writeFileSync(
  exposure,
  await format(quoted, { ...(await resolveConfig(exposure)), filepath: exposure }),
)
console.log(`docs/figures.md: ${FIGURES_SECTIONS.map(({ name }) => name).join(', ')}`)
