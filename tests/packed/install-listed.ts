import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outsideEnvironment, PROJECT, runCommand } from '../../scripts/run-command.ts'

/**
 * Installs the packages that a folder of `scripts` lists, in a folder of `.fetched`, and returns it. For their size they
 * are not dependencies of the project.
 *
 * @param name the name of the folder
 */
export function installListed(name: 'engines' | 'frameworks' | 'matrix' | 'runtimes'): string {
  const listed = join(PROJECT, 'scripts', name)
  const folder = join(PROJECT, '.fetched', name)
  const lock = readFileSync(join(listed, 'package-lock.json'), 'utf8')
  const installed = join(folder, 'node_modules', '.installed-lock.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return folder
  cpSync(listed, folder, { recursive: true })
  const { passed, output } = runCommand('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: outsideEnvironment(),
  })
  if (!passed) throw new Error(`npm ci of the ${name} failed:\n${output}`)
  writeFileSync(installed, lock)
  return folder
}
