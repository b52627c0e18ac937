import { Box } from 'ink'
import { Line } from '../../render/ink/parts/line.tsx'
import { closeDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/dialog-kind.ts'

/** Asked before leaving while something is pending. */
export const quitDialog: DialogKind<'quit'> = {
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
