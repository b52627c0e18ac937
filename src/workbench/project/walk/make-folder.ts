import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents; an existing one is not changed.
 *
 * It creates level by level, because Node's own `recursive` never ends where a system cannot create
 * folders and reports that nothing exists, as below `/proc`.
 *
 * @param mode of the created folders
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = []
  for (let at = resolve(folder); !exists(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) {
    try {
      mkdirSync(one, { mode })
    } catch (error) {
      // Another process created it first.
      if (!statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error
    }
  }
}

/**
 * Returns true when a path exists. A root always does. A path that cannot be inspected counts as
 * missing: creating it reports the reason.
 */
function exists(path: string): boolean {
  if (path === dirname(path)) return true
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
