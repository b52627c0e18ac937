import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Make a folder, and those above it that are missing; one that is there is left alone. Level by level,
 * since Node's own `recursive` never ends where a system has no room for folders and says that there is
 * nothing, as below `/proc`.
 *
 * @param mode of the folders that are made
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = []
  for (let at = resolve(folder); !isThere(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) {
    try {
      mkdirSync(one, { mode })
    } catch (error) {
      // Another process was first.
      if (!statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error
    }
  }
}

/** A root always is. What cannot be looked at counts as missing: making it says what is wrong. */
function isThere(path: string): boolean {
  if (path === dirname(path)) return true
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
