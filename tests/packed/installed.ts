import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { outsideEnvironment, runCommand } from '../../scripts/run-command.ts'
import { readManifest } from '../../scripts/try-package.ts'
import { type Tree, writeTree } from '../project/temporary-folder.ts'

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
  const packages = installOnce([...peers].toSorted())
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

/** Returns a folder that has the package and these peers; projects are folders in it. One for all tests of a run. */
function installOnce(peers: readonly string[]): string {
  const tarball = inject('tarball')
  const folder = join(dirname(tarball), ['with', ...peers].join('+').replaceAll('/', '-'))
  if (existsSync(folder)) return folder
  const { dependencies, devDependencies } = readManifest()
  const versions = peers.map((name) => `${name}@${dependencies[name] ?? devDependencies[name]}`)
  const fresh = mkdtempSync(join(dirname(tarball), 'installing-'))
  writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  const { passed, output } = runCommand('npm', ['install', ...options, tarball, ...versions], {
    cwd: fresh,
    env: outsideEnvironment(),
  })
  if (!passed) throw new Error(`npm install of the tarball failed:\n${output}`)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another test process was first.
    if (!existsSync(folder)) throw error
    rmSync(fresh, { recursive: true })
  }
  return folder
}
