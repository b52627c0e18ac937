import type { ReactElement } from 'react'
import { counted, formatCount } from '../../../entries/plan.ts'
import { cursorSpan, Line, type TextSpan, WindowedList } from '../../../entries/ink-views.ts'
import {
  type ApprovalScope,
  filePlace,
  identityMemo,
  type PendingConfirmation,
  placeText,
  sanitiseLine,
} from '../../../entries/kit.ts'
import { shortestPaths } from '../../report/facts/finding-text.ts'
import { whyNoAnswer } from '../changes/answer-question.ts'
import { askAboutLoading, skillAskedAbout } from '../changes/ask-consent.ts'
import { acceptChange, whyNoChange } from '../changes/change-session.ts'
import { openPlace, sayNoPlace } from '../changes/open-file.ts'
import { approveCall, denyCall, openAnswer } from '../changes/make-call.ts'
import { WAITING } from '../context/show-question.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { note, paneState } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { aboutWaiting, timeLeft, askedTool, type WaitingRow } from './about-waiting.ts'
import { openWhy, useIsPointed, WHY } from './open-why.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { matchesFilter } from '../rows/row-filter.ts'

/**
 * The questions that nobody has answered, also those of other processes, the changes on disk, and the findings about the
 * definitions: files that are broken or missing, folders that were not read, code that does not run.
 */
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
      whyNot: whyNoAnswer,
      run: withQuestion(denyCall),
    },
    {
      id: 'waiting.change',
      title: 'Approve with other arguments',
      keys: ['o'],
      when: isQuestion,
      whyNot: whyNoAnswer,
      run: withQuestion((context, asked) => openAnswer(context, asked, 'input')),
    },
    {
      id: 'waiting.reason',
      title: 'Deny with a reason for the model',
      keys: ['N'],
      when: isQuestion,
      whyNot: whyNoAnswer,
      run: withQuestion((context, asked) => openAnswer(context, asked, 'reason')),
    },
    {
      id: 'waiting.trust',
      title: 'Trust the folder of the skill',
      keys: ['T'],
      when: (context) => skillAskedAbout(context, currentQuestion(context)) !== null,
      run: withQuestion(askAboutLoading),
    },
    {
      id: 'waiting.accept',
      title: 'Accept the change on disk',
      keys: ['a'],
      when: (context) => current(context)?.kind === 'change',
      whyNot: whyNoChange,
      run(context) {
        const row = current(context)
        return row?.kind === 'change' ? acceptChange(context, row.change.skill) : undefined
      },
    },
    { id: 'waiting.details', title: 'Open what is asked', keys: ['enter'], run: openWhy },
    {
      id: 'waiting.open',
      title: 'Open its file, or the rule that asks, in $EDITOR',
      keys: ['e'],
      run(context) {
        const row = current(context)
        const place = row && aboutWaiting(row, context).place
        return place === undefined ? sayNoPlace(context) : openPlace(context, place)
      },
    },
  ],
  rows: (context) => waitingRows(context).map(({ id }) => id),
  status(context) {
    const questions = context.workspace().state.confirmations.length
    const { changes } = context.ui.getState()
    const findings = findingRows(context).length
    return [
      ...(questions === 0 ? [] : [counted(questions, 'question')]),
      ...(changes.length === 0 ? [] : [`${formatCount(changes.length)} on disk`]),
      ...(findings === 0 ? [] : [counted(findings, 'finding')]),
    ].join(', ')
  },
  about(context) {
    const row = current(context)
    return row === undefined ? null : aboutWaiting(row, context)
  },
  View: WaitingPane,
}

/** The findings that somebody should do something about. */
function findingRows(context: PlaygroundContext): readonly WaitingRow[] {
  const { diagnostics } = context.reader().catalog
  return findingCache([diagnostics], '', () => {
    const shown = diagnostics.filter(({ severity }) => severity !== 'info')
    const files = shortestPaths(shown.flatMap(({ file }) => file ?? []))
    return shown.map((finding, place) => {
      const file = finding.file === undefined ? undefined : files.get(finding.file)
      return { id: `finding ${place}`, kind: 'finding', finding, file }
    })
  })
}

const findingCache = identityMemo<readonly WaitingRow[]>()

function waitingRows(context: PlaygroundContext): readonly WaitingRow[] {
  const state = context.ui.getState()
  const { filter } = paneState(state, WAITING)
  const questions = context.workspace().state.confirmations.map((asked): WaitingRow => ({
    id: asked.id,
    kind: 'question',
    asked,
  }))
  const changes = state.changes.map((change): WaitingRow => ({
    id: `change ${change.skill}`,
    kind: 'change',
    change,
  }))
  return [...questions, ...changes, ...findingRows(context)].filter((row) =>
    matchesFilter(filter, rowWords(row)),
  )
}

function rowWords(row: WaitingRow): readonly string[] {
  switch (row.kind) {
    case 'question':
      return [row.asked.tool]
    case 'change':
      return [row.change.skill, row.change.text]
    case 'finding':
      return [row.finding.message, row.finding.file ?? '']
  }
}

function current(context: PlaygroundContext): WaitingRow | undefined {
  const rows = waitingRows(context)
  const ids = rows.map(({ id }) => id)
  const id = selectedRow(ids, paneState(context.ui.getState(), WAITING).selected)
  return rows.find((row) => row.id === id)
}

function currentQuestion(context: PlaygroundContext): PendingConfirmation | null {
  const row = current(context)
  return row?.kind === 'question' ? row.asked : null
}

function isQuestion(context: PlaygroundContext): boolean {
  return currentQuestion(context) !== null
}

function approval(id: string, title: string, key: string, remember: ApprovalScope): Action {
  return {
    id: `waiting.${id}`,
    title,
    keys: [key],
    // Definitions are approved in the store of the host, which a followed session does not have here.
    when: (context) => isQuestion(context) && (remember !== 'digest' || context.attach === null),
    whyNot: whyNoAnswer,
    run: withQuestion((context, asked) => approveCall(context, asked, remember)),
  }
}

/** Runs an action on the question under the cursor, if this screen may answer. */
function withQuestion(
  run: (context: PlaygroundContext, asked: PendingConfirmation) => Promise<void>,
): Action['run'] {
  return (context) => {
    const asked = currentQuestion(context)
    const why = whyNoAnswer(context)
    if (why !== null) return context.ui.setState({ banner: note('note', why) })
    return asked === null ? undefined : run(context, asked)
  }
}

function WaitingPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { selected, filter } = useShown(context, (state) => paneState(state, WAITING))
  useShown(context, ({ changes }) => changes)
  useReader(context)
  const isPointed = useIsPointed(context, WAITING, focused)
  const rows = waitingRows(context)
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
          spans={[cursorSpan(isSelected, theme), ...rowSpans(row, context, isSelected)]}
        />
      )}
    />
  )
}

function rowSpans(row: WaitingRow, context: PlaygroundContext, bold: boolean): readonly TextSpan[] {
  if (row.kind === 'change') {
    const { skill, what, text } = row.change
    return [{ text: '! ', tone: 'warning' }, { text: skill, bold }, { text: ` ${what}: ${text}` }]
  }
  if (row.kind === 'finding') {
    const { severity, message, line } = row.finding
    const place = filePlace({ file: row.file, line })
    const tone = severity === 'error' ? 'bad' : 'warning'
    return [
      { text: severity === 'error' ? 'x ' : '! ', tone },
      { text: place === undefined ? '' : `${sanitiseLine(placeText(place))} `, bold },
      { text: sanitiseLine(message) },
    ]
  }
  const { tool, child, expiresAt } = row.asked
  const facts = [askedTool(row.asked, context)?.risk, child, timeLeft(expiresAt)]
  return [
    { text: '? ', tone: 'warning', bold: true },
    { text: tool, bold },
    { text: `  ${facts.filter((fact) => fact !== undefined).join(', ')}` },
  ]
}
