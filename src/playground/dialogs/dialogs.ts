import type { AnyDialogKind } from '../context/dialog-kind.ts'
import { answerDialog } from './answer-dialog.tsx'
import { callDialog } from './call-dialog.tsx'
import { confirmDialog } from './confirm-dialog.tsx'
import { detailsDialog } from './details-dialog.tsx'
import { differenceDialog } from './difference-dialog.tsx'
import { lifetimeDialog } from './lifetime-dialog.tsx'
import { quitDialog } from './quit-dialog.tsx'

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
