import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { NextRequest } from '../context/next-price.ts'
import { type PricedSection, pricedRequest } from '../panes/priced-prompt.ts'
import { formatCount, shareText } from '../../render/ink/parts/format-count.ts'
import type { LedgerGroup } from '../../render/ink/views/ledger-rows.ts'
import type { PromptFormat } from '../../render/prompt/forms/write-prompt.ts'
import { html, type Html } from './html.ts'

/** Writes the parts of the next request as the screen shows them, each row with what is cached, and the cut. */
export function requestPieces(
  next: NextRequest,
  counter: TokenCounter,
  format: PromptFormat,
): readonly Html[] {
  const { parts = [], sections, tools } = pricedRequest(next, counter, format)
  const titles = { tools: 'Tools', instructions: 'Instructions', conversation: 'Conversation' }
  return parts.map(({ placement, tokens, figures, remark = '' }) => {
    const rows =
      placement === 'tools' ? tools() : sections.filter((one) => one.placement === placement)
    const cached = figures === undefined ? '' : `, ${formatCount(figures.kept)} cached`
    return html`<section>
      <h3>${titles[placement]} ${remark} <i>${formatCount(tokens)} tokens${cached}</i></h3>
      <table>
        <tr>
          <th scope="col"></th>
          ${['tokens', 'cached', 'change'].map((title) => html`<td>${title}</td>`)}
        </tr>
        ${rows.map(rowOf)}
      </table>
    </section>`
  })
}

function rowOf({ title, tokens, figures, fresh, wasSent }: PricedSection): Html {
  const mark = [fresh === true ? '+ ' : '', figures?.isCut === true ? '✂ ' : ''].join('')
  const change = figures?.change ?? 0
  return html`<tr>
    <th scope="row">${mark}${title}</th>
    <td>${wasSent === true ? `(${formatCount(tokens)})` : formatCount(tokens)}</td>
    <td>${figures === undefined ? '' : formatCount(figures.kept)}</td>
    <td>${change === 0 ? '' : `${change > 0 ? '+' : ''}${formatCount(change)}`}</td>
  </tr>`
}

/** Writes rows of the ledger with their shares. */
export function ledgerPiece({ title, whole, rows }: LedgerGroup): Html {
  const lines = rows.map(
    ({ label, tokens }) =>
      html`<tr>
        <th scope="row">${label}</th>
        <td>${formatCount(tokens)}</td>
        <td>${shareText(tokens, whole)}</td>
      </tr>`,
  )
  return html`<section>
    <h3>${title} <i>${formatCount(whole)} tokens</i></h3>
    <table>
      ${lines}
    </table>
  </section>`
}
