import { Box } from 'ink'
import { changeDialog, closeDialog } from '../context/current-dialog.ts'
import type { AnyDialogKind, DialogKind, KeyScope, KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import type { DialogOf } from '../context/ui-state.ts'
import { answerDialog, callDialog, confirmDialog } from './call-dialog.tsx'
import { lifetimeDialog } from './lifetime-dialog.tsx'
import { keyName } from '../keys/key-name.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import { wrappedText } from '../../render/ink/parts/fit-text.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { ScrolledText } from '../../render/ink/parts/windowed-rows.tsx'
import { type DiffLine, DiffView, diffViewLines } from '../../render/ink/views/diff-view.tsx'
import { KeyHelp, type KeyHelpGroup } from '../../render/ink/views/key-help.tsx'
import { identityMemo } from '../../kernel/identity-memo.ts'

/** Lines that a page key goes; a few less than a small dialog has. */
const PAGE = 10

/** Every key, of the pane that has the keys first. It lists the table that handlers go by. */
export function helpDialog(table: () => KeyTable): DialogKind<'help'> {
  const groupsOf = ({ ui }: PlaygroundContext) => helpGroups(table().scopes, ui.getState().focus)
  const countOf = (context: PlaygroundContext) =>
    groupsOf(context).reduce((sum, { rows }) => sum + 1 + rows.length, 0)
  const scroll = (by: number) => (context: PlaygroundContext) =>
    changeDialog(context, 'help', ({ scroll }) => ({
      scroll: Math.max(0, Math.min(scroll + by, countOf(context) - 1)),
    }))
  return {
    kind: 'help',
    title: () => 'Help',
    actions: [
      { id: 'help.close', title: 'Close help', keys: ['?', 'q', 'enter'], run: closeDialog },
      { id: 'help.up', title: 'Line above', keys: ['k', 'up'], run: scroll(-1) },
      { id: 'help.down', title: 'Line below', keys: ['j', 'down'], run: scroll(1) },
      { id: 'help.page-up', title: 'Page above', keys: ['pageup'], run: scroll(-PAGE) },
      { id: 'help.page-down', title: 'Page below', keys: ['pagedown', 'space'], run: scroll(PAGE) },
      { id: 'help.first', title: 'To the beginning', keys: ['g', 'home'], run: scroll(-Infinity) },
      { id: 'help.last', title: 'To the end', keys: ['G', 'end'], run: scroll(Infinity) },
    ],
    View: ({ dialog, context, ...box }) => (
      <KeyHelp {...box} groups={groupsOf(context)} scroll={dialog.scroll} />
    ),
  }
}

/** Every key there is, under when it holds; what holds for this pane comes first. */
export function helpGroups(scopes: readonly KeyScope[], pane: string): readonly KeyHelpGroup[] {
  const own = scopes.filter(({ id }) => id === pane)
  const others = scopes.filter(({ id }) => id !== pane)
  return [...own, ...others]
    .filter(({ actions }) => actions.length > 0)
    .map(({ title, actions }) => ({
      title,
      rows: actions.map(({ keys, title }) => ({ keys: keys.map(keyName), title })),
    }))
}

/** Asked before leaving while something is pending. */
const quitDialog: DialogKind<'quit'> = {
  kind: 'quit',
  title: () => 'Quit?',
  rows: 2,
  actions: [
    {
      id: 'quit.yes',
      title: 'Quit all the same',
      keys: ['y', 'q', 'enter'],
      run: (context) => context.exit(),
    },
    { id: 'quit.no', title: 'Stay', keys: ['n', 'esc'], run: closeDialog },
  ],
  View: ({ dialog, width, theme }) => (
    <Box flexDirection="column" flexShrink={0}>
      <Line theme={theme} width={width} spans={[{ text: dialog.why }]} />
      <Line theme={theme} width={width} spans={[{ text: 'y quits all the same, n stays' }]} />
    </Box>
  ),
}

/** Everything about one row, to be read. */
const detailsDialog: DialogKind<'details'> = {
  kind: 'details',
  title: ({ title }) => title,
  actions: [
    { id: 'details.close', title: 'Close', keys: ['q', 'enter'], run: closeDialog },
    ...scrollActions('details', detailsLines),
  ],
  View({ dialog, context, width, height, theme }) {
    rememberDrawnSize(context, 'details', { width, height })
    const box = { width, height, theme }
    return <ScrolledText {...box} lines={detailsLines(dialog, width)} scroll={dialog.scroll} />
  },
}

function detailsLines({ lines }: DialogOf<'details'>, width: number): readonly string[] {
  return wrappedText(lines.join('\n'), width)
}

/** How two marked moments differ: tools, tokens, prefix kept, and the prompt line by line. */
const differenceDialog: DialogKind<'difference'> = {
  kind: 'difference',
  title: ({ title }) => title,
  actions: [
    { id: 'difference.close', title: 'Close', keys: ['q', 'enter', 'd'], run: closeDialog },
    ...scrollActions('difference', dialogDifferenceLines),
  ],
  View({ dialog, context, width, height, theme }) {
    rememberDrawnSize(context, 'difference', { width, height })
    const { tools, document, scroll } = dialog
    return <DiffView {...{ tools, document, scroll, width, height, theme }} />
  },
}

const kept = identityMemo<readonly DiffLine[]>()

function dialogDifferenceLines(
  { tools, document }: DialogOf<'difference'>,
  width: number,
): readonly DiffLine[] {
  return kept([document], `${width}`, () => diffViewLines(tools, document, width))
}

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
