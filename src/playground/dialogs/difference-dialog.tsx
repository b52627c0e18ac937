import { diffLines, type DiffLine } from '../../render/ink/views/diff-lines.ts'
import { DiffView } from '../../render/ink/views/diff-view.tsx'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { closeDialog } from '../context/current-dialog.ts'
import type { DialogOf } from '../context/dialog.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import { noteSize } from '../context/drawn-size.ts'

/** How two marked moments differ: tools, tokens, prefix kept, and the prompt line by line. */
export const differenceDialog: DialogKind<'difference'> = {
  kind: 'difference',
  title: ({ title }) => title,
  actions: [
    { id: 'difference.close', title: 'Close', keys: ['q', 'enter', 'd'], run: closeDialog },
    ...scrollActions('difference', linesOf),
  ],
  View({ dialog, context, width, height, theme }) {
    noteSize(context, 'difference', { width, height })
    const { tools, document, scroll } = dialog
    return <DiffView {...{ tools, document, scroll, width, height, theme }} />
  },
}

const kept = identityMemo<readonly DiffLine[]>()

function linesOf({ tools, document }: DialogOf<'difference'>, width: number): readonly DiffLine[] {
  return kept([document], `${width}`, () => diffLines(tools, document, width))
}
