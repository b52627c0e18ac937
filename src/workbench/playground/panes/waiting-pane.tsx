import type { ReactElement } from 'react'
import { counted, formatCount } from '../../../entries/plan.ts'
import { cursorSpan, Line, WindowedList } from '../../../entries/ink-views.ts'
import type { ApprovalScope, PendingConfirmation } from '../../../entries/kit.ts'
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
import { findingRows, waitingRows } from './waiting-rows.ts'
import { openWhy, useIsPointed, WHY } from './open-why.ts'
import { selectedRow } from '../rows/move-selection.ts'

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
    answering('deny', 'Deny', 'n', denyCall),
    answering('change', 'Approve with other arguments', 'o', (context, asked) =>
      openAnswer(context, asked, 'input'),
    ),
    answering('reason', 'Deny with a reason for the model', 'N', (context, asked) =>
      openAnswer(context, asked, 'reason'),
    ),
    {
      id: 'waiting.trust',
      title: 'Trust the folder of the skill',
      verb: 'trust',
      keys: ['T'],
      when: (context) => skillAskedAbout(context, currentQuestion(context)) !== null,
      run: withQuestion(askAboutLoading),
    },
    {
      id: 'waiting.accept',
      title: 'Accept the change on disk',
      verb: 'accept',
      keys: ['a'],
      when: (context) => current(context)?.change !== undefined,
      whyNot: whyNoChange,
      run(context) {
        const { change } = current(context) ?? {}
        return change && acceptChange(context, change.skill)
      },
    },
    {
      id: 'waiting.details',
      title: 'Open what is asked',
      verb: 'open',
      keys: ['enter'],
      run: openWhy,
    },
    {
      id: 'waiting.open',
      title: 'Open its file, or the rule that asks, in $EDITOR',
      verb: 'edit',
      keys: ['e'],
      run(context) {
        const place = current(context)?.about().place
        return place === undefined ? sayNoPlace(context) : openPlace(context, place)
      },
    },
  ],
  rows: (context) => waitingRows(context).map(({ id }) => id),
  status(context) {
    const questions = context.workspace().state.confirmations.length
    const { changes } = context.ui.getState()
    const findings = findingRows(context).length
    const status = [
      ...(questions === 0 ? [] : [counted(questions, 'question')]),
      ...(changes.length === 0 ? [] : [`${formatCount(changes.length)} on disk`]),
      ...(findings === 0 ? [] : [counted(findings, 'finding')]),
    ].join(', ')
    return status || 'nothing waits'
  },
  about: (context) => current(context)?.about() ?? null,
  View: WaitingPane,
}

function current(context: PlaygroundContext) {
  const rows = waitingRows(context)
  const ids = rows.map(({ id }) => id)
  const id = selectedRow(ids, paneState(context.ui.getState(), WAITING).selected)
  return rows.find((row) => row.id === id)
}

function currentQuestion(context: PlaygroundContext): PendingConfirmation | null {
  return current(context)?.asked ?? null
}

function isQuestion(context: PlaygroundContext): boolean {
  return currentQuestion(context) !== null
}

function approval(id: string, title: string, key: string, remember: ApprovalScope): Action {
  return {
    ...answering(id, title, key, (context, asked) => approveCall(context, asked, remember)),
    // Definitions are approved in the store of the host, which a followed session does not have here.
    when: (context) => isQuestion(context) && (remember !== 'digest' || context.attach === null),
  }
}

function answering(
  id: string,
  title: string,
  key: string,
  run: (context: PlaygroundContext, asked: PendingConfirmation) => Promise<void>,
): Action {
  return {
    id: `waiting.${id}`,
    title,
    keys: [key],
    when: isQuestion,
    whyNot: whyNoAnswer,
    run: withQuestion(run),
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

/** The roles of the marks: questions, changes that wait for an answer, warnings, and errors. */
const ROLES = { '?': 'asking', '~': 'asking', '!': 'warning', x: 'bad' } as const

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
          spans={[
            cursorSpan(isSelected, theme),
            {
              text: `${row.mark} `,
              tone: ROLES[row.mark],
              bold: row.mark === '?',
            },
            { text: row.name, bold: isSelected },
            { text: row.text },
          ]}
        />
      )}
    />
  )
}
