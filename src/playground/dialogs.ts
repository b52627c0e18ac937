import type { AnyDialogKind } from './dialog-kind.ts'
import { lifetimeDialog } from './dialogs/lifetime-dialog.tsx'
import { quitDialog } from './dialogs/quit-dialog.tsx'

/** The dialogs of the playground, but for help and palette, which need the table of keys. */
export const DIALOGS: readonly AnyDialogKind[] = [quitDialog, lifetimeDialog]
