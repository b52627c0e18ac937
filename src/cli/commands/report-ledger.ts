import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import type { LedgerGroup } from '../../render/ink/views/ledger-group.ts'
import { ledgerRows } from '../../render/ink/views/ledger-rows.ts'
import { shareText } from '../../render/ink/parts/share-bar.ts'
import type { WorkspaceLedger } from '../../workspace/offer/workspace-ledger.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { paint } from '../shell/paint.ts'
import { writeTable } from '../shell/write-table.ts'

/** What a prompt costs, as the ledger pane tells it, section by section first. */
export function reportLedger(ledger: WorkspaceLedger, context: CliContext): void {
  const { tokens, tokenizer, sections, exposure, notes } = ledger
  context.stdout.write(`${formatCount(tokens)} tokens (${sanitiseLine(tokenizer)})\n`)
  const bySection = {
    title: 'By section',
    whole: tokens,
    rows: sections.map(({ id, tokens: own }) => ({ id, label: id, tokens: own })),
  }
  for (const group of [bySection, ...ledgerRows(ledger, ledger)]) writeGroup(group, context)
  const { strategy, provider, why } = exposure
  context.stdout.write(`\n${sanitiseLine(`Exposure: ${strategy}, for ${provider}. ${why}`)}\n`)
  for (const { message } of notes) {
    context.stdout.write(`${paint('note', 'yellow', context)}: ${sanitiseLine(message)}\n`)
  }
}

function writeGroup({ title, whole, rows }: LedgerGroup, context: CliContext): void {
  const shown = rows.filter(({ tokens }) => tokens > 0)
  if (shown.length === 0) return
  context.stdout.write('\n')
  writeTable(
    ['tokens', 'share', title],
    shown.map(({ label, tokens }) => [
      { text: formatCount(tokens) },
      { text: shareText(tokens, whole) },
      { text: label },
    ]),
    context,
  )
}
