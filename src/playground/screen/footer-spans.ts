import type { Span } from '../../render/ink/parts/line.tsx'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { keyName } from '../keys/key-name.ts'
import { focusedPane } from '../context/focus.ts'
import { actionsOf, type KeyTable } from '../context/key-table.ts'

/** Keys that hold in every pane; told first, so that they are never cut off. */
const FIRST: ReadonlySet<string> = new Set(['screen.help', 'screen.palette', 'screen.quit'])

/** What the last line of the screen says: what is under way, then what keys mean now. */
export function footerSpans(context: PlaygroundContext, table: KeyTable): readonly Span[] {
  const state = context.ui.getState()
  const { dialog, filtering } = state
  const busy = context.frames.busy()
  const pane = focusedPane(table.panes, state).id
  const isPlain = dialog === null && !filtering
  const everywhere = isPlain ? actionsOf(table, 'screen').filter(({ id }) => FIRST.has(id)) : []
  const own = actionsOf(table, dialog?.kind ?? (filtering ? 'filter' : pane))
  const actions = [...everywhere, ...own].filter(({ when }) => when?.(context) ?? true)
  const isField = dialog !== null && table.dialogs.get(dialog.kind)?.type !== undefined
  const leaves = isField && actions.every(({ keys }) => !keys.includes('esc'))
  return [
    ...(busy === null ? [] : [{ text: `... ${busy}  `, bold: true }]),
    ...[...actions.slice(0, 1), ...(leaves ? [CLOSE] : []), ...actions.slice(1)].flatMap(
      ({ keys: [first = ''], title }): Span[] => [
        { text: keyName(first), bold: true },
        { text: ` ${title}  `, dim: true },
      ],
    ),
  ]
}

/** What Esc does in every dialog that gives it no meaning; where letters are typed no other key does. */
const CLOSE = { keys: ['esc'], title: 'Close' }
