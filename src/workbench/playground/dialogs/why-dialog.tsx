import { Box } from 'ink'
import type { ReactElement } from 'react'
import {
  glyphsOf,
  Line,
  type TextSpan,
  WindowedRows,
  wrappedText,
} from '../../../entries/ink-views.ts'
import { identityMemo, sanitiseLine } from '../../../entries/kit.ts'
import type { WhyAnswer } from '../../report/answers/answer-why.ts'
import type { Report, ReportNode } from '../../report/report.ts'
import { printReport, reportLines } from '../../report/writers/print-report.ts'
import { whyNoChange } from '../changes/change-session.ts'
import { commandForName } from '../changes/command-for.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind, KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import { focusedPane, focusPane, type ScreenPane, showTab } from '../context/screen-pane.ts'
import { changePane, type DialogOf } from '../context/ui-state.ts'
import { useShown } from '../context/use-shown.ts'
import { goToEntry } from '../session/follow-timeline.ts'
import { fieldSpans, withoutLastLetter } from '../text/text-field.ts'

/** Opens the dialog with what the row under the cursor is about. */
export function askWhy(panes: readonly ScreenPane[], context: PlaygroundContext): void {
  const { ui } = context
  const state = ui.getState()
  const focused = focusedPane(panes, state)
  const list = panes.find(({ id }) => id === (state.opened ?? state.list))
  const pane = focused.about === undefined ? list : focused
  const text = pane?.about?.(context)?.asks ?? ''
  ui.setState({ dialog: { kind: 'ask', text, isGiven: true, selected: 0, scroll: 0 } })
}

/** Answers why while it is typed: of a tool, a skill, an entry or a step, or of a sentence that is searched for. */
export function whyDialog(table: () => KeyTable): DialogKind<'ask'> {
  return {
    kind: 'ask',
    title: () => 'Why: a name, a sentence, #12, step 3',
    isBesideLists: true,
    type: (context, typed) => write(context, (text, isGiven) => (isGiven ? typed : text + typed)),
    actions: [
      {
        id: 'ask.go',
        title: 'Open its row, or that of the selected result',
        verb: 'open',
        keys: ['enter'],
        run: (context) => openAnswer(context, table().panes),
      },
      {
        id: 'ask.down',
        title: 'Next result, or scroll down',
        verb: 'next',
        keys: ['down', 'tab'],
        run: move(1),
      },
      {
        id: 'ask.up',
        title: 'Previous result, or scroll up',
        verb: 'previous',
        keys: ['up'],
        run: move(-1),
      },
      { id: 'ask.page-up', title: 'Previous page', keys: ['pageup'], run: turnPage(-1) },
      { id: 'ask.page-down', title: 'Next page', keys: ['pagedown'], run: turnPage(1) },
      {
        id: 'ask.delete',
        title: 'Delete the last character',
        keys: ['backspace', 'delete'],
        run: (context) => write(context, withoutLastLetter),
      },
      {
        id: 'ask.empty',
        title: 'Delete all text',
        verb: 'empty',
        keys: ['ctrl+u'],
        run: (context) => write(context, () => ''),
      },
    ],
    View: WhyView,
  }
}

type WhyViewProps = Parameters<DialogKind<'ask'>['View']>[0]

/** The field, the answer to what is typed in it, and the key that changes the status of what Enter opens. */
function WhyView({ dialog, context, width, height, theme }: WhyViewProps): ReactElement {
  rememberDrawnSize(context, 'ask', { width, height: height - 2 })
  const answer = useShown(context, () => context.answers.about(dialog.text))
  const lines = answerLines(answer, width)
  const { text } = dialog
  const field = fieldSpans({ text, cursor: text.length }, width - 4, theme)
  const at = lines.findIndex(({ result }) => result === dialog.selected)
  const { cursor } = glyphsOf(theme)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line theme={theme} width={width} spans={[{ text: 'Why ', bold: true }, ...field]} />
      <WindowedRows
        {...{ width, theme }}
        scroll={dialog.scroll}
        height={height - 2}
        count={lines.length}
        selected={at}
        onScroll={(scroll) => changeDialog(context, 'ask', () => ({ scroll, selected: -1 }))}
        renderRow={(index) => {
          const { result = null, ...span } = lines[index] ?? { text: '' }
          const text = span.text || ' '
          const mark = { text: index === at ? `${cursor} ` : '  ', tone: 'accent' } as const
          const spans = result === null ? [{ ...span, text }] : [mark, { ...span, text }]
          return <Line {...{ width, theme, spans }} />
        }}
      />
      <Line
        {...{ width, theme }}
        spans={[{ text: keyLine(context, answer, dialog) || ' ', bold: true }]}
      />
    </Box>
  )
}

/** A line of an answer; a result of a search has its place. */
interface AnswerLine extends TextSpan {
  readonly result?: number
}

const lineCache = identityMemo<readonly AnswerLine[]>()

function answerLines(answer: WhyAnswer | null, width: number): readonly AnswerLine[] {
  if (answer === null) return []
  return lineCache([answer], `${width}`, () => reportRows(answer.report, width))
}

function reportRows(report: Report, width: number): readonly AnswerLine[] {
  return report.flatMap((node): readonly AnswerLine[] => {
    if (node.kind === 'rows') return tableLines(node, width)
    const look = node.kind === 'heading' ? { bold: true } : {}
    return wrappedText(reportLines([node]).join('\n'), width).map((text) => ({ text, ...look }))
  })
}

/** Columns for the cursor. */
const CURSOR = 2

function tableLines(node: Extract<ReportNode, { kind: 'rows' }>, width: number) {
  let text = ''
  const stdout = { write: (more: string) => (text += more) }
  printReport([node], { stdout, isTerminal: true, columns: width - CURSOR, colour: false })
  const [head = '', ...rows] = text.trimEnd().split('\n')
  return [
    { text: `${' '.repeat(CURSOR)}${head}`, dim: true },
    ...rows.map((row, result) => ({ text: row, result })),
  ]
}

/** Names the key that changes the status of what Enter opens; empty for none. */
function keyLine(
  context: PlaygroundContext,
  answer: WhyAnswer | null,
  dialog: DialogOf<'ask'>,
): string {
  const target = selectedTarget(answer, dialog)
  if (target === null || whyNoChange(context) !== null) return ''
  const command = commandForName(target, context.reader())
  return command === '' ? '' : `${sanitiseLine(target.name)}: Enter, then ${command}`
}

/** Returns the selected result, or the name that the answer is about; null for neither. */
function selectedTarget(
  answer: WhyAnswer | null,
  { selected }: DialogOf<'ask'>,
): WhyAnswer['named'] {
  return answer?.found[Math.max(0, selected)] ?? answer?.named ?? null
}

function write(context: PlaygroundContext, to: (text: string, isGiven: boolean) => string): void {
  changeDialog(context, 'ask', ({ text, isGiven }) => {
    return { text: to(text, isGiven), isGiven: false, selected: 0, scroll: 0 }
  })
}

/** Selects another result. Where there is none, it scrolls. */
function move(by: 1 | -1) {
  return (context: PlaygroundContext) => {
    const dialog = currentDialog(context, 'ask')
    const found = dialog && context.answers.about(dialog.text)?.found
    if (!found || found.length === 0) return scrollTo(context, by)
    const selected = Math.max(0, Math.min(dialog.selected + by, found.length - 1))
    changeDialog(context, 'ask', () => ({ selected }))
  }
}

function turnPage(by: 1 | -1) {
  return (context: PlaygroundContext) =>
    scrollTo(context, by * Math.max(1, drawnSize(context, 'ask').height - 1))
}

function scrollTo(context: PlaygroundContext, by: number): void {
  const { width, height } = drawnSize(context, 'ask')
  changeDialog(context, 'ask', ({ text, scroll }) => {
    const last = answerLines(context.answers.about(text), width).length - height
    return { scroll: Math.max(0, Math.min(scroll + by, last)), selected: -1 }
  })
}

/** Goes to the entry, to the row of the name, or to that of the selected result, with what is known about it. */
async function openAnswer(context: PlaygroundContext, panes: readonly ScreenPane[]): Promise<void> {
  const dialog = currentDialog(context, 'ask')
  if (dialog === null) return
  context.answers.about(dialog.text)
  await context.answers.reading()
  const answer = context.answers.about(dialog.text)
  // Something was typed meanwhile.
  if (answer === null || currentDialog(context, 'ask')?.text !== dialog.text) return
  if (answer.entry !== null) {
    closeDialog(context)
    return goToEntry(context, answer.entry)
  }
  const named = selectedTarget(answer, dialog)
  if (named === null) return
  const pane = panes.find(({ id }) => id === `${named.kind}s`)
  const row = rowNamed(pane?.names?.(context) ?? [], named.name)
  // A name without a row, such as a tool that its server dropped, is explained here.
  if (pane === undefined || row === undefined) return write(context, () => named.name)
  closeDialog(context)
  context.ui.setState((state) => {
    const shown = { filter: '', selected: row, toggled: [] }
    const moved = changePane(focusPane(state, panes, pane.id), pane.id, shown)
    return { ...showTab(moved, WHY_TAB), focus: WHY_TAB }
  })
}

/** The id of the tab that describes the row under the cursor. */
const WHY_TAB = 'why'

/** Returns the row of a name, which may be given with its owner: `owner/name`. */
function rowNamed(names: readonly string[], name: string): string | undefined {
  return names.includes(name) ? name : names.find((one) => name.endsWith(`/${one}`))
}
