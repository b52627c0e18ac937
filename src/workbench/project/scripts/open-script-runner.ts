import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type ScriptRequest, type ScriptRunner, WorkspaceError } from '../../../entries/index.ts'
import { checkRecord, type OptionsOf, quotedPath, textHash } from '../../../entries/kit.ts'
import {
  folderSandbox,
  type FolderSandboxOptions,
  SANDBOX_OPTIONS,
} from '../sandbox/open-folder-sandbox.ts'
import type { SandboxSession } from '../sandbox/sandbox-session.ts'
import { trustChangedMessage, type TrustStatus, type TrustStore } from '../trust/trust-store.ts'
import { isInside } from '../walk/is-inside.ts'
import { readInside } from '../walk/read-inside.ts'
import { runInSandbox } from './run-in-sandbox.ts'
import { interpreterFor, sandboxInterpreters } from './script-interpreters.ts'

/** Options of a script runner. Its sandbox is `sandbox`, or the folder `cwd` of the host with these limits. */
export interface ScriptRunnerOptions extends Omit<FolderSandboxOptions, 'folder'> {
  /** Scripts run only from trusted folders that have not changed. */
  readonly trust: Pick<TrustStore, 'check'>
  /** The folder in which every script runs; paths that a model gives are relative to it. */
  readonly cwd?: string
  /** The sandbox in which every script runs, such as that of the file tools. */
  readonly sandbox?: SandboxSession
}

const { folder: _, ...LIMIT_OPTIONS } = SANDBOX_OPTIONS

const OPTIONS: OptionsOf<ScriptRunnerOptions> = {
  ...LIMIT_OPTIONS,
  trust: 'object',
  cwd: 'text',
  sandbox: 'object',
}

/** Milliseconds to check the folder before a run, and to clean up after it. */
const OVERHEAD_MS = 10_000

/**
 * Opens a runner for scripts of skills from trusted folders, for the meta-tool `runSkillScript`.
 *
 * In a folder of the host, a script runs as the user of this process, with all rights of that user: the limits guard
 * against mistakes, not malice. For more, give another sandbox.
 *
 * Throws `SANDBOX_UNSUPPORTED` on Windows, which has no process groups, unless a sandbox is given.
 */
export function openScriptRunner(settings: ScriptRunnerOptions): ScriptRunner {
  checkRecord(settings, OPTIONS, 'trust')
  const { trust, cwd, sandbox: given, ...options } = settings
  const own =
    given ?? (cwd === undefined ? undefined : folderSandbox({ folder: cwd, ...options }, null))
  const limits = {
    timeoutMs: options.timeoutMs ?? 30_000,
    maxBytes: options.maxBytes ?? 65_536,
    floodBytes: options.floodBytes ?? 10_485_760,
  }
  return {
    timeoutMs: limits.timeoutMs + (options.graceMs ?? 2_000) + OVERHEAD_MS,
    async run(request) {
      const sandbox = (request.sandbox as SandboxSession | undefined) ?? own
      if (sandbox === undefined) {
        const hint = 'The host sets the option "sandbox" or "cwd", or the AI SDK passes a sandbox.'
        throw scriptRefusal('SCRIPT_NOT_STARTED', request, 'there is no sandbox for it.', hint)
      }
      const script = await verifyScript(request, trust)
      const table = sandboxInterpreters(sandbox)
      const found = await interpreterFor(script.path, script.bytes, table, sandbox)
      if (found === null) {
        const hint = `This host runs scripts with these extensions or programs: ${Object.keys(table).join(', ')}.`
        const why = 'this host has no interpreter for it.'
        throw scriptRefusal('SCRIPT_WITHOUT_INTERPRETER', request, why, hint)
      }
      const running = runInSandbox({ ...script, ...found, request }, sandbox, limits)
      const run = await running.catch((cause: unknown) => {
        const folder = WorkspaceError.is(cause) && cause.code === 'PATH_NOT_A_FOLDER'
        const hint = folder
          ? 'The host sets it with the option "cwd".'
          : `Check that "${found.command[0]}" is installed, and on the PATH of scripts.`
        const why = folder ? `there is no folder "${cwd ?? ''}".` : String(cause)
        throw scriptRefusal('SCRIPT_NOT_STARTED', request, why, hint, { cause })
      })
      const isWrong = run.ended === 'exited' && run.exitCode !== 0
      return isWrong && found.notice !== undefined ? { ...run, notice: found.notice } : run
    },
  }
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
  const hint = `Read the scripts, then trust the folder: loadout trust ${quotedPath(folder)}.`
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
