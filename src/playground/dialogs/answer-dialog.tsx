import { envelopeLines } from '../../render/ink/envelope-lines.ts'
import { EnvelopeView } from '../../render/ink/envelope-view.tsx'
import { identityMemo } from '../../render/prompt/identity-memo.ts'
import type { DialogKind, DialogOf } from '../parts/dialog-kind.ts'
import { noteSize, sizeOf } from '../parts/drawn-size.ts'
import { closeDialog } from '../context/current-dialog.ts'
import { scrollActions } from '../keys/scroll-actions.ts'

/** What a call answered with. */
export const answerDialog: DialogKind<'answer'> = {
  kind: 'answer',
  title: ({ tool, response }) => `${tool} ${response.ok ? 'answered' : 'failed'}`,
  actions: [
    { id: 'answer.close', title: 'Close', keys: ['q', 'enter'], run: closeDialog },
    ...scrollActions(
      'answer',
      (dialog, context) => linesOf(dialog, sizeOf(context, 'answer').width).length,
    ),
  ],
  View({ dialog, context, width, height, theme }) {
    noteSize(context, 'answer', { width, height })
    const { response, scroll } = dialog
    return <EnvelopeView {...{ response, scroll, width, height, theme }} />
  },
}

const kept = identityMemo<readonly string[]>()

function linesOf({ response }: DialogOf<'answer'>, width: number): readonly string[] {
  return kept([response], `${width}`, () => envelopeLines(response, width))
}
