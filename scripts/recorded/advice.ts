import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packProject } from '../try-package.ts'
import { adviceIn } from './advice-in.ts'
import { openInstalled } from './open-installed.ts'
import { namedCommands } from './record-commands.ts'
import { commandGroups } from './recorded-units.ts'

/**
 * `npm run advice`: runs the recorded commands again, and each command that their answers advise, in the
 * project at that moment. Advice that is wrong usage is a fault.
 */
using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-advice-'))
using installed = openInstalled(packProject(folder.path).tarball)
const named = new Set((await namedCommands(installed)).map((name) => name.split(' ')[0] ?? ''))

const counts = new Map<number, number>()
const faults: string[] = []
for (const { title, copies, lines, file } of commandGroups()) {
  // A database is started for these.
  if (lines.some((line) => line.includes('postgres:'))) continue
  using run = installed.startRun(title)
  for (const [from, to] of copies) run.copy(from, to)
  const tried = new Set<string>()
  for (const line of lines) {
    const { stdout, stderr } = await run.shell(line)
    const said = `${stdout}\n${stderr}`.replaceAll('\\"', '"')
    for (const words of adviceIn(said, named)) {
      const advised = `loadout ${words.map(shellWord).join(' ')}`
      // A placeholder, or a server that waits for requests.
      if (
        words.some((word) => word === 'x' || word.startsWith('[')) ||
        words[1] === 'serve' ||
        tried.has(advised)
      )
        continue
      tried.add(advised)
      const { code: ended, stderr: problem } = await run.shellAside(inShell(advised))
      const code = ended ?? 143
      counts.set(code, (counts.get(code) ?? 0) + 1)
      if (code === 2 || code > 100) {
        faults.push(`${file} [${title}] ${line}\n  advises: ${advised}\n  exit ${code}: ${problem}`)
      } else if (code !== 0)
        console.log(`exit ${code} ${advised} (${line}): ${problem.split('\n')[0]}`)
    }
  }
}
for (const fault of faults) console.log(fault)
const ends = [...counts].map(([code, count]) => `${count} with exit code ${code}`).join(', ')
console.log(`${ends}; ${faults.length} faults`)
process.exitCode = faults.length === 0 && counts.size > 0 ? 0 : 1

/** Trust is given by a person at a terminal, who is asked. */
function inShell(advised: string): string {
  return advised.startsWith('loadout trust ')
    ? `yes n | timeout 60 script -qec "${advised}" /dev/null`
    : `timeout 60 ${advised} < /dev/null`
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
