import { sanitiseText } from '../../../entries/kit.ts'
import { formatCount } from '../../../entries/plan.ts'
import { cellText, type ReportRows } from '../report.ts'
import { escapeMarkup } from './escape-markup.ts'
import { reportLines } from './print-report.ts'

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

/**
 * Writes rows for a page, with what explains each: a piece for each heading and row.
 *
 * @param most rows; the page says how many it leaves out
 * @param more writes what else a page has of a row
 */
export function writeRows<Row, Read>(
  rows: ReportRows<Row, Read>,
  most: number,
  more: (row: Row) => readonly Html[],
): readonly Html[] {
  const shown = Array.from({ length: Math.min(rows.count, most) }, (_, at) => rows.row(at))
  const pieces = [...Map.groupBy(shown, (row) => rows.group?.(row) ?? '')].flatMap(
    ([title, inGroup]) => [
      ...(title === '' ? [] : [html`<h3>${title} <i>${formatCount(inGroup.length)}</i></h3>`]),
      ...inGroup.map((row) => rowPiece(rows, row, more(row))),
    ],
  )
  const left = rows.count - shown.length
  if (left === 0) return pieces
  return [...pieces, html`<p class="note">${formatCount(left)} more are not in this page.</p>`]
}

function rowPiece<Row, Read>(rows: ReportRows<Row, Read>, row: Row, more: readonly Html[]): Html {
  const id = rows.identify(row)
  const read = rows.read(row)
  const cells = rows.columns.filter(({ isGroup }) => isGroup !== true)
  const last = cells.length - 1
  const written = cells.map(({ title, align, cell }, place) => {
    const text = cellText(cell(read), formatCount)
    if (place === 0) return html`<b>${text}</b> `
    if (place === last) return html`<small>${text}</small>`
    return html`<span title="${title}"
      >${align === 'right' ? `${title.toLowerCase()} ` : ''}${text}</span
    > `
  })
  return html`<details data-key="${rows.of} ${id}" data-mark="${rows.mark(row).glyph}">
    <summary>${written}</summary>
    ${htmlText(reportLines(rows.about(row)).join('\n'))} ${more}
  </details>`
}
