import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json.ts'
import { REDACTED } from '../../kernel/redactor.ts'

/**
 * Whether a definition that comes from elsewhere may be kept under a hash, which all sessions of a log
 * share: that of a tool is what it hashes to, a skill says its own. One that was kept without its
 * secrets has the hash it had with them.
 */
export function isDefinedBy(hash: ContentHash, definition: JsonValue): boolean {
  if (contentHash(definition) === hash) return true
  if (typeof definition !== 'object' || definition === null) return false
  if (!('inputSchema' in definition) && 'hash' in definition) return definition['hash'] === hash
  return JSON.stringify(definition).includes(REDACTED)
}
