import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { errorCode } from '../../../entries/kit.ts'
import { makeFolder } from '../walk/make-folder.ts'
import { readOwnFile } from '../walk/read-own-file.ts'

/**
 * Answers the question whether processes of this user wrote something that is stored where others can write, too.
 * Every place that opens a stored session or conversation asks here.
 */
export interface UserSeal {
  /** Returns the seal of a text; undefined when there is no place for a key, so that nothing can be recognised later. */
  seal(text: string): string | undefined
  /** Returns true for the seal that this user gave to the text. */
  isOwn(text: string, seal: string | undefined): boolean
}

/** Returns the file with the key of a user: next to the trust file. */
export function keyFile(trustFile: string): string {
  return join(dirname(trustFile), 'seal.key')
}

/**
 * Opens the seal of a user. The key is created with the first seal, and only its user can read it. Without a home
 * there is none, and nothing is the user's own. Throws `TRUST_DAMAGED` for a key that is not valid, or not private.
 *
 * The file may have several keys, one a line: the first seals, and each is recognised, so that a key can be replaced.
 *
 * @param given keys instead of the file, such as those that the processes of a server on many machines share
 */
export function openUserSeal(trustFile: string | null, given = ''): UserSeal {
  const file = trustFile === null ? null : keyFile(trustFile)
  let keys = given.trim() === '' ? null : parseKeys(given, null)
  const known = () => (keys ??= file === null ? null : readKeys(file))
  return {
    seal(text) {
      const [key] = known() ?? (file === null ? null : (keys = createKey(file))) ?? []
      return key === undefined ? undefined : sealWith(key, text)
    },
    isOwn(text, seal) {
      if (seal === undefined) return false
      return (known() ?? []).some((key) => {
        const [expected, stored] = [Buffer.from(sealWith(key, text)), Buffer.from(seal)]
        return expected.length === stored.length && timingSafeEqual(expected, stored)
      })
    },
  }
}

function sealWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

const KEY_BYTES = 32

function readKeys(file: string): readonly Buffer[] | null {
  const found = readOwnFile(file, true)
  if (found === null) return null
  if (found.ok) return parseKeys(found.text, file)
  throw invalidKey(file, `The key file "${file}" ${found.message}`, found.hint)
}

/** Reads keys of 64 hexadecimal digits. */
function parseKeys(text: string, file: string | null): readonly Buffer[] {
  const words = text.trim().split(/\s+/u)
  if (words.every((word) => /^[0-9a-f]{64}$/u.test(word)))
    return words.map((word) => Buffer.from(word, 'hex'))
  if (file !== null) throw invalidKey(file, `The key file "${file}" is not valid.`, 'Remove it.')
  const name = 'LOADOUT_SEAL_KEY'
  throw new WorkspaceError('TRUST_DAMAGED', `${name} is not valid.`, {
    facts: { file: name },
    hint: 'Give 64 hexadecimal digits, as openssl rand -hex 32 prints them.',
  })
}

function invalidKey(file: string, message: string, hint: string): WorkspaceError {
  return new WorkspaceError('TRUST_DAMAGED', message, {
    facts: { file },
    hint: `${hint} Without it, calls of stored sessions ask again.`,
  })
}

/** Creates the key. Of two processes that do so at once, the first one wins. Null where no file can be written. */
function createKey(file: string): readonly Buffer[] | null {
  const draft = `${file}.${randomUUID()}`
  try {
    makeFolder(dirname(file), 0o700)
    const text = `${randomBytes(KEY_BYTES).toString('hex')}\n`
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    linkSync(draft, file)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeys(file)
}
