import { sanitiseText } from '../../../entries/kit.ts'
import { escapeMarkup } from '../text/escape-markup.ts'

/** A piece of markup that is safe in a page: made by `html`, or written by us. */
export interface Html {
  readonly markup: string
}

/** A value in a piece of markup. Texts are escaped, and their hidden characters become visible. */
type HtmlValue = string | number | Html | readonly Html[]

/** Writes markup. Every value that is not markup itself is escaped. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = texts.reduce((all, text, index) => {
    const value = values[index - 1]
    return all + (value === undefined ? '' : writeMarkup(value)) + text
  })
  return { markup }
}

function writeMarkup(value: HtmlValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeMarkup(sanitiseText(value))
  if ('markup' in value) return value.markup
  return value.map(({ markup }) => markup).join('')
}

/** The most letters of one text in a page. */
const MOST_OF_TEXT = 100_000

/** Writes a text with its line breaks. A very long one is cut, and the page says so. */
export function htmlText(text: string): Html {
  if (text.length <= MOST_OF_TEXT) return html`<pre>${text}</pre>`
  const left = text.length - MOST_OF_TEXT
  return html`<pre>${text.slice(0, MOST_OF_TEXT)}</pre>
    <p class="note">${left} more letters are not in this page.</p>`
}
