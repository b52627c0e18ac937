import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outsideEnvironment, runCommand } from '../run-command.ts'

/**
 * Install a tarball in a new project, as a user would.
 *
 * @returns the folder of the new project, below `folder`
 */
export function installTarball(folder: string, tarball: string): string {
  const user = join(folder, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }\n')
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball]
  const { passed, output } = runCommand('npm', args, { cwd: user, env: outsideEnvironment() })
  if (!passed) throw new Error(`npm install of the tarball failed:\n${output}`)
  return user
}
