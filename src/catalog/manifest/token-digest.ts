import { textHash } from '../../kernel/content-hash.ts'

/** Enough of a digest to know a text by, among the texts of one catalog. */
const DIGITS = 32

/** What a manifest calls a text by whose tokens it has counted. */
export function tokenDigest(text: string): string {
  const start = 'sha256:'.length
  return textHash(text).slice(start, start + DIGITS)
}
