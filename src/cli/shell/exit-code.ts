import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** 0 done; 1 the answer is an error; 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Codes of errors that are in what was typed, not in what was found. */
const WRONG_USAGE = new Set(['WRONG_USAGE', 'PATH_NOT_FOUND', 'PATH_NOT_A_FOLDER', 'ENTRY_UNKNOWN'])

/** The exit code of a command that ended with an error. */
export function exitCodeOf(error: unknown): ExitCode {
  return WorkspaceError.is(error) && WRONG_USAGE.has(error.code) ? 2 : 1
}
