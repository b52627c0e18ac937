import { createHash, timingSafeEqual } from 'node:crypto'
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

/** Everything in a JSON value that looks like a content hash. */
export function hashesIn(value: unknown): ReadonlySet<ContentHash> {
  const found = JSON.stringify(value).match(/sha256:[0-9a-f]{64}/g) as ContentHash[] | null
  return new Set(found)
}

/** Compare two texts in a time that does not tell where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
