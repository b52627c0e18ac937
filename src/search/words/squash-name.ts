import { foldText } from './fold-text.ts'

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu

/** Characters that are looked at; names that differ only after them are one. */
const LONGEST = 4_000

/** A name without case and separators: `createPage`, `create_page` and `Create page` are one. */
export function squashName(name: string): string {
  return foldText(name.slice(0, LONGEST)).replace(BETWEEN, '').toLowerCase()
}
