import { Box, Text, useInput, useIsScreenReaderEnabled, usePaste, useWindowSize } from 'ink'
import { memo, useEffect, type ReactElement } from 'react'
import { fitText } from '../../render/ink/parts/fit-text.ts'
import { foreignMark } from '../../render/ink/parts/foreign-mark.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { Pane as Frame } from '../../render/ink/parts/pane.tsx'
import type { Theme } from '../../render/ink/parts/theme.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiState } from '../context/ui-state.ts'
import { useReader } from '../context/use-reader.ts'
import { useShown } from '../context/use-shown.ts'
import { handlePaste, handleStrokes } from '../keys/handle-strokes.ts'
import { strokesOf } from '../keys/strokes-of.ts'
import { pricedPrompt } from '../panes/priced-prompt.ts'
import { focusedPane } from '../context/focus.ts'
import type { KeyTable } from '../context/key-table.ts'
import { layoutOf } from '../context/layout.ts'
import type { Pane, PaneProps } from '../context/pane.ts'
import { DialogOverlay } from './dialog-overlay.tsx'
import { footerSpans } from './footer-spans.ts'
import { headerText } from './header-text.ts'
import { ReportLine } from './report-line.tsx'

export interface ScreenProps {
  readonly context: PlaygroundContext
  readonly table: KeyTable
  readonly theme: Theme
  /** The terminal's own size when absent. */
  readonly size?: { readonly columns: number; readonly rows: number }
}

/** The whole screen: header, panes, what the last change came to, keys; and a dialog over them. */
export function Screen({ context, table, theme, size }: ScreenProps): ReactElement {
  const terminal = useWindowSize()
  const { columns, rows } = size ?? terminal
  const isSpoken = useIsScreenReaderEnabled()
  const { ui } = context
  const state = useShown(context, selectAll)
  useShown(context, () => context.workspace().store.getState())
  useShown(context, context.frames.busy)
  useReader(context)
  useInput((input, key) => void handleStrokes(strokesOf(input, key), context, table))
  usePaste((text) => handlePaste(text, context, table))
  useEffect(() => ui.setState({ size: { columns, rows } }), [ui, columns, rows])

  const { panes } = table
  const focus = panes.indexOf(focusedPane(panes, state))
  const layout = layoutOf({ columns, rows }, panes.length, focus, isSpoken ? 1 : panes.length)
  if (layout === null) {
    return (
      <Box flexShrink={0} width={columns} height={rows}>
        <Text>Too small: needs 24x8.</Text>
      </Box>
    )
  }
  return (
    <Box flexDirection="column" flexShrink={0} width={columns} height={rows}>
      <Header context={context} width={columns} theme={theme} />
      <Box flexShrink={0} height={layout.body.height} width={columns}>
        {layout.panes.map(({ index, width, height }) => {
          const pane = panes[index]
          if (pane === undefined) return null
          const status = pane.status(context)
          const focused = pane === focusedPane(panes, state)
          return (
            <FramedPane
              key={pane.id}
              {...{ pane, place: index + 1, status, focused, context, width, height, theme }}
            />
          )
        })}
        <DialogOverlay context={context} table={table} theme={theme} body={layout.body} />
      </Box>
      <ReportLine {...{ state, panes, theme }} width={columns} height={layout.reportRows} />
      <Line theme={theme} width={columns} spans={footerSpans(context, table)} />
    </Box>
  )
}

/** All that only the screen cares about. */
function selectAll(state: UiState): UiState {
  return state
}

type PartProps = Pick<ScreenProps, 'context' | 'theme'> & { readonly width: number }

function Header({ context, width, theme }: PartProps): ReactElement {
  const reader = context.reader()
  const { moment } = context.ui.getState()
  const last = context.entries().length - 1
  const text = headerText({
    session: reader.session,
    agent: reader.agent?.name ?? null,
    moment,
    last,
    isForeign: context.foreign().has(last),
    sign: foreignMark(theme).sign,
    live: context.live,
    followed: context.followed,
    tokens: pricedPrompt(context).ledger.tokens,
    tokenizer: reader.tokenizer,
  })
  const spans = [{ text: fitText(text, width, theme), bold: true, inverse: moment !== null }]
  return <Line theme={theme} width={width} spans={spans} />
}

interface FramedPaneProps extends PaneProps {
  readonly pane: Pane
  /** The key that leads to it. */
  readonly place: number
  readonly status: string
}

/** A pane in its frame. Drawn anew only when it is told something else, or its view asks for it. */
const FramedPane = memo(function FramedPane({
  pane: { title, View },
  place,
  status,
  ...props
}: FramedPaneProps): ReactElement {
  const { context, focused, width, height, theme } = props
  return (
    <Frame title={`${place} ${title}`} {...{ status, focused, width, height, theme }}>
      <View {...{ context, focused, theme }} width={width - 2} height={height - 2} />
    </Frame>
  )
})
