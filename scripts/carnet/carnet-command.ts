import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

// The command `carnet`, for its tests: gives each order to `loadout` as the table of commands in
// docs/migrating-from-carnet.md says.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, output: { type: 'string' }, help: { type: 'boolean' } },
})

const [command, ...names] = positionals

const folder = values.dir ?? '.'

if (command === 'build') build(values.output ?? folder)
else process.exitCode = loadout(wordsFor(command))

function wordsFor(order: string | undefined): readonly string[] {
  switch (order) {
    case undefined:
      return values.help === true ? ['--help'] : []
    case 'list':
    case 'ls':
      return ['list', folder, '--tree', ...names.flatMap((name) => ['--agent', name])]
    case 'lint':
      return ['lint', folder]
    case 'show':
      return ['show', ...names, folder, '--json']
    case 'init':
      return ['init', ...(names.length > 0 ? names : [folder])]
    default:
      return [order, ...names]
  }
}

/** Carnet writes over the manifest that is there; Loadout over nothing. */
function build(out: string): void {
  const made = mkdtempSync(join(tmpdir(), 'loadout-carnet-'))
  process.exitCode = loadout(['export', 'carnet', join(made, 'out'), folder, '--manifest'])
  if (process.exitCode === 0) {
    mkdirSync(out, { recursive: true })
    renameSync(join(made, 'out', 'carnet.manifest.json'), join(out, 'carnet.manifest.json'))
  }
  rmSync(made, { recursive: true })
}

function loadout(words: readonly string[]): number {
  const bin = join(import.meta.dirname, '..', '..', 'bin', 'loadout.js')
  return spawnSync(process.execPath, [bin, ...words], { stdio: 'inherit' }).status ?? 1
}
