import { getPage } from '../../lib/get-page.ts'
import { pageNote } from '../../lib/page-note.ts'
import { textWindow, type TextWindow } from '../../lib/text-window.ts'
import type { WebContext } from '../../lib/web-context.ts'

interface Input {
  readonly url: string
  readonly from?: number
  readonly maxCharacters?: number
}

interface Output extends TextWindow {
  readonly url: string
  readonly redirects: readonly string[]
  readonly contentType: string
  readonly charset: string
  readonly bytes: number
  readonly note?: string
}

export async function execute(input: Input, context: WebContext): Promise<Output> {
  const page = await getPage(input.url, context)
  return {
    url: page.url.href,
    redirects: page.redirects,
    contentType: page.contentType,
    charset: page.charset,
    bytes: page.bytes,
    ...textWindow(page.text, input.from ?? 0, input.maxCharacters ?? 20_000),
    ...pageNote(page),
  }
}
