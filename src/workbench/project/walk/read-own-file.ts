import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { errorCode, quotedPath } from '../../../entries/kit.ts'

type OwnFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly hint: string }

/** A link is not followed, and no writer of a pipe is waited for. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file on which the trust of its user depends; null when there is none. It is refused, as ssh does with its own
 * files, where somebody else may have written it: a link, a file of another user (of the administrator it is fine), one that
 * others can change, and, for a secret, one that others can read.
 */
export function readOwnFile(file: string, isSecret = false): OwnFile | null {
  let descriptor: number
  try {
    descriptor = openSync(file, FLAGS)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'ELOOP' || code === 'EMLINK') {
      return refused('is a link', 'Replace the link with the file that it leads to, or remove it.')
    }
    throw error
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return refused('is not a regular file', 'Remove it.')
    const user = process.geteuid?.()
    if (user === undefined) return { ok: true, text: readFileSync(descriptor, 'utf8') }
    if (stats.uid !== user && stats.uid !== 0) {
      const hint = 'Remove it, or set XDG_CONFIG_HOME to a folder of your own.'
      return refused('is the file of another user', hint)
    }
    if ((stats.mode & (isSecret ? 0o077 : 0o022)) !== 0) {
      const what = isSecret ? 'can be read or changed by others' : 'can be changed by others'
      const done = isSecret ? 'read or changed it' : 'changed it'
      const hint = `If nobody ${done}, make it private: chmod 600 ${quotedPath(file)}. Otherwise remove it.`
      return refused(what, hint)
    }
    return { ok: true, text: readFileSync(descriptor, 'utf8') }
  } finally {
    closeSync(descriptor)
  }
}

function refused(what: string, hint: string): OwnFile {
  return { ok: false, message: `${what}.`, hint }
}
