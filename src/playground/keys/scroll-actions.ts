import { currentDialog } from '../context/current-dialog.ts'
import type { DialogOf } from '../context/ui-state.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/screen-pane.ts'
import { drawnSize } from '../context/screen-layout.ts'

type Scrolling = 'details' | 'difference' | 'answer' | 'confirm' | 'call'

/** What is scrolled, in lines of a width. */
type LinesOf<Kind extends Scrolling> = (
  dialog: DialogOf<Kind>,
  width: number,
  context: PlaygroundContext,
) => readonly unknown[]

/** A key that scrolls: how far, of so many lines with so many in view. */
interface ScrollKey {
  readonly id: string
  readonly title: string
  readonly keys: readonly string[]
  /** Lines, from the page in view. */
  by(page: number): number
}

const ARROWS: readonly ScrollKey[] = [
  { id: 'up', title: 'Line above', keys: ['up'], by: () => -1 },
  { id: 'down', title: 'Line below', keys: ['down'], by: () => 1 },
  { id: 'page-up', title: 'Page above', keys: ['pageup'], by: (page) => -page },
  { id: 'page-down', title: 'Page below', keys: ['pagedown'], by: (page) => page },
]

/** What else scrolls where no text is typed. */
const LETTERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['up', ['k']],
  ['down', ['j']],
  ['page-down', ['space']],
])

const ENDS: readonly ScrollKey[] = [
  { id: 'first', title: 'To the beginning', keys: ['g', 'home'], by: () => -Infinity },
  { id: 'last', title: 'To the end', keys: ['G', 'end'], by: () => Infinity },
]

/** What scrolls a dialog that is read. */
export function scrollActions<Kind extends Scrolling>(
  kind: Kind,
  linesOf: LinesOf<Kind>,
): readonly Action[] {
  const keys = ARROWS.map((one) => ({
    ...one,
    keys: [...(LETTERS.get(one.id) ?? []), ...one.keys],
  }))
  return actionsOf(kind, [...keys, ...ENDS], linesOf)
}

/** What scrolls the text beside a field that is typed into: letters type there. */
export function arrowActions<Kind extends Scrolling>(
  kind: Kind,
  linesOf: LinesOf<Kind>,
): readonly Action[] {
  return actionsOf(kind, ARROWS, linesOf)
}

function actionsOf<Kind extends Scrolling>(
  kind: Kind,
  keys: readonly ScrollKey[],
  linesOf: LinesOf<Kind>,
): readonly Action[] {
  return keys.map(({ id, title, keys, by }) => ({
    id: `${kind}.${id}`,
    title,
    keys,
    run(context) {
      const dialog = currentDialog(context, kind)
      if (dialog === null) return
      const { scroll = 0 }: { readonly scroll?: number } = dialog
      const { width, height } = drawnSize(context, kind)
      const last = Math.max(0, linesOf(dialog, width, context).length - height)
      const to = Math.min(last, scroll + by(Math.max(1, height - 1)))
      context.ui.setState({ dialog: { ...dialog, scroll: Math.max(0, to) } })
    },
  }))
}
