import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ScriptRunner } from '../../workspace/log/ports.ts'
import type { TrustStore } from '../trust/trust-store.ts'
import { checkedScript } from './checked-script.ts'
import { interpreterFor, SCRIPT_INTERPRETERS, type ScriptInterpreters } from './interpreters.ts'
import { runProcess, type ProcessLimits } from './run-process.ts'
import { scriptRefusal } from './script-refusal.ts'

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

const PASSED: readonly string[] = ['PATH', 'LANG']

/** For looking at the folder before a run, and for clearing up after it, in milliseconds. */
const AROUND_MS = 10_000

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
  environment: { pass = PASSED, set = {} } = {},
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
    timeoutMs: limits.timeoutMs + limits.graceMs + AROUND_MS,
    async run(request) {
      const { path, bytes } = await checkedScript(request, trust)
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
        environment: { ...NO_BYTECODE, ...passed(pass), ...set },
        stdin: request.stdin,
        signal: request.signal,
      }).catch((cause: unknown) => {
        const hint = `Is "${command}" installed, and on the PATH that scripts get?`
        throw scriptRefusal('SCRIPT_NOT_STARTED', request, String(cause), hint, { cause })
      })
    },
  }
}

function passed(names: readonly string[]): Readonly<Record<string, string>> {
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
