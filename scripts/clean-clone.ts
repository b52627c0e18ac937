import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { outsideEnvironment, PROJECT } from './run-command.ts'

/**
 * Clones HEAD into an empty folder and runs the README's set-up commands there, as a new user would: with the
 * Node of the machine, and without a terminal.
 */
using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-clone-'))
const clone = join(folder.path, 'loadout')
run(`git clone --quiet '${PROJECT}' '${clone}'`, folder.path)
const commands = readFileSync(join(clone, 'README.md'), 'utf8').match(/^npm ci && .+$/gm) ?? []
if (commands.length !== 2) {
  throw new Error(`The README has ${commands.length} lines that begin with "npm ci &&", not two.`)
}
for (const command of commands) {
  const start = performance.now()
  run(command, clone)
  console.log(`\n"${command}" took ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

function run(command: string, cwd: string): void {
  const path = process.env['PATH']?.split(delimiter).filter((part) => !part.startsWith(PROJECT))
  const { status } = spawnSync(command, {
    cwd,
    env: { ...outsideEnvironment(), PATH: path?.join(delimiter) },
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`"${command}" ended with ${status}.`)
}
