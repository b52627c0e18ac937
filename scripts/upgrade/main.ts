import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RENAMED } from './renamed.ts'
import { rewriteSource } from './rewrite-source.ts'

const USAGE = `Usage: node node_modules/loadout/dist/upgrade.js [--dry-run] <folder or file...>

Replaces the names that changed in Loadout, in TypeScript and JavaScript. --dry-run writes nothing.`

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

const { paths, isDry } = readArguments()

const counts = { read: 0, changed: 0, replaced: 0, questions: 0 }

for (const path of paths.flatMap(sourcesIn)) upgrade(path)

console.log(
  `${counts.read} files read, ${counts.changed} ${isDry ? 'to change' : 'changed'}, ` +
    `${counts.replaced} names replaced, ${counts.questions} places to look at`,
)

function readArguments(): { readonly paths: readonly string[]; readonly isDry: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean', default: false } },
    })
    if (positionals.length === 0) throw new Error('Name the folders with your sources.')
    for (const path of positionals) statSync(path)
    return { paths: positionals, isDry: values['dry-run'] }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(2)
  }
}

/** Returns the sources of a folder. Links, hidden folders and installed packages are left out. */
function sourcesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return []
    const inner = join(path, entry.name)
    if (entry.isDirectory()) return sourcesIn(inner)
    return entry.isFile() && SOURCE.test(entry.name) ? [inner] : []
  })
}

function upgrade(path: string): void {
  const bytes = readFileSync(path)
  const source = bytes.toString('utf8')
  counts.read += 1
  // Anything but UTF-8 would be damaged.
  if (!Buffer.from(source).equals(bytes)) return
  const { text, changes, questions } = rewriteSource(source, RENAMED)
  for (const change of changes) console.log(`${path}:${change.line} ${change.text}`)
  for (const question of questions) console.log(`${path}:${question.line} look: ${question.text}`)
  counts.replaced += changes.length
  counts.questions += questions.length
  if (text === source) return
  counts.changed += 1
  if (!isDry) writeFileSync(path, text)
}
