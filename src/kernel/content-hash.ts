import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** `sha256:` and 64 hexadecimal digits. */
export type ContentHash = `sha256:${string}`

/** Hash a JSON value by its canonical text: the order of keys makes no difference. */
export function contentHash(value: unknown): ContentHash {
  return textHash(canonicalJson(value))
}

/** Hash text or bytes as they are; text is taken as UTF-8. */
export function textHash(text: string | Uint8Array): ContentHash {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
