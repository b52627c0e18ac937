import { currentDialog } from '../context/current-dialog.ts'
import type { DialogOf } from '../context/ui-state.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/screen-pane.ts'
import { drawnSize } from '../context/screen-layout.ts'

type Scrolling = 'help' | 'answer' | 'call' | 'tests' | 'consent'

/** Returns the lines of a dialog at a width. */
type LinesOf<Kind extends Scrolling> = (
  dialog: DialogOf<Kind>,
  width: number,
  context: PlaygroundContext,
) => readonly unknown[]

/** A key that scrolls. */
interface ScrollKey extends Pick<Action, 'id' | 'title' | 'keys'> {
  /** Returns the number of lines to scroll, given the lines of a page. */
  by(page: number): number
}

const ARROWS: readonly ScrollKey[] = [
  { id: 'up', title: 'Scroll up', keys: ['up'], by: () => -1 },
  { id: 'down', title: 'Scroll down', keys: ['down'], by: () => 1 },
  { id: 'page-up', title: 'Previous page', keys: ['pageup'], by: (page) => -page },
  { id: 'page-down', title: 'Next page', keys: ['pagedown'], by: (page) => page },
]

/** Additional keys in dialogs without a text field. */
const LETTERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['up', ['k']],
  ['down', ['j']],
  ['page-down', ['space']],
])

const ENDS: readonly ScrollKey[] = [
  { id: 'first', title: 'Go to the start', keys: ['g', 'home'], by: () => -Infinity },
  { id: 'last', title: 'Go to the end', keys: ['G', 'end'], by: () => Infinity },
]

/** Returns the keys that scroll a text, as actions. They pass on the lines to scroll, given those of a page. */
export function scrollKeys(
  scope: string,
  scroll: (context: PlaygroundContext, by: ScrollKey['by']) => void,
): readonly Action[] {
  const arrows = ARROWS.map((one) => ({
    ...one,
    keys: [...(LETTERS.get(one.id) ?? []), ...one.keys],
  }))
  return makeActions(scope, [...arrows, ...ENDS], scroll)
}

function makeActions(
  scope: string,
  table: readonly ScrollKey[],
  scroll: Parameters<typeof scrollKeys>[1],
): readonly Action[] {
  return table.map(({ id, title, keys, by }) => ({
    id: `${scope}.${id}`,
    title,
    keys,
    run: (context) => scroll(context, by),
  }))
}

/** The actions that scroll a dialog without a text field. */
export function scrollActions<Kind extends Scrolling>(
  kind: Kind,
  linesOf: LinesOf<Kind>,
): readonly Action[] {
  return scrollKeys(kind, scrollDialog(kind, linesOf))
}

/** The actions that scroll the text below a text field, where letters are typed. */
export function arrowActions<Kind extends Scrolling>(
  kind: Kind,
  linesOf: LinesOf<Kind>,
): readonly Action[] {
  return makeActions(kind, ARROWS, scrollDialog(kind, linesOf))
}

function scrollDialog<Kind extends Scrolling>(kind: Kind, linesOf: LinesOf<Kind>) {
  return (context: PlaygroundContext, by: ScrollKey['by']) => {
    const dialog = currentDialog(context, kind)
    if (dialog === null) return
    const { scroll = 0 }: { readonly scroll?: number } = dialog
    const { width, height } = drawnSize(context, kind)
    const last = Math.max(0, linesOf(dialog, width, context).length - height)
    const to = Math.min(last, scroll + by(Math.max(1, height - 1)))
    context.ui.setState({ dialog: { ...dialog, scroll: Math.max(0, to) } })
  }
}
