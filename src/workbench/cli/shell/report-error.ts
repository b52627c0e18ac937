import { WorkspaceError } from '../../../entries/index.ts'
import { sanitiseText, shellWord } from '../../../entries/kit.ts'
import type { CliContext } from './cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { withoutPassword } from './without-password.ts'

/** Reports an error on stderr: one object with `--json`, else its message and its hint. */
export function reportError(
  error: unknown,
  json: boolean,
  { stderr }: Pick<CliContext, 'stderr'>,
): void {
  const { code, message, hint } = describe(error)
  // Errors repeat what was typed, which may be the URL of a server.
  const safe = { code, message: withoutPassword(message), hint: withoutPassword(hint) }
  if (json) {
    stderr.write(jsonText({ error: safe }, 0))
    return
  }
  stderr.write(`loadout: ${sanitiseText(safe.message)}\n`)
  if (safe.hint !== '') stderr.write(`${sanitiseText(safe.hint)}\n`)
}

function describe(error: unknown) {
  const refused = permissionRefusal(error)
  if (refused !== null) return refused
  if (WorkspaceError.is(error)) {
    const { code, message, hint } = error
    return { code, message, hint }
  }
  if (isSystemError(error)) {
    const { code, message } = error
    return { code, message: `system error: ${message}`, hint: SYSTEM_HINTS[code] ?? '' }
  }
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: 'INTERNAL',
    message: `internal error: ${message}`,
    hint: 'This is a bug in loadout, or in code that it was trusted to run.',
  }
}

/**
 * Describes what this Node was started without the right to do (`node --permission`), also as the cause of another
 * error; null for anything else.
 */
function permissionRefusal(error: unknown) {
  const cause = WorkspaceError.is(error) ? error.cause : error
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_ACCESS_DENIED'))
    return null
  const { permission = '', resource = '' } = cause as { permission?: string; resource?: string }
  const [does, flag] = PERMISSIONS[permission] ?? [null, null]
  const code = 'NODE_PERMISSION'
  if (does === null) {
    const message = `Node was started with --permission, and refuses this: ${cause.message}`
    return { code, message, hint: 'Start Node without --permission.' }
  }
  const what = resource === '' ? '' : ` "${resource}"`
  const value = flag.startsWith('--allow-fs') && resource !== '' ? `=${shellWord(resource)}` : ''
  return {
    code,
    message: `Node was started with --permission, and may not ${does}${what}.`,
    hint: `Start Node with ${flag}${value}, or without --permission.`,
  }
}

/** Permissions of Node, with what each lets a program do, and the option that gives it. */
const PERMISSIONS: Readonly<Record<string, readonly [does: string, flag: string]>> = {
  FileSystemRead: ['read', '--allow-fs-read'],
  FileSystemWrite: ['write', '--allow-fs-write'],
  ChildProcess: ['start the program', '--allow-child-process'],
  WorkerThreads: ['start a worker', '--allow-worker'],
  Net: ['connect to', '--allow-net'],
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    typeof error.code === 'string'
  )
}

/** Hints for errors of the operating system, by code. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Check the permissions of the file and its folder.',
  EPERM: 'Check the permissions of the file and its folder.',
  EROFS: 'The file system is read-only: choose another location.',
  ENOENT: 'Check the path: a folder in it does not exist.',
  ENOTDIR: 'Check the path: a part of it is a file, not a folder.',
  EISDIR: 'The path is a folder: give a file.',
  ENOSPC: 'The disk is full: free some space.',
  ENAMETOOLONG: 'Choose a shorter name.',
}
