import { ScrolledText } from '../../render/ink/parts/scrolled-text.tsx'
import { wrappedText } from '../../render/ink/parts/wrapped-text.ts'
import { closeDialog } from '../context/current-dialog.ts'
import type { DialogOf } from '../context/dialog.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import { noteSize } from '../context/drawn-size.ts'

/** Everything about one row, to be read. */
export const detailsDialog: DialogKind<'details'> = {
  kind: 'details',
  title: ({ title }) => title,
  actions: [
    { id: 'details.close', title: 'Close', keys: ['q', 'enter'], run: closeDialog },
    ...scrollActions('details', linesOf),
  ],
  View({ dialog, context, width, height, theme }) {
    noteSize(context, 'details', { width, height })
    const box = { width, height, theme }
    return <ScrolledText {...box} lines={linesOf(dialog, width)} scroll={dialog.scroll} />
  },
}

function linesOf({ lines }: DialogOf<'details'>, width: number): readonly string[] {
  return wrappedText(lines.join('\n'), width)
}
