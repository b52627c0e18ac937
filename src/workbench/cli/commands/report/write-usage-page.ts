import { hash } from 'node:crypto'
import { PAGE_STYLE } from '../../../playground/page/page-style.ts'
import type { Report } from '../../../report/report.ts'
import { html, type Html, writeRows } from '../../../report/writers/html.ts'

const TITLE = 'Loadout report'

/** Writes a report as one page without scripts, which needs no other file and no network. */
export function writeUsagePage(report: Report): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'`
  const nodes = report.flatMap((node): readonly Html[] => {
    switch (node.kind) {
      case 'heading':
        return [html`<h2>${node.text}</h2>`]
      case 'text':
      case 'action':
        return [html`<p>${node.text}</p>`]
      case 'rows':
        return writeRows(node, node.count, () => [])
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
    `<style>${PAGE_STYLE}</style>`,
    html`<main>
      <h1>${TITLE}</h1>
      ${nodes}
    </main>`.markup,
    '</html>\n',
  ].join('\n')
}
