import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * Returns the home folder of the user. Null if there is none, or if its path is empty or relative:
 * below the current folder, a project could bring its own trust file.
 */
export function userHome(): string | null {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : null
  } catch {
    // This user has no entry in the system's list.
    return null
  }
}
