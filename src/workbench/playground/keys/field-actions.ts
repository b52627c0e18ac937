import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/screen-pane.ts'
import { deleteAfter, deleteBefore, type TextField } from '../text/text-field.ts'

/** Returns the keys of the text field of a scope that type nothing, as actions that change it. */
export function fieldActions(
  scope: string,
  change: (context: PlaygroundContext, to: (now: TextField) => TextField) => void,
): readonly Action[] {
  return FIELD_KEYS.map(({ id, to, ...action }) => ({
    ...action,
    id: `${scope}.${id}`,
    run: (context) => change(context, to),
  }))
}

const FIELD_KEYS: readonly (Pick<Action, 'id' | 'title' | 'keys'> & {
  readonly to: (now: TextField) => TextField
})[] = [
  {
    id: 'first',
    title: 'Go to the start',
    keys: ['home', 'ctrl+a'],
    to: ({ text }) => ({ text, cursor: 0 }),
  },
  {
    id: 'last',
    title: 'Go to the end',
    keys: ['end'],
    to: ({ text }) => ({ text, cursor: text.length }),
  },
  {
    id: 'delete-before',
    title: 'Delete the character before',
    keys: ['backspace'],
    to: deleteBefore,
  },
  {
    id: 'delete-after',
    title: 'Delete the character after',
    keys: ['delete', 'ctrl+d'],
    to: deleteAfter,
  },
  { id: 'empty', title: 'Delete all text', keys: ['ctrl+u'], to: () => ({ text: '', cursor: 0 }) },
]
