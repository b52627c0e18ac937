import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { diagnosticsPage } from './diagnostics-page.ts'
import { PROJECT } from './run-command.ts'

/** `npm run docs:diagnostics`: writes docs/diagnostics.md from the table of codes. */
const filepath = join(PROJECT, 'docs', 'diagnostics.md')
const page = await format(diagnosticsPage(), { ...(await resolveConfig(filepath)), filepath })
writeFileSync(filepath, page)
console.log(
  `docs/diagnostics.md: ${page.split('\n').filter((line) => line.startsWith('| `')).length} codes`,
)
