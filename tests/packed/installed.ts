import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { installTarball } from '../../scripts/try-package.ts'
import { type Tree, writeTree } from '../workbench/project/temporary-folder.ts'

/** A project of a user in which the packed package is installed. */
export interface Installed {
  /** The folder of the project. It is also its home. */
  readonly folder: string
  /** The program of the command `loadout`. */
  readonly bin: string
  /** Runs Node with these arguments in the folder, to its end. */
  readonly node: (...args: readonly string[]) => Promise<Ended>
  /** Runs another program with these arguments in the folder, to its end. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<Ended>
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Returns a new folder with files, in which the packed package is installed.
 *
 * @param peers the packages that a page documents for the entry under test, such as `ink`, in the versions that this
 *   project is developed with. Nothing else is installed, so an import of anything else fails.
 */
export async function installed(peers: readonly string[], tree: Tree = {}): Promise<Installed> {
  const packages = installTarball(inject('tarball'), peers)
  const folder = await mkdtemp(join(packages, 'project-'))
  await writeTree(folder, { 'package.json': '{ "private": true, "type": "module" }\n', ...tree })
  const run = async (program: string, ...args: readonly string[]) => {
    const child = spawn(program, args, { cwd: folder, env: homeAt(folder) })
    child.stdin.end()
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { code, stdout, stderr }
  }
  return {
    folder,
    bin: join(packages, 'node_modules/loadout/bin/loadout.js'),
    node: (...args) => run(process.execPath, ...args),
    run,
  }
}

/** Returns the environment of a user who has nothing but a home. */
export function homeAt(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: join(folder, '.config') }
}
