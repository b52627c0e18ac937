import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installListed } from '../../tests/packed/install-listed.ts'
import { PROJECT } from '../run-command.ts'

/** A project of a user with the engines, the packed Loadout and the examples. */
export interface EngineProject {
  readonly folder: string
  /** The program of a worker. */
  readonly worker: string
  [Symbol.dispose](): void
}

/**
 * Makes a project.
 *
 * @param packages the folder in which the packed package is installed, without the packages that the engines have, too
 */
export function engineProject(packages: string): EngineProject {
  const folder = mkdtempSync(join(installListed('engines'), 'project-'))
  const copy = (from: string, to: string) => cpSync(from, join(folder, to), { recursive: true })
  // No links: the package has to find what the engines use above it.
  copy(join(packages, 'node_modules'), 'node_modules')
  copy(join(PROJECT, 'examples', 'engines'), 'examples/engines')
  for (const name of ['messages.ts', 'worker.ts']) {
    copy(join(PROJECT, 'scripts', 'engines', name), `scripts/engines/${name}`)
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  return {
    folder,
    worker: join(folder, 'scripts', 'engines', 'worker.ts'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
