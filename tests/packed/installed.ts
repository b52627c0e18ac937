import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { copyInstalled } from '../../scripts/copy-installed.ts'
import { type ProgramEnd, runProgram } from '../../scripts/run-command.ts'
import { installListed } from './install-listed.ts'
import { type Tree, writeTree } from '../workbench/project/temporary-folder.ts'

/** A project of a user in which the packed package is installed. */
export interface Installed {
  /** The folder of the project. It is also its home. */
  readonly folder: string
  /** The program of the command `loadout`. */
  readonly bin: string
  /** Runs Node with these arguments in the folder, to its end. */
  readonly node: (...args: readonly string[]) => Promise<ProgramEnd>
  /** Runs another program with these arguments in the folder, to its end. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<ProgramEnd>
}

/**
 * Returns a new folder with files, in which the packed package is installed.
 *
 * @param peers the packages that a page documents for the entry under test, such as `ink`, in the versions that this
 *   project is developed with. Nothing else is installed, so an import of anything else fails.
 */
export async function installed(peers: readonly string[], tree: Tree = {}): Promise<Installed> {
  const packages = packagesWith(peers)
  return projectIn(packages, packages, tree)
}

/**
 * Returns a new folder with files, in which the packed package is installed beside the frameworks of
 * `scripts/frameworks`, which have their own versions of what both need.
 */
export async function besideFrameworks(tree: Tree): Promise<Installed> {
  const packages = packagesWith([])
  const project = await projectIn(installListed('frameworks'), packages, tree)
  // No links: the package has to find the frameworks above it.
  await cp(join(packages, 'node_modules'), join(project.folder, 'node_modules'), {
    recursive: true,
  })
  return project
}

/**
 * Returns a new folder with files, in which the packed package is installed beside packages of `scripts/matrix`. Programs
 * run with `--preserve-symlinks`: what is installed there are links.
 *
 * @param versions the names in `scripts/matrix/package.json`, by the names that the package has
 */
export async function besideVersions(
  versions: Readonly<Record<string, string>>,
  tree: Tree,
): Promise<Installed> {
  const packages = packagesWith([])
  const listed = installListed('matrix')
  const project = await projectIn(listed, packages, tree)
  const links = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      name,
      join(listed, 'node_modules', version),
    ]),
  )
  // Its dependencies are within, so that none is in the way of another version.
  const own = { 'loadout/node_modules': join(packages, 'node_modules') }
  for (const part of ['dist', 'package.json']) {
    Object.assign(own, { [`loadout/${part}`]: join(packages, 'node_modules/loadout', part) })
  }
  for (const [name, target] of Object.entries({ ...own, ...links })) {
    const link = join(project.folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(target, link, 'junction')
  }
  return project
}

/** Returns a folder in which the packed package is installed with these peers and nothing else. */
function packagesWith(peers: readonly string[]): string {
  const name = ['only', ...peers.toSorted()].join(' ').replaceAll(/[^a-z]+/g, '-')
  const packages = join(dirname(inject('packages')), name)
  copyInstalled(inject('packages'), packages, ['loadout', ...peers])
  return packages
}

async function projectIn(above: string, packages: string, tree: Tree): Promise<Installed> {
  const folder = await mkdtemp(join(above, 'project-'))
  await writeTree(folder, { 'package.json': '{ "private": true, "type": "module" }\n', ...tree })
  const run = (program: string, ...args: readonly string[]) =>
    runProgram(program, args, { cwd: folder, env: homeAt(folder) })
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
