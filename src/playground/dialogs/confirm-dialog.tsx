import { Box } from 'ink'
import { Line } from '../../render/ink/parts/line.tsx'
import { ScrolledText } from '../../render/ink/parts/scrolled-text.tsx'
import { wrappedText } from '../../render/ink/parts/wrapped-text.ts'
import { abortCall, approveCall, denyCall, isCalling } from '../changes/call-tool.ts'
import type { DialogOf } from '../context/dialog.ts'
import { scrollActions } from '../keys/scroll-actions.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import { noteSize } from '../context/drawn-size.ts'
import { jsonLines } from '../text/json-lines.ts'

/** Rows above the arguments. */
const HEAD_ROWS = 2

/** A call that a person has to approve: what would be called, and with which arguments. */
export const confirmDialog: DialogKind<'confirm'> = {
  kind: 'confirm',
  title: ({ tool }) => `Call ${tool}?`,
  actions: [
    {
      id: 'confirm.approve',
      title: 'Approve, and make the call',
      keys: ['y'],
      run: approveCall,
    },
    { id: 'confirm.deny', title: 'Deny', keys: ['n'], run: denyCall },
    {
      id: 'confirm.abort',
      title: 'Abort the call',
      keys: ['esc'],
      when: isCalling,
      run: abortCall,
    },
    ...scrollActions('confirm', linesOf),
  ],
  View({ dialog, context, width, height, theme }) {
    const room = Math.max(0, height - HEAD_ROWS)
    noteSize(context, 'confirm', { width, height: room })
    const asks = isCalling(context)
      ? 'Calling. Esc aborts.'
      : 'y approves and calls, n denies, esc leaves it open'
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Line theme={theme} width={width} spans={[{ text: asks, bold: true, tone: 'warning' }]} />
        <Line
          theme={theme}
          width={width}
          spans={[{ text: 'It would be called with', dim: true }]}
        />
        <ScrolledText
          lines={linesOf(dialog, width)}
          scroll={dialog.scroll ?? 0}
          width={width}
          height={room}
          theme={theme}
        />
      </Box>
    )
  },
}

function linesOf({ input }: DialogOf<'confirm'>, width: number): readonly string[] {
  return wrappedText(jsonLines(input).join('\n'), width)
}
