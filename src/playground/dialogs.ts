import type { AnyDialogKind } from './dialog-kind.ts'
import { answerDialog } from './dialogs/answer-dialog.tsx'
import { callDialog } from './dialogs/call-dialog.tsx'
import { confirmDialog } from './dialogs/confirm-dialog.tsx'
import { detailsDialog } from './dialogs/details-dialog.tsx'
import { differenceDialog } from './dialogs/difference-dialog.tsx'
import { lifetimeDialog } from './dialogs/lifetime-dialog.tsx'
import { quitDialog } from './dialogs/quit-dialog.tsx'

/** The dialogs of the playground, but for help and palette, which need the table of keys. */
export const DIALOGS: readonly AnyDialogKind[] = [
  quitDialog,
  lifetimeDialog,
  detailsDialog,
  differenceDialog,
  callDialog,
  confirmDialog,
  answerDialog,
]
