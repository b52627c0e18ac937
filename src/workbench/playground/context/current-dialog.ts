import type { Dialog, DialogOf } from './ui-state.ts'
import type { PlaygroundContext } from './playground-context.ts'

/** Returns the open dialog if it is of this kind. */
export function currentDialog<Kind extends Dialog['kind']>(
  { ui }: Pick<PlaygroundContext, 'ui'>,
  kind: Kind,
): DialogOf<Kind> | null {
  const { dialog } = ui.getState()
  return dialog?.kind === kind ? (dialog as DialogOf<Kind>) : null
}

/** Changes the open dialog if it is of this kind. */
export function changeDialog<Kind extends Dialog['kind']>(
  context: Pick<PlaygroundContext, 'ui'>,
  kind: Kind,
  change: (dialog: DialogOf<Kind>) => Partial<DialogOf<Kind>>,
): void {
  const dialog = currentDialog(context, kind)
  if (dialog !== null) context.ui.setState({ dialog: { ...dialog, ...change(dialog) } as Dialog })
}

/** Closes the open dialog, whatever its kind. */
export function closeDialog({ ui }: Pick<PlaygroundContext, 'ui'>): void {
  ui.setState({ dialog: null })
}
