import { hash } from 'node:crypto'
import { PAGE_STYLE } from '../../../playground/page/page-style.ts'
import { formatCount } from '../../../../entries/plan.ts'
import { cellText, type Report, type ReportRows } from '../../../report/report.ts'
import { html, type Html } from '../../../report/writers/html.ts'
import { reportLines } from '../../../report/writers/print-report.ts'

const TITLE = 'Loadout report'

const STYLE = `${PAGE_STYLE}
td.text { text-align: left; white-space: normal; overflow-wrap: anywhere }
thead th { color: var(--dim) }
thead th.number { text-align: right; padding-left: 8px }
`

/** Writes a report as one page without scripts, which needs no other file and no network. */
export function writeUsagePage(report: Report): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'`
  const nodes = report.flatMap((node): readonly Html[] => {
    switch (node.kind) {
      case 'heading':
        return [html`<h2>${node.text}</h2>`]
      case 'text':
      case 'action':
        return [html`<p>${node.text}</p>`]
      case 'rows':
        return [pageTable(node)]
    }
  })
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    html`<meta http-equiv="Content-Security-Policy" content="${policy}" />`.markup,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${TITLE}</title>`,
    `<style>${STYLE}</style>`,
    html`<main>
      <h1>${TITLE}</h1>
      ${nodes}
    </main>`.markup,
    '</html>\n',
  ].join('\n')
}

/** Writes rows as a table; the first cell opens what explains its row. */
function pageTable(rows: ReportRows): Html {
  const { columns, count } = rows
  const titles = columns.map(
    ({ title, align }) =>
      html`<th ${{ markup: align === 'right' ? 'class="number"' : '' }}>${title}</th>`,
  )
  const body = Array.from({ length: count }, (_, index) => {
    const row = rows.row(index)
    const read = rows.read(row)
    const [name = '', ...cells] = columns.map(({ cell }) => cellText(cell(read), formatCount))
    const about = reportLines(rows.about(row)).join('\n')
    const first =
      about === ''
        ? html`${name}`
        : html`<details>
            <summary>${name}</summary>
            <pre>${about}</pre>
          </details>`
    const others = cells.map((text, at) => {
      const isText = columns[at + 1]?.align !== 'right'
      return html`<td ${{ markup: isText ? 'class="text"' : '' }}>${text}</td>`
    })
    return html`<tr>
      <th>${first}</th>
      ${others}
    </tr>`
  })
  return html`<table>
    <thead>
      <tr>
        ${titles}
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
  </table>`
}
