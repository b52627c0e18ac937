import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { errorCode } from '../../../entries/kit.ts'
import { makeFolder } from '../walk/make-folder.ts'

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
 * there is none, and nothing is the user's own. Throws `TRUST_DAMAGED` for a key that is not valid.
 */
export function openUserSeal(trustFile: string | null): UserSeal {
  const file = trustFile === null ? null : keyFile(trustFile)
  let key: Buffer | null = null
  return {
    seal(text) {
      if (file !== null) key ??= readKey(file) ?? createKey(file)
      return key === null ? undefined : sealWith(key, text)
    },
    isOwn(text, seal) {
      if (file !== null) key ??= readKey(file)
      if (key === null || seal === undefined) return false
      const [expected, given] = [Buffer.from(sealWith(key, text)), Buffer.from(seal)]
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}

function sealWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

const KEY_BYTES = 32

function readKey(file: string): Buffer | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
  if (/^[0-9a-f]{64}$/u.test(text)) return Buffer.from(text, 'hex')
  throw new WorkspaceError('TRUST_DAMAGED', `The key file "${file}" is not valid.`, {
    facts: { file },
    hint: 'Remove it. Calls of stored sessions then ask again.',
  })
}

/** Creates the key. Of two processes that do so at once, the first one wins. Null where no file can be written. */
function createKey(file: string): Buffer | null {
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
  return readKey(file)
}
