import { posix, win32 } from 'node:path'
import { ToolError } from 'loadout'
import { isSkipped } from './skipped-names.ts'

/**
 * A path as the model wrote it, as a clean relative one with `/`; `.` is the root itself.
 *
 * Looks at the text alone, so it also serves paths that are gone from the disk but not from
 * history. What is on the disk may still be a link: `openInside` settles that.
 */
export function innerPath(path: string): string {
  if (path.includes('\0')) throw refused(path, 'holds a NUL character')
  if (path.includes('\\')) throw refused(path, 'holds a backslash; write "/"')
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) {
    throw refused(path, 'is absolute; paths are relative to the root')
  }
  const clean = posix.normalize(path === '' ? '.' : path)
  if (clean === '..' || clean.startsWith('../')) throw refused(path, 'leads out of the root')
  if (clean.split('/').some(isSkipped)) throw refused(path, 'is in a folder that is never read')
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean
}

/** The one error for every path that may not be followed. */
export function refused(path: string, why: string): ToolError {
  return new ToolError('DENIED', `The path ${JSON.stringify(path)} ${why}.`, { details: { path } })
}
