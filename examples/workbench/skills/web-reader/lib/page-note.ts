import type { Page } from './get-page.ts'

/** What a reader must know about a page that was not read to its end. */
export function pageNote({ complete, bytes }: Page): { readonly note?: string } {
  return complete ? {} : { note: `The page is longer: only its first ${bytes} bytes were read.` }
}
