import { foldText } from './fold-text.ts'

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu
const BETWEEN_ASCII = /[^a-z0-9]+/g
const ASCII = /^[\0-\x7f]*$/

/** Characters that are looked at; names that differ only after them are one. */
const LONGEST = 4_000

/** A name without case and separators: `createPage`, `create_page` and `Create page` are one. */
export function squashName(name: string): string {
  const read = name.slice(0, LONGEST)
  if (ASCII.test(read)) return read.toLowerCase().replace(BETWEEN_ASCII, '')
  return foldText(read).replace(BETWEEN, '').toLowerCase()
}
