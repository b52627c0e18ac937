import { realpath, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type ProcessLimits, runProcess } from './run-process.ts'
import { trustChangedMessage, type TrustStatus, type TrustStore } from '../trust/trust-store.ts'
import { isInside } from '../walk/is-inside.ts'
import { readInside } from '../walk/read-inside.ts'
import type { ScriptRequest, ScriptRunner } from '../../workspace/offer/meta-tools/script-runner.ts'

/** Options of a script runner. */
export interface ScriptRunnerOptions {
  /** Scripts run only from trusted folders that have not changed. */
  readonly trust: Pick<TrustStore, 'check'>
  /** The working directory of every script; paths that a model gives are relative to it. */
  readonly cwd: string
  /** The interpreters, instead of `SCRIPT_INTERPRETERS`. */
  readonly interpreters?: ScriptInterpreters
  /** The environment of a script; it has no other variables of this process. */
  readonly environment?: {
    /** Names of variables of this process; `PATH` and `LANG` by default. */
    readonly pass?: readonly string[]
    /** Other variables, with their values. */
    readonly set?: Readonly<Record<string, string>>
  }
  /** Milliseconds that a script may run; 30,000 by default. */
  readonly timeoutMs?: number
  /** Milliseconds between SIGTERM and SIGKILL; 2,000 by default. */
  readonly graceMs?: number
  /** Bytes of each stream to keep: the first and the last half; 65,536 by default. */
  readonly maxBytes?: number
  /** Bytes of output after which a script is stopped; 10,485,760 by default. */
  readonly floodBytes?: number
}

const PASSED_VARIABLES: readonly string[] = ['PATH', 'LANG']

/** Milliseconds to check the folder before a run, and to clean up after it. */
const OVERHEAD_MS = 10_000

/** Without this, running a Python script changes its folder, which is then no longer trusted. */
const NO_BYTECODE = { PYTHONDONTWRITEBYTECODE: '1' }

/** Variables by which a script finds the folder of its skill, and Python the modules in it. */
function skillFolder(folder: string): Readonly<Record<string, string>> {
  return { LOADOUT_SKILL_DIR: folder, CLAUDE_SKILL_DIR: folder, PYTHONPATH: folder }
}

/**
 * Opens a runner for scripts of skills from trusted folders, for the meta-tool `runSkillScript`.
 *
 * A script runs as the user of this process, with all rights of that user: the limits guard against
 * mistakes, not malice. For more, use commands of a sandbox as interpreters.
 *
 * Throws `SCRIPTS_UNSUPPORTED` on Windows, which has no process groups.
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
      const { folder, path, bytes } = await verifyScript(request, trust)
      const found = interpreterFor(path, bytes, interpreters)
      if (found === null) {
        const hint = `This host runs scripts with these extensions or programs: ${Object.keys(interpreters).join(', ')}.`
        const why = 'this host has no interpreter for it.'
        throw scriptRefusal('SCRIPT_WITHOUT_INTERPRETER', request, why, hint)
      }
      const isFolder = (await stat(directory).catch(() => null))?.isDirectory() ?? false
      if (!isFolder) {
        const hint = 'The host sets it with the option "cwd".'
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
        environment: { ...NO_BYTECODE, ...skillFolder(folder), ...passedVariables(pass), ...set },
        stdin: request.stdin,
        signal: request.signal,
      }).catch((cause: unknown) => {
        const hint = `Check that "${command}" is installed, and on the PATH of scripts.`
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
    hint: 'Run the host in a container or in WSL, or pass your own ScriptRunner.',
  })
}

type Script = Pick<ScriptRequest, 'skill' | 'file'>

/**
 * Returns the real path and the bytes of a script that may run: its folder is trusted and
 * unchanged, which covers the files that the script loads from it, and the script is the file that
 * the session activated.
 *
 * It is checked just before it starts. Only the user, or somebody with the user's rights, can write
 * to a trusted folder in between.
 */
async function verifyScript(
  script: Script,
  trust: Pick<TrustStore, 'check'>,
): Promise<{ readonly folder: string; readonly path: string; readonly bytes: Uint8Array }> {
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
    throw scriptChanged(script, 'Its content has changed.')
  }
  const real = await realpath(path)
  if (!isInside(folder, real))
    throw scriptChanged(script, 'It leads out of the folder of its skill.')
  return { folder, path: real, bytes: outcome.bytes }
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
  const why = `trust in its folder ended. ${trustChangedMessage(files)}`
  throw scriptRefusal('SCRIPT_UNTRUSTED', script, why, hint, { facts: { ...facts, files } })
}

function scriptChanged(script: Script, why: string): Error {
  const hint = 'Load the skills again, and accept the changed skill.'
  const what = `it is not the file that the session activated. ${why}`
  return scriptRefusal('SCRIPT_CHANGED', script, what, hint)
}

/**
 * The command and first arguments that run a script, by its extension (`.py`) or by the program in
 * its first line (`python3`). Other scripts do not run.
 */
export type ScriptInterpreters = Readonly<Record<string, readonly [string, ...string[]]>>

/** The default interpreters. */
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

/** Number of bytes of a first line that are read. */
const MAX_LINE_BYTES = 256

/**
 * Returns the command of a script, with the options that its first line has for that program; null
 * when the table has none.
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

/**
 * Parses the program and the options of `#!/bin/bash -eu` and `#!/usr/bin/env -S node
 * --no-warnings`.
 */
function firstLine(
  bytes: Uint8Array,
): { readonly program: string; readonly options: readonly string[] } | null {
  const head = new TextDecoder('utf-8').decode(bytes.subarray(0, MAX_LINE_BYTES))
  if (!head.startsWith('#!')) return null
  const [line = ''] = head.slice(2).split(/[\r\n]/)
  const words = line.split(/[ \t]/).filter((word) => word !== '')
  if (basename(words[0] ?? '') === 'env') words.shift()
  if (words[0] === '-S') words.shift()
  const [program, ...options] = words
  return program === undefined ? null : { program: basename(program), options }
}

/** The error for a script that does not run. */
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
