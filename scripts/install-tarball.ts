import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outsideEnvironment, runCommand } from './run-command.ts'
import type { PackageManifest } from './manifest.ts'

/** Optional peers that a subpath cannot be imported without. */
const NEEDED = ['ai', '@ai-sdk/provider', 'ink', 'pg', 'react']

/**
 * Install a tarball in a new project, as a user would who uses each of its subpaths.
 *
 * @returns the folder of the new project, below `folder`
 */
export function installTarball(
  folder: string,
  tarball: string,
  { devDependencies }: PackageManifest,
): string {
  const user = join(folder, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }\n')
  const peers = NEEDED.map((name) => `${name}@${devDependencies[name]}`)
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...peers]
  const { passed, output } = runCommand('npm', args, { cwd: user, env: outsideEnvironment() })
  if (!passed) throw new Error(`npm install of the tarball failed:\n${output}`)
  return user
}
