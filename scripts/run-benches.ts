import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { FIGURES_SECTIONS } from './figures-page.ts'
import { PROJECT } from './run-command.ts'

/**
 * `npm run bench:figures`: runs the bench of every section of docs/figures.md, one after the other, and then writes the
 * page. Ends at the first bench that fails; the page is unchanged then. Takes long, and needs a machine with nothing
 * else to do.
 */
const programs = [
  ...FIGURES_SECTIONS.map(({ name }) => ['--expose-gc', join('bench', `${name}.ts`)]),
  [join('scripts', 'write-figures.ts')],
]

for (const words of programs) {
  console.log(`node ${words.join(' ')}`)
  const { status } = spawnSync(process.execPath, words, { cwd: PROJECT, stdio: 'inherit' })
  if (status === 0) continue
  process.exitCode = 1
  break
}
