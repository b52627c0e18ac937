import { hash, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** `sha256:` and 64 hexadecimal digits. */
export type ContentHash = `sha256:${string}`

/** Hashes the canonical text of a JSON value, so the order of keys makes no difference. */
export function contentHash(value: unknown): ContentHash {
  return textHash(canonicalJson(value))
}

/** Hashes text (as UTF-8) or bytes without changing them. */
export function textHash(text: string | Uint8Array): ContentHash {
  return `sha256:${hash('sha256', text, 'hex')}`
}

/** Returns every part of a JSON value that looks like a content hash. */
export function hashesIn(value: unknown): ReadonlySet<ContentHash> {
  const found = JSON.stringify(value).match(/sha256:[0-9a-f]{64}/g) as ContentHash[] | null
  return new Set(found)
}

/** Compares two texts in a time that does not reveal where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
