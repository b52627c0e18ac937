import type { AnyDialogKind, DialogKind, KeyTable } from '../context/key-table.ts'
import type { Action, ScreenPane } from '../context/screen-pane.ts'
import { switchAnswers } from '../changes/answer-question.ts'
import { beginStepByHand, beginTurnByHand, whyNoChange } from '../changes/change-session.ts'
import { repeatCall } from '../changes/make-call.ts'
import { startWriting, writingActions } from '../changes/writing-actions.ts'
import { helpDialog } from '../dialogs/dialogs.tsx'
import { paletteDialog } from '../dialogs/palette-dialog.tsx'
import { askWhy, whyDialog } from '../dialogs/why-dialog.tsx'
import { scenarioActions } from '../dialogs/tests-dialog.tsx'
import { scrollBy } from '../panes/chat-pane.tsx'
import { alwaysActions, filterActions, globalActions } from '../keys/global-actions.ts'

const OWN_ACTIONS: readonly Action[] = [
  { id: 'screen.repeat', title: 'Make the last call again', keys: ['.'], run: repeatCall },
  {
    id: 'screen.answers',
    title: 'Answer questions here, or only follow',
    keys: ['w'],
    when: ({ attach }) => attach !== null,
    run: switchAnswers,
  },
  {
    id: 'screen.talk',
    title: 'Write to the model',
    verb: 'chat',
    keys: ['>'],
    whyNot: whyNoChange,
    run: startWriting,
  },
  { id: 'screen.step', title: 'Begin a step without a model', keys: ['b'], run: beginStepByHand },
  { id: 'screen.turn', title: 'Begin a turn without a message', keys: ['B'], run: beginTurnByHand },
]

/** The conversation scrolls while a message is written. */
const writingScrolls: readonly Action[] = [
  {
    id: 'writing.page-up',
    title: 'Previous page',
    keys: ['pageup'],
    run: (context) => scrollBy(context, (page) => -page),
  },
  {
    id: 'writing.page-down',
    title: 'Next page',
    keys: ['pagedown'],
    run: (context) => scrollBy(context, (page) => page),
  },
]

/** Builds the table from the panes of a screen, in order, and its dialogs. */
export function buildKeyTable(
  panes: readonly ScreenPane[],
  dialogs: readonly AnyDialogKind[],
): KeyTable {
  const kinds: readonly AnyDialogKind[] = [
    helpDialog(() => table),
    paletteDialog(() => table),
    whyDialog(() => table),
    ...dialogs,
  ]
  const whyAction: Action = {
    id: 'screen.ask',
    title: 'Ask why: of a row, a name, an entry, a step, or a sentence',
    verb: 'ask',
    keys: ['W'],
    run: (context) => askWhy(panes, context),
  }
  const table: KeyTable = {
    panes,
    dialogs: new Map(kinds.map((one) => [one.kind, one as DialogKind])),
    scopes: [
      { id: 'always', title: 'Always', actions: alwaysActions },
      {
        id: 'screen',
        title: 'In every pane',
        actions: globalActions(panes, [...OWN_ACTIONS, whyAction, ...scenarioActions]),
      },
      ...panes.map(({ id, title, actions }) => ({ id, title, actions })),
      { id: 'filter', title: 'While typing a filter', actions: filterActions(panes) },
      {
        id: 'writing',
        title: 'While writing to the model',
        actions: [...writingActions, ...writingScrolls],
      },
      ...kinds.map(({ kind, actions }) => ({ id: kind, title: `Dialog: ${kind}`, actions })),
    ],
  }
  return table
}
