import { getPage } from '../../lib/get-page.ts'
import { pageNote } from '../../lib/page-note.ts'
import { readableText } from '../../lib/readable-text.ts'
import { textWindow, type TextWindow } from '../../lib/text-window.ts'
import type { WebContext } from '../../lib/web-context.ts'

interface Input {
  readonly url: string
  readonly from?: number
  readonly maxCharacters?: number
}

interface Output extends TextWindow {
  readonly url: string
  readonly title: string
  readonly note?: string
}

export async function execute(input: Input, context: WebContext): Promise<Output> {
  const page = await getPage(input.url, context)
  const isMarkup = /html|xml/.test(page.contentType)
  const { title, text } = isMarkup ? readableText(page.text) : { title: '', text: page.text }
  return {
    url: page.url.href,
    title,
    ...textWindow(text, input.from ?? 0, input.maxCharacters ?? 20_000),
    ...pageNote(page),
  }
}
