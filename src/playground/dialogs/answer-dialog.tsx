import { envelopeLines } from '../../render/ink/views/envelope-lines.ts'
import { EnvelopeView } from '../../render/ink/views/envelope-view.tsx'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { closeDialog } from '../context/current-dialog.ts'
import type { DialogOf } from '../context/dialog.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import { noteSize } from '../context/drawn-size.ts'

/** What a call answered with. */
export const answerDialog: DialogKind<'answer'> = {
  kind: 'answer',
  title: ({ tool, response }) => `${tool} ${response.ok ? 'answered' : 'failed'}`,
  actions: [
    { id: 'answer.close', title: 'Close', keys: ['q', 'enter'], run: closeDialog },
    ...scrollActions('answer', linesOf),
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
