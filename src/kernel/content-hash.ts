import { hash } from 'node:crypto'
import { utf8 } from './byte-length.ts'
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
  const [left, right] = [utf8(a), utf8(b)]
  let different = left.length ^ right.length
  for (const [at, byte] of left.entries()) different |= byte ^ (right[at] ?? 0)
  return different === 0
}

/** Digits of a hash at the end of a name: 100 bits, so nobody finds a second name with the same ones. */
const DIGITS = 20

const SEPARATOR = '__'

/** Returns the beginning of a name with digits of the hash of the name, in so many characters. */
export function withHash(beginning: string, name: string, limit: number): string {
  return beginning.slice(0, limit - SEPARATOR.length - DIGITS) + SEPARATOR + hashDigits(name)
}

/** Names are written at every step, and hashing one takes longer than the rest. */
const digitsByName = new Map<string, string>()

const MOST_KNOWN = 10_000

function hashDigits(name: string): string {
  const known = digitsByName.get(name)
  if (known !== undefined) return known
  const bits = BigInt(`0x${contentHash(name).slice('sha256:'.length)}`) >> BigInt(256 - DIGITS * 5)
  const digits = bits.toString(32).padStart(DIGITS, '0')
  if (digitsByName.size >= MOST_KNOWN) digitsByName.clear()
  digitsByName.set(name, digits)
  return digits
}
