import * as ink from 'ink'
import { Box, type DOMElement, Text } from 'ink'
import { memo, type ReactElement, type ReactNode, useContext, useEffect, useRef } from 'react'
import {
  Line,
  otherProcessMark,
  Pane as Frame,
  RowHitsContext,
  type Theme,
} from '../../../entries/ink-views.ts'
import type { KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type Area, currentLayout, rightSide } from '../context/screen-layout.ts'
import {
  focusedPane,
  paneTitle,
  type ScreenPane,
  type ScreenPaneProps,
} from '../context/screen-pane.ts'
import { AS_SENT } from '../context/sent-steps.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { handlePaste, handleStrokes } from '../keys/handle-strokes.ts'
import { readStrokes } from '../keys/key-name.ts'
import { observedFacts } from '../../report/facts/request-report.ts'
import { Footer, headerSpans, ReportLine } from './report-line.tsx'

export interface ScreenProps {
  readonly context: PlaygroundContext
  readonly table: KeyTable
  readonly theme: Theme
  /** The terminal's own size when absent. */
  readonly size?: { readonly columns: number; readonly rows: number }
  /** Shown instead of the panes. */
  readonly children?: ReactNode
}

/** The complete screen: header, panes, report of the last change, keys; and a dialog over the panes. */
export function Screen({ context, table, theme, size, children }: ScreenProps): ReactElement {
  const terminal = ink.useWindowSize()
  const { columns, rows } = size ?? terminal
  const isSpoken = ink.useIsScreenReaderEnabled()
  const { ui } = context
  const state = useShown(context, (all) => all)
  useShown(context, () => context.workspace().store.getState())
  useShown(context, context.frames.busy)
  useShown(context, context.next)
  useReader(context)
  ink.useInput((input, key) => void handleStrokes(readStrokes(input, key), context, table))
  ink.usePaste((text) => handlePaste(text, context, table))
  useEffect(() => ui.setState({ size: { columns, rows } }), [ui, columns, rows])

  const { panes } = table
  const layout = currentLayout(context, panes, { columns, rows }, isSpoken)
  const hits = useContext(RowHitsContext)
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
        <RowHitsContext value={state.dialog === null ? hits : null}>
          {children ??
            layout.panes.map(({ pane, named, left, top, width, height }) => (
              <Box
                key={pane.id}
                position="absolute"
                {...{ left, width, height }}
                top={top - layout.body.top}
              >
                <FramedPane
                  {...{ pane, context, width, height, theme }}
                  tabs={named.map(paneTitle).join('\n')}
                  status={pane.status(context)}
                  focused={pane === focusedPane(panes, state)}
                />
              </Box>
            ))}
        </RowHitsContext>
        <DialogOverlay
          {...{ context, table, theme }}
          body={layout.body}
          right={rightSide(layout)}
        />
      </Box>
      <ReportLine
        {...{ state, panes, theme }}
        hidden={
          children === undefined
            ? panes.filter((pane) => layout.panes.every(({ named }) => !named.includes(pane)))
            : []
        }
        asked={context.workspace().state.confirmations}
        width={columns}
        height={layout.reportRows}
      />
      <Footer {...{ context, table, theme }} width={columns} />
    </Box>
  )
}

/** The codes of findings about code of a folder that is not run until somebody trusts it. */
const UNTRUSTED: ReadonlySet<string> = new Set(['handler-untrusted', 'config-untrusted'])

function Header({
  context,
  width,
  theme,
}: Pick<ScreenPaneProps, 'context' | 'width' | 'theme'>): ReactElement {
  const reader = context.reader()
  const { moment, sentAs, answers, tested } = context.ui.getState()
  const { diagnostics } = reader.catalog
  const last = context.entries().length - 1
  const observed = observedFacts(reader.state)
  const spans = headerSpans({
    ...(observed && { observed }),
    session: reader.session,
    agent: reader.agent?.name ?? null,
    moment,
    last,
    isForeign: context.foreign().has(last),
    sign: otherProcessMark(theme).sign,
    live: context.live,
    followed: context.followed,
    answers,
    mode: reader.state.policy.mode,
    next: context.next(),
    isOtherPrice: sentAs !== AS_SENT,
    tested,
    asked: context.workspace().state.confirmations.length,
    findings: diagnostics.filter(({ severity }) => severity !== 'info').length,
    trusted: !diagnostics.some(({ code }) => UNTRUSTED.has(code)),
    tokenizer: reader.figures.tokenizer,
  })
  return <Line theme={theme} width={width} spans={spans} />
}

/** A pane in its frame. Drawn again only when its properties change or its view requests it. */
export const FramedPane = memo(function FramedPane({
  pane,
  tabs,
  status,
  ...props
}: ScreenPaneProps & {
  readonly pane: ScreenPane
  /** The titles of the panes that share the frame, one a line: a text, so that equal ones are the same. */
  readonly tabs: string
  readonly status: string
}): ReactElement {
  const { context, focused, width, height, theme } = props
  const { View } = pane
  return (
    <Frame
      title={paneTitle(pane)}
      tabs={tabs.split('\n')}
      {...{ status, focused, width, height, theme }}
    >
      <View {...{ context, focused, theme }} width={width - 2} height={height - 2} />
    </Frame>
  )
})

/** The most columns of a dialog: wider ones are hard to read. */
const WIDEST = 110

/** The open dialog, centred over the panes, or over the part of them that is at the right of the lists. */
function DialogOverlay({
  context,
  table,
  theme,
  ...areas
}: Pick<ScreenProps, 'context' | 'table' | 'theme'> &
  Readonly<Record<'body' | 'right', Area>>): ReactElement {
  const { dialog } = context.ui.getState()
  const kind = dialog === null ? undefined : table.dialogs.get(dialog.kind)
  if (dialog === null || kind === undefined) return <></>
  const body = kind.isBesideLists === true ? areas.right : areas.body
  const width = Math.min(WIDEST, body.width)
  const height = Math.min(body.height, (kind.rows ?? body.height) + 2)
  const { View } = kind
  return (
    <DialogBox
      left={body.left + Math.floor((body.width - width) / 2)}
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
    </DialogBox>
  )
}

/** The place of the open dialog. A click elsewhere closes it. */
function DialogBox({ children, ...area }: Area & { readonly children: ReactNode }): ReactElement {
  const element = useRef<DOMElement>(null)
  const hits = useContext(RowHitsContext)
  useEffect(() => hits?.add({ element: () => element.current, keyAt: () => 'dialog', scroll() {} }))
  return (
    <Box ref={element} position="absolute" {...area}>
      {children}
    </Box>
  )
}
