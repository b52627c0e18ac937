import { foldText } from './fold-text.ts'

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu

/** A name without case and separators: `createPage`, `create_page` and `Create page` are one. */
export function squashName(name: string): string {
  return foldText(name).replace(BETWEEN, '').toLowerCase()
}
