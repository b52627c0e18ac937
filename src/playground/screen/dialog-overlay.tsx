import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { Pane as Frame } from '../../render/ink/parts/pane.tsx'
import type { Theme } from '../../render/ink/parts/theme.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { KeyTable } from '../context/key-table.ts'
import type { Area } from '../context/layout.ts'

/** Wider ones are hard to read. */
const WIDEST = 110

export interface DialogOverlayProps {
  readonly context: PlaygroundContext
  readonly table: KeyTable
  readonly theme: Theme
  /** What it is drawn over. */
  readonly body: Area
}

/** The dialog that is open, in the middle of the panes and over them. */
export function DialogOverlay({ context, table, theme, body }: DialogOverlayProps): ReactElement {
  const { dialog } = context.ui.getState()
  const kind = dialog === null ? undefined : table.dialogs.get(dialog.kind)
  if (dialog === null || kind === undefined) return <></>
  const width = Math.min(WIDEST, body.width)
  const height = Math.min(body.height, (kind.rows ?? body.height) + 2)
  const { View } = kind
  return (
    <Box
      position="absolute"
      left={Math.floor((body.width - width) / 2)}
      top={Math.floor((body.height - height) / 2)}
      width={width}
      height={height}
    >
      <Box position="absolute" flexDirection="column">
        <Text>{Array.from({ length: height }, () => ' '.repeat(width)).join('\n')}</Text>
      </Box>
      <Frame title={kind.title(dialog)} focused width={width} height={height} theme={theme}>
        <View {...{ dialog, context, theme }} width={width - 2} height={height - 2} />
      </Frame>
    </Box>
  )
}
