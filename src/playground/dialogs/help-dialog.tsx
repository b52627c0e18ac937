import { KeyHelp } from '../../render/ink/views/key-help.tsx'
import { changeDialog, closeDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import type { KeyTable } from '../context/key-table.ts'
import { helpGroups } from './help-groups.ts'

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
