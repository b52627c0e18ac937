import { realpath, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type ProcessLimits, runProcess } from './run-process.ts'
import type { TrustStatus, TrustStore } from '../trust/trust-store.ts'
import { isInside } from '../walk/is-inside.ts'
import { readInside } from '../walk/read-inside.ts'
import type { ScriptRequest, ScriptRunner } from '../../workspace/offer/meta-tools/script-runner.ts'

/** Whose scripts run, where, and with what. */
export interface ScriptRunnerOptions {
  /** Scripts run only from folders that are trusted as they are. */
  readonly trust: Pick<TrustStore, 'check'>
  /** The working directory of every script; the paths a model gives are relative to it. */
  readonly cwd: string
  /** The interpreters there are, in the place of `SCRIPT_INTERPRETERS`. */
  readonly interpreters?: ScriptInterpreters
  /** What a script finds in its environment: nothing of this process but what is named here. */
  readonly environment?: {
    /** Names of variables of this process; `PATH` and `LANG` when absent. */
    readonly pass?: readonly string[]
    /** Others, with their values. */
    readonly set?: Readonly<Record<string, string>>
  }
  /** Milliseconds a script may take; 30,000 when absent. */
  readonly timeoutMs?: number
  /** Milliseconds between the request to end and the end; 2,000 when absent. */
  readonly graceMs?: number
  /** Bytes of each stream that are kept: the first and the last half; 65,536 when absent. */
  readonly maxBytes?: number
  /** Bytes of output after which a script is ended; 10,485,760 when absent. */
  readonly floodBytes?: number
}

const PASSED_VARIABLES: readonly string[] = ['PATH', 'LANG']

/** For looking at the folder before a run, and for clearing up after it, in milliseconds. */
const OVERHEAD_MS = 10_000

/** Without this a Python script changes its folder by running, and the folder is not trusted any more. */
const NO_BYTECODE = { PYTHONDONTWRITEBYTECODE: '1' }

/**
 * Runs the scripts of skills that were loaded from trusted folders, for the meta-tool `runSkillScript`.
 *
 * A script runs as the user who runs this process, with all that user may do: the limits here bound
 * mistakes, not malice. For more, let the interpreters be commands of a sandbox.
 *
 * Throws `SCRIPTS_UNSUPPORTED` on Windows, which has no process groups to end.
 */
export function openScriptRunner({
  trust,
  cwd,
  interpreters = SCRIPT_INTERPRETERS,
  environment: { pass = PASSED_VARIABLES, set = {} } = {},
  ...given
}: ScriptRunnerOptions): ScriptRunner {
  if (process.platform === 'win32') throw unsupported()
  const limits: ProcessLimits = {
    timeoutMs: given.timeoutMs ?? 30_000,
    graceMs: given.graceMs ?? 2_000,
    maxBytes: given.maxBytes ?? 65_536,
    floodBytes: given.floodBytes ?? 10_485_760,
  }
  const directory = resolve(cwd)
  return {
    timeoutMs: limits.timeoutMs + limits.graceMs + OVERHEAD_MS,
    async run(request) {
      const { path, bytes } = await verifyScript(request, trust)
      const found = interpreterFor(path, bytes, interpreters)
      if (found === null) {
        const hint = `Scripts of this host end in, or name: ${Object.keys(interpreters).join(', ')}.`
        const why = 'this host has no interpreter for it.'
        throw scriptRefusal('SCRIPT_WITHOUT_INTERPRETER', request, why, hint)
      }
      const isFolder = (await stat(directory).catch(() => null))?.isDirectory() ?? false
      if (!isFolder) {
        const hint = 'The host chooses it, by the option "cwd".'
        throw scriptRefusal(
          'SCRIPT_NOT_STARTED',
          request,
          `there is no folder "${directory}".`,
          hint,
        )
      }
      const [command, ...first] = found
      return runProcess({
        ...limits,
        command,
        arguments: [...first, path, ...request.arguments],
        cwd: directory,
        environment: { ...NO_BYTECODE, ...passedVariables(pass), ...set },
        stdin: request.stdin,
        signal: request.signal,
      }).catch((cause: unknown) => {
        const hint = `Is "${command}" installed, and on the PATH that scripts get?`
        throw scriptRefusal('SCRIPT_NOT_STARTED', request, String(cause), hint, { cause })
      })
    },
  }
}

function passedVariables(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function unsupported(): WorkspaceError {
  return new WorkspaceError('SCRIPTS_UNSUPPORTED', 'Scripts of skills do not run on Windows.', {
    hint: 'Run the host in a container or in WSL, or give a ScriptRunner of your own.',
  })
}

type Script = Pick<ScriptRequest, 'skill' | 'file'>

/**
 * The real path and the bytes of a script that may run: its folder is trusted as it is now, which covers
 * what the script loads from it, and the script itself is what the session activated.
 *
 * It is looked at just before it starts. Who can write to a trusted folder in between is the user, or has
 * what the user has.
 */
async function verifyScript(
  script: Script,
  trust: Pick<TrustStore, 'check'>,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  const { baseDirectory } = script.skill
  if (baseDirectory === undefined) {
    const hint =
      'Scripts run from the folder a skill was loaded from; this one was defined in code.'
    throw scriptRefusal('SCRIPT_NOT_ON_DISK', script, 'the skill has no folder.', hint)
  }
  const folder = await realpath(baseDirectory).catch((cause: unknown) => {
    const hint = 'Load the skills again.'
    const why = `the folder "${baseDirectory}" is gone.`
    throw scriptRefusal('SCRIPT_NOT_ON_DISK', script, why, hint, { cause })
  })
  assertTrusted(await trust.check(folder), folder, script)
  const path = join(folder, script.file.path)
  const maxBytes = script.file.size
  const outcome = await readInside(folder, path, { maxBytes, followLinksOut: false })
  if (!outcome.ok) throw scriptChanged(script, outcome.fault.message)
  if (textHash(outcome.bytes) !== script.file.hash) {
    throw scriptChanged(script, 'Its content is another one.')
  }
  const real = await realpath(path)
  if (!isInside(folder, real))
    throw scriptChanged(script, 'It leads out of the folder of its skill.')
  return { path: real, bytes: outcome.bytes }
}

function assertTrusted(status: TrustStatus, folder: string, script: Script): void {
  if (status.status === 'trusted') return
  const hint = `Read the scripts, then trust the folder: loadout trust "${folder}".`
  const facts = { folder, status: status.status }
  if (status.status === 'untrusted') {
    const why = `the folder "${folder}" is not trusted.`
    throw scriptRefusal('SCRIPT_UNTRUSTED', script, why, hint, { facts })
  }
  const { files } = status
  const named = files.slice(0, 5).join(', ')
  const why = `its folder changed since it was trusted: ${named}${files.length > 5 ? ', …' : ''}.`
  throw scriptRefusal('SCRIPT_UNTRUSTED', script, why, hint, { facts: { ...facts, files } })
}

function scriptChanged(script: Script, why: string): Error {
  const hint = 'Load the skills again, and accept the skill as it is now.'
  const what = `it is not the file that the session activated. ${why}`
  return scriptRefusal('SCRIPT_CHANGED', script, what, hint)
}

/**
 * What runs a script, by its ending (`.py`) or by the program its first line names (`python3`): a command
 * and its first arguments. What is not here does not run, whatever a script says of itself.
 */
export type ScriptInterpreters = Readonly<Record<string, readonly [string, ...string[]]>>

/** The interpreters that are used unless the host says otherwise. */
export const SCRIPT_INTERPRETERS: ScriptInterpreters = {
  '.py': ['python3'],
  '.sh': ['bash'],
  '.bash': ['bash'],
  '.js': [process.execPath],
  '.mjs': [process.execPath],
  '.cjs': [process.execPath],
  '.ts': [process.execPath],
  '.mts': [process.execPath],
  python3: ['python3'],
  python: ['python3'],
  bash: ['bash'],
  sh: ['sh'],
  node: [process.execPath],
}

/** Bytes of a first line that are looked at. */
const LONGEST_LINE = 256

/**
 * The command a script runs by, with the options its first line has for that very program; null when
 * the table has none.
 */
function interpreterFor(
  path: string,
  bytes: Uint8Array,
  table: ScriptInterpreters,
): readonly [string, ...string[]] | null {
  const by = (key: string) => (Object.hasOwn(table, key) ? table[key] : undefined)
  const line = firstLine(bytes)
  const command = by(extname(path).toLowerCase()) ?? (line && by(line.program))
  if (!command) return null
  const named = line !== null && by(line.program)?.at(-1) === command.at(-1)
  return named ? [...command, ...line.options] : command
}

/** The program and the options of `#!/bin/bash -eu` and `#!/usr/bin/env -S node --no-warnings`. */
function firstLine(
  bytes: Uint8Array,
): { readonly program: string; readonly options: readonly string[] } | null {
  const head = new TextDecoder('utf-8').decode(bytes.subarray(0, LONGEST_LINE))
  if (!head.startsWith('#!')) return null
  const [line = ''] = head.slice(2).split(/[\r\n]/)
  const words = line.split(/[ \t]/).filter((word) => word !== '')
  if (basename(words[0] ?? '') === 'env') words.shift()
  if (words[0] === '-S') words.shift()
  const [program, ...options] = words
  return program === undefined ? null : { program: basename(program), options }
}

/** Why a script does not run. */
function scriptRefusal(
  code:
    | 'SCRIPT_NOT_ON_DISK'
    | 'SCRIPT_UNTRUSTED'
    | 'SCRIPT_CHANGED'
    | 'SCRIPT_WITHOUT_INTERPRETER'
    | 'SCRIPT_NOT_STARTED',
  { skill, file }: Pick<ScriptRequest, 'skill' | 'file'>,
  why: string,
  hint: string,
  more: { readonly facts?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
): WorkspaceError {
  return new WorkspaceError(
    code,
    `The script "${file.path}" of the skill "${skill.name}" was not run: ${why}`,
    { facts: { skill: skill.name, path: file.path, ...more.facts }, hint, cause: more.cause },
  )
}
