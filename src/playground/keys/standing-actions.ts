import type { Action } from '../context/action.ts'

/** What its keys mean whatever is open. */
export const standingActions: readonly Action[] = [
  {
    id: 'screen.leave',
    title: 'Quit at once, without asking',
    keys: ['ctrl+c'],
    run: (context) => context.exit(),
  },
  {
    id: 'screen.stop',
    title: 'Stop, and go on with "fg"',
    keys: ['ctrl+z'],
    run: (context) => context.stop(),
  },
  {
    id: 'screen.redraw',
    title: 'Draw the screen anew',
    keys: ['ctrl+l'],
    run: (context) => context.redraw(),
  },
]
