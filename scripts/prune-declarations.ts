import { globSync, readFileSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { PROJECT } from './run-command.ts'

/**
 * `node scripts/prune-declarations.ts`: deletes the declarations in `dist` that no entry leads to. The compiler writes one
 * for each source, and those of the command and the playground are of no use to anybody.
 */
const dist = join(PROJECT, 'dist')

const all = globSync('**/*.d.ts', { cwd: dist }).map((path) => path.replaceAll('\\', '/'))

const reached = new Set(all.filter((path) => path.startsWith('entries/')))

for (const path of reached) {
  const text = readFileSync(join(dist, path), 'utf8')
  for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
    reached.add(posix.join(path, '..', target).replace(/\.[jt]sx?$/, '.d.ts'))
  }
}

for (const path of all) if (!reached.has(path)) rmSync(join(dist, path))

const missing = [...reached].filter((path) => !all.includes(path))

for (const path of missing) console.error(`dist/${path} is missing: a declaration imports it.`)

if (reached.size === 0 || missing.length > 0) process.exitCode = 1
