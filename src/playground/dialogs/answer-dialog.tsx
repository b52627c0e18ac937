import { closeDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { envelopeLines, EnvelopeView } from '../../render/ink/views/envelope-view.tsx'

const answerCache = identityMemo<readonly string[]>()

/** The response of a call. */
export const answerDialog: DialogKind<'answer'> = {
  kind: 'answer',
  title: ({ tool, response }) => `${tool} ${response.ok ? 'succeeded' : 'failed'}`,
  actions: [
    { id: 'answer.close', title: 'Close', keys: ['q', 'enter'], run: closeDialog },
    ...scrollActions('answer', ({ response }, width) =>
      answerCache([response], `${width}`, () => envelopeLines(response, width)),
    ),
  ],
  View({ dialog, context, width, height, theme }) {
    rememberDrawnSize(context, 'answer', { width, height })
    const { response, scroll } = dialog
    return <EnvelopeView {...{ response, width, height, scroll, theme }} />
  },
}
