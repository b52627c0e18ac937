import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ProgramEnd, PROJECT, runProgram } from '../run-command.ts'
import { ALL_PEERS, installTarball, readManifest } from '../try-package.ts'
import { normalise } from './normalise.ts'

/** Variables of the environment in which everything is recorded; there are no others. */
export type Environment = Readonly<Record<string, string>>

const ENVIRONMENT: Environment = {
  COLUMNS: '100',
  LANG: 'C.UTF-8',
  LINES: '30',
  NO_COLOR: '1',
  TZ: 'UTC',
}

/** The installed package, in which programs and commands are run. */
export interface InstalledPackage extends Disposable {
  /**
   * Makes a folder of its own with a project and a home. Dispose of it when it is not needed any more.
   *
   * @param name the same one whenever the same is recorded, and no other's: hashes and tokens of prompts, which name
   *   folders, and the keys of projects depend on it
   */
  readonly startRun: (name: string, more?: Environment) => Run
}

/** A project and a home of its own. */
export interface Run extends Disposable {
  readonly project: string
  /** Copies a file or a folder of the repository into the project. */
  readonly copy: (from: string, to: string) => void
  /** Runs a line of a shell in the project. */
  readonly shell: (line: string) => Promise<ProgramEnd>
  /** Runs a line of a shell in the project, and then puts the project and its home back. */
  readonly shellAside: (line: string) => Promise<ProgramEnd>
  /** Normalises what the run printed or wrote. */
  readonly normalise: (text: string) => string
}

/**
 * Installs a packed package for what is recorded. One process at a time records on a machine.
 *
 * @param more variables that replace those of the environment, such as another `TZ`
 */
export function openInstalled(tarball: string, more: Environment = {}): InstalledPackage {
  const packages = installTarball(tarball, ALL_PEERS)
  const { version } = readManifest()
  const lock = takeRuns()
  const startRun = (name: string, own: Environment = {}): Run => {
    const run = join(RUNS, name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-'))
    rmSync(run, { recursive: true, force: true })
    const [project, home] = [join(run, 'project'), join(run, 'home')]
    for (const folder of [project, home]) mkdirSync(folder, { recursive: true })
    symlinkSync(join(packages, 'node_modules'), join(run, 'node_modules'))
    const bins = join(packages, 'node_modules', '.bin')
    const env = {
      ...ENVIRONMENT,
      ...more,
      ...own,
      HOME: home,
      PATH: [bins, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    }
    const shell = (line: string) => runProgram('/bin/sh', ['-c', line], { cwd: project, env })
    return {
      project,
      copy: (from, to) => {
        mkdirSync(dirname(join(project, to)), { recursive: true })
        // A folder of packages is of this checkout, not of the project.
        const filter = (path: string) => basename(path) !== 'node_modules'
        cpSync(join(PROJECT, from), join(project, to), { recursive: true, filter })
      },
      shell,
      shellAside: async (line) => {
        const kept = `${run}-kept`
        cpSync(run, kept, { recursive: true, verbatimSymlinks: true })
        try {
          return await shell(line)
        } finally {
          rmSync(run, { recursive: true, force: true })
          renameSync(kept, run)
        }
      },
      normalise: (printed) => normalise(printed, { run, packages, version }),
      [Symbol.dispose]: () => rmSync(run, { recursive: true, force: true }),
    }
  }
  return { startRun, [Symbol.dispose]: () => lock.close() }
}

/** The folder of all runs, the same on every machine. */
const RUNS = '/tmp/loadout-recorded'

/** Waits until no other process uses the folder of the runs. Closing the database lets the next one use it. */
function takeRuns(): DatabaseSync {
  mkdirSync(RUNS, { recursive: true })
  const lock = new DatabaseSync(join(RUNS, 'lock.sqlite'))
  lock.exec('PRAGMA busy_timeout = 1200000; BEGIN EXCLUSIVE')
  return lock
}
