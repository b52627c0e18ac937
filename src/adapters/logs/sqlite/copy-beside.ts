import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Keep a copy of a database as `<file>.damaged-1` or the next number that is free, forced to the disk;
 * gives its name. To be called by who keeps other writers out.
 *
 * The write-ahead log is copied first: while this connection writes, its pages may be taken over into
 * the file, and both together are what they were.
 */
export function copyBeside(file: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.damaged-${number}`
    if (existsSync(copy) || existsSync(`${copy}-wal`)) continue
    const parts = existsSync(`${file}-wal`) ? ['-wal', ''] : ['']
    try {
      for (const part of parts) {
        copyFileSync(`${file}${part}`, `${copy}${part}`, constants.COPYFILE_EXCL)
        force(`${copy}${part}`)
      }
    } catch (error) {
      throw notCopied(file, copy, error)
    }
    return copy
  }
}

function force(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function notCopied(file: string, copy: string, cause: unknown): WorkspaceError {
  return new WorkspaceError('LOG_WRITE_FAILED', `No copy of ${file} could be kept at ${copy}.`, {
    facts: { file, copy },
    hint: 'Nothing was changed. See that there is room for a copy beside it.',
    cause,
  })
}
