import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { PROJECT } from '../run-command.ts'
import { installTarball, readManifest } from '../try-package.ts'
import { normalise } from './normalise.ts'

/** The peers of all that is recorded, so that one installation serves it. */
const RECORDED_PEERS = [
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/provider',
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  'ai',
  'ink',
  'openai',
  'pg',
  'react',
]

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
  readonly shell: (line: string) => Promise<Ended>
  /** Normalises what the run printed or wrote. */
  readonly normalise: (text: string) => string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Installs a packed package for what is recorded. One process at a time records on a machine.
 *
 * @param more variables that replace those of the environment, such as another `TZ`
 */
export function openInstalled(tarball: string, more: Environment = {}): InstalledPackage {
  const packages = installTarball(tarball, RECORDED_PEERS)
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
    return {
      project,
      copy: (from, to) => {
        mkdirSync(dirname(join(project, to)), { recursive: true })
        cpSync(join(PROJECT, from), join(project, to), { recursive: true })
      },
      shell: async (line) => {
        const child = spawn('/bin/sh', ['-c', line], { cwd: project, env })
        child.stdin.end()
        const [stdout, stderr, [code]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'close') as Promise<[number | null]>,
        ])
        return { code, stdout, stderr }
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
