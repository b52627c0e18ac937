import type { ReactElement } from 'react'
import { describeQuestion } from '../../engine/explain/describe-question.ts'
import type { ApprovalScope, PendingConfirmation } from '../../engine/model/consent-event.ts'
import { whyNoAnswer } from '../changes/answer-question.ts'
import { acceptChange } from '../changes/change-session.ts'
import { approveCall, callAskedAbout, denyCall } from '../changes/make-call.ts'
import { openConfirmations, WAITING } from '../context/open-confirmations.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action, Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { type DiskChange, note, paneState } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { openWhy, useIsPointed, WHY } from './open-why.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { matchesFilter } from '../rows/row-filter.ts'
import { jsonLines, textLines } from '../text/text-lines.ts'
import { counted, formatCount } from '../../render/ink/parts/format-count.ts'
import { Line, type TextSpan } from '../../render/ink/parts/line.tsx'
import { cursorSpan } from '../../render/ink/parts/table-line.tsx'
import { WindowedList } from '../../render/ink/parts/windowed-rows.tsx'
import type { Tool } from '../../tools/definition/tool.ts'

/** The questions that nobody has answered, also those of other processes, and the changes on disk. */
export const waitingPane: ScreenPane = {
  id: WAITING,
  title: 'Waiting',
  key: '3',
  place: 'list',
  opens: WHY,
  actions: [
    approval('once', 'Approve once', 'y', 'call'),
    approval('session', 'Approve for the session', 's', 'session'),
    approval('digest', 'Approve this definition in all sessions', 'g', 'digest'),
    {
      id: 'waiting.deny',
      title: 'Deny',
      keys: ['n'],
      when: isQuestion,
      run: withQuestion(denyCall),
    },
    {
      id: 'waiting.accept',
      title: 'Accept the change on disk',
      keys: ['a'],
      when: (context) => current(context)?.kind === 'change',
      run(context) {
        const row = current(context)
        return row?.kind === 'change' ? acceptChange(context, row.change.skill) : undefined
      },
    },
    { id: 'waiting.details', title: 'Open what is asked', keys: ['enter'], run: openWhy },
  ],
  rows: (context) => rowsOf(context).map(({ id }) => id),
  status(context) {
    const questions = openConfirmations(context.workspace().state).length
    const { changes } = context.ui.getState()
    return [
      ...(questions === 0 ? [] : [counted(questions, 'question')]),
      ...(changes.length === 0 ? [] : [`${formatCount(changes.length)} on disk`]),
    ].join(', ')
  },
  about(context) {
    const row = current(context)
    if (row === undefined) return null
    return row.kind === 'question' ? aboutQuestion(row.asked, context) : aboutChange(row.change)
  },
  View: WaitingPane,
}

/** A row of the pane. */
type WaitingRow =
  | { readonly id: string; readonly kind: 'question'; readonly asked: PendingConfirmation }
  | { readonly id: string; readonly kind: 'change'; readonly change: DiskChange }

function rowsOf(context: PlaygroundContext): readonly WaitingRow[] {
  const state = context.ui.getState()
  const { filter } = paneState(state, WAITING)
  const questions = openConfirmations(context.workspace().state).map((asked): WaitingRow => ({
    id: asked.id,
    kind: 'question',
    asked,
  }))
  const changes = state.changes.map((change): WaitingRow => ({
    id: `change ${change.skill}`,
    kind: 'change',
    change,
  }))
  return [...questions, ...changes].filter((row) =>
    matchesFilter(
      filter,
      row.kind === 'question' ? [row.asked.tool] : [row.change.skill, row.change.text],
    ),
  )
}

function current(context: PlaygroundContext): WaitingRow | undefined {
  const rows = rowsOf(context)
  const ids = rows.map(({ id }) => id)
  const id = selectedRow(ids, paneState(context.ui.getState(), WAITING).selected)
  return rows.find((row) => row.id === id)
}

function isQuestion(context: PlaygroundContext): boolean {
  return current(context)?.kind === 'question'
}

function approval(id: string, title: string, key: string, remember: ApprovalScope): Action {
  return {
    id: `waiting.${id}`,
    title,
    keys: [key],
    // Definitions are approved in the store of the host, which a followed session does not have here.
    when: (context) => isQuestion(context) && (remember !== 'digest' || context.attach === null),
    run: withQuestion((context, asked) => approveCall(context, asked, remember)),
  }
}

/** Runs an action on the question under the cursor, if this screen may answer. */
function withQuestion(
  run: (context: PlaygroundContext, asked: PendingConfirmation) => Promise<void>,
): Action['run'] {
  return (context) => {
    const row = current(context)
    const why = whyNoAnswer(context)
    if (why !== null) return context.ui.setState({ banner: note('note', why) })
    return row?.kind === 'question' ? run(context, row.asked) : undefined
  }
}

function WaitingPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { selected, filter } = useShown(context, (state) => paneState(state, WAITING))
  useShown(context, ({ changes }) => changes)
  useReader(context)
  const isPointed = useIsPointed(context, WAITING, focused)
  const rows = rowsOf(context)
  if (rows.length === 0) {
    const text = filter === '' ? 'No question and no change waits.' : `Nothing matches "${filter}".`
    return <Line theme={theme} width={width} spans={[{ text, dim: true }]} />
  }
  const ids = rows.map(({ id }) => id)
  return (
    <WindowedList
      rows={rows}
      selected={isPointed ? selectedRow(ids, selected) : null}
      width={width}
      height={height}
      theme={theme}
      renderRow={(row, isSelected) => (
        <Line
          theme={theme}
          width={width}
          spans={[cursorSpan(isSelected, theme), ...spansOf(row, context, isSelected)]}
        />
      )}
    />
  )
}

function spansOf(row: WaitingRow, context: PlaygroundContext, bold: boolean): readonly TextSpan[] {
  if (row.kind === 'change') {
    const { skill, what, text } = row.change
    return [{ text: '! ', tone: 'warning' }, { text: skill, bold }, { text: ` ${what}: ${text}` }]
  }
  const { tool, child, expiresAt } = row.asked
  const facts = [toolOf(row.asked, context)?.risk, child, timeLeft(expiresAt)]
  return [
    { text: '? ', tone: 'warning', bold: true },
    { text: tool, bold },
    { text: `  ${facts.filter((fact) => fact !== undefined).join(', ')}` },
  ]
}

function toolOf(
  { tool, owner }: PendingConfirmation,
  context: PlaygroundContext,
): Tool | undefined {
  const all = context.workspace().tools()
  return all.find((one) => one.name === tool && (owner === undefined || one.owner === owner))?.tool
}

/** Returns the time until a moment in words, to the minute. */
function timeLeft(expiresAt: number): string {
  const minutes = Math.ceil((expiresAt - Date.now()) / 60_000)
  return minutes <= 0 ? 'expired' : `${counted(minutes, 'minute')} left`
}

/** Describes a question: who asks, why, how long, and the arguments that its host kept. */
function aboutQuestion(asked: PendingConfirmation, context: PlaygroundContext): Description {
  const { id, tool, source, owner, child, expiresAt } = asked
  const definition = toolOf(asked, context)
  const own = callAskedAbout(context, id)
  const why = describeQuestion(asked)
  const lines = [
    context.attach === null
      ? 'y approves once, s for the session, g for this definition in all sessions. n denies.'
      : 'y approves once, s for the session. n denies. w changes whether this screen may.',
    '',
    ...(definition === undefined ? [] : [`Risk: ${definition.risk}`]),
    ...(owner === undefined ? [] : [`From: ${source === 'global' ? owner : `${source} ${owner}`}`]),
    ...(child === undefined ? [] : [`Asked in: ${child}`]),
    `Time: ${timeLeft(expiresAt)}`,
    ...(own === undefined ? [] : ['Called on this screen: an approval makes the call.']),
    ...(why === '' ? ['Asked by the definition of the tool.'] : textLines(why)),
    '',
    'Arguments',
    ...argumentLines(asked, own?.input),
  ]
  return { title: `Approve the call of ${tool}?`, lines }
}

function argumentLines(
  { arguments: kept, omittedBytes }: PendingConfirmation,
  own: unknown,
): readonly string[] {
  if (own !== undefined) return jsonLines(own)
  if (kept !== undefined) return jsonLines(kept)
  return [
    omittedBytes === undefined
      ? 'The host did not keep the arguments.'
      : `The arguments were too long to keep: ${formatCount(omittedBytes)} bytes.`,
  ]
}

function aboutChange({ skill, what, text }: DiskChange): Description {
  return { title: `${skill} ${what}`, lines: textLines(text) }
}
