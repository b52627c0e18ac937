import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The result of a command. */
interface Ended {
  readonly passed: boolean
  readonly stdout: string
  /** All of its output, standard output first, without colours. */
  readonly output: string
}

interface RunOptions {
  /** The project by default. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** The folder of this repository. */
export const PROJECT = join(import.meta.dirname, '..')

/** The built command of the project. */
export const LOADOUT = join(PROJECT, 'bin', 'loadout.js')

/**
 * Runs a program to its end and returns its output.
 *
 * The tools of the project and the Node that runs this script come first on PATH, so a script does the same
 * whether npm or a person started it.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd = PROJECT, env = projectEnvironment() }: RunOptions = {},
): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  const output = [stdout, stderr, error?.message].filter(Boolean).join('')
  return { passed: status === 0, stdout: stdout ?? '', output }
}

/** The end of a program, with what it printed. */
export interface ProgramEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts a program with this environment and no more input than this, and waits for its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = '', ...options }: { cwd: string; env: NodeJS.ProcessEnv; input?: string },
): Promise<ProgramEnd> {
  const child = spawn(program, args, options)
  // A program that ends before it has read its input is no error.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

/** Returns an environment in which the tools of the project come first. */
export function projectEnvironment(): NodeJS.ProcessEnv {
  const tools = join(PROJECT, 'node_modules', '.bin')
  return {
    ...outsideEnvironment(),
    NO_COLOR: '1',
    PATH: [tools, process.env['PATH']].join(delimiter),
  }
}

/** Returns the environment without the variables that `npm run` adds for its own project. */
export function outsideEnvironment(): NodeJS.ProcessEnv {
  const added = /^(npm_package_|npm_lifecycle_|npm_command$|npm_config_local_prefix$|INIT_CWD$)/
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !added.test(name) && name !== 'FORCE_COLOR'),
  )
}

/** Returns the files of a project, committed or not, without those that git ignores. */
export function projectFiles(root: string): readonly string[] {
  const listed = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (listed.status !== 0) throw new Error(`git cannot list the files of ${root}: ${listed.stderr}`)
  return listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}
