import type { PromptLedger, TokenCounter, WorkspaceReader } from '../../../entries/index.ts'
import {
  formatCount,
  type LedgerGroup,
  ledgerRows,
  type PromptFormat,
  shareText,
} from '../../../entries/plan.ts'
import type { PromptViewPart } from '../../../entries/ink-views.ts'
import type { NextRequest } from '../context/next-price.ts'
import { type PricedSection, pricedRequest } from '../panes/priced-prompt.ts'
import { cachedLedger } from '../../report/facts/request-report.ts'
import { html, type Html } from '../../report/writers/html.ts'

/** Writes the next request as the screen shows it: its parts, each row with what is cached, and its ledger. */
export function requestPieces(
  next: NextRequest,
  ledger: PromptLedger,
  reader: WorkspaceReader,
  counter: TokenCounter,
): readonly Html[] {
  const { format = 'markdown' } = reader.state.prompt
  const { parts = [], sections, tools } = pricedRequest(next, counter, format as PromptFormat)
  // The first group has the parts, without their rows.
  const [, ...groups] = ledgerRows(ledger, next.cost, cachedLedger(reader.figures.ledger()))
  return [
    ...parts.map((part) => {
      const placed = sections.filter(({ placement }) => placement === part.placement)
      return partPiece(part, part.placement === 'tools' ? tools() : placed)
    }),
    ...groups.map(ledgerPiece),
  ]
}

const TITLES = { tools: 'Tools', instructions: 'Instructions', conversation: 'Conversation' }

function partPiece(
  { placement, tokens, figures, remark = '' }: PromptViewPart,
  rows: readonly PricedSection[],
): Html {
  const cached = figures === undefined ? '' : `, ${figure(figures.kept)} cached`
  return html`<section>
    <h3>${TITLES[placement]} ${remark} <i>${figure(tokens)} tokens${cached}</i></h3>
    <table>
      <tr>
        <th scope="col"></th>
        ${['tokens', 'cached', 'change'].map((title) => html`<td>${title}</td>`)}
      </tr>
      ${rows.map(requestRow)}
    </table>
  </section>`
}

function requestRow({ title, tokens, figures, fresh, wasSent }: PricedSection): Html {
  const mark = [fresh === true ? '+ ' : '', figures?.isCut === true ? '✂ ' : ''].join('')
  const change = figures?.change ?? 0
  return html`<tr>
    <th scope="row">${mark}${title}</th>
    <td>${wasSent === true ? `(${figure(tokens)})` : figure(tokens)}</td>
    <td>${figures === undefined ? '' : figure(figures.kept)}</td>
    <td>${change === 0 ? '' : `${change > 0 ? '+' : ''}${formatCount(change)}`}</td>
  </tr>`
}

/** Writes a figure; a point for one that nobody knows. */
function figure(count: number | null): string {
  return count === null ? '·' : formatCount(count)
}

/** Writes rows of the ledger with their shares. */
function ledgerPiece({ title, whole, rows }: LedgerGroup): Html {
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
