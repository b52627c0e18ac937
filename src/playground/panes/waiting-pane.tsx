import type { ReactElement } from 'react'
import { basename } from 'node:path'
import { describeQuestion } from '../../engine/explain/describe-question.ts'
import { decidingPlace } from '../../engine/explain/explanation.ts'
import type { ApprovalScope, PendingConfirmation } from '../../engine/model/consent-event.ts'
import type { FilePlace } from '../../engine/model/stored-rule.ts'
import { ownerAddress } from '../../engine/standing/tool-table.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { whyNoAnswer } from '../changes/answer-question.ts'
import { askAboutLoading, skillAskedAbout } from '../changes/ask-consent.ts'
import { acceptChange } from '../changes/change-session.ts'
import { openPlace, sayNoPlace } from '../changes/open-file.ts'
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
      run: withQuestion(denyCall),
    },
    {
      id: 'waiting.trust',
      title: 'Trust the folder of the skill',
      keys: ['T'],
      when: (context) => skillAskedAbout(context, current(context)) !== null,
      run: withQuestion(askAboutLoading),
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
    {
      id: 'waiting.open',
      title: 'Open its file, or the rule that asks, in $EDITOR',
      keys: ['e'],
      run(context) {
        const place = waitingPane.about?.(context)?.place
        return place === undefined ? sayNoPlace(context) : openPlace(context, place)
      },
    },
  ],
  rows: (context) => rowsOf(context).map(({ id }) => id),
  status(context) {
    const questions = openConfirmations(context.workspace().state).length
    const { changes } = context.ui.getState()
    const findings = findingsOf(context).length
    return [
      ...(questions === 0 ? [] : [counted(questions, 'question')]),
      ...(changes.length === 0 ? [] : [`${formatCount(changes.length)} on disk`]),
      ...(findings === 0 ? [] : [counted(findings, 'finding')]),
    ].join(', ')
  },
  about(context) {
    const row = current(context)
    if (row === undefined) return null
    switch (row.kind) {
      case 'question':
        return aboutQuestion(row.asked, context)
      case 'change':
        return aboutChange(row.change, context)
      case 'finding':
        return aboutFinding(row.finding)
    }
  },
  View: WaitingPane,
}

/** A row of the pane. */
type WaitingRow =
  | { readonly id: string; readonly kind: 'question'; readonly asked: PendingConfirmation }
  | { readonly id: string; readonly kind: 'change'; readonly change: DiskChange }
  | { readonly id: string; readonly kind: 'finding'; readonly finding: Diagnostic }

/** The findings that somebody should do something about. */
function findingsOf(context: PlaygroundContext): readonly WaitingRow[] {
  const { diagnostics } = context.reader().catalog
  return findingCache([diagnostics], '', () =>
    diagnostics
      .filter(({ severity }) => severity !== 'info')
      .map((finding, place) => ({ id: `finding ${place}`, kind: 'finding', finding })),
  )
}

const findingCache = identityMemo<readonly WaitingRow[]>()

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
  return [...questions, ...changes, ...findingsOf(context)].filter((row) =>
    matchesFilter(filter, wordsOf(row)),
  )
}

function wordsOf(row: WaitingRow): readonly string[] {
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
  if (row.kind === 'finding') {
    const { severity, message, file, line } = row.finding
    const at = file === undefined ? '' : `${basename(file)}${line === undefined ? '' : `:${line}`}`
    const tone = severity === 'error' ? 'bad' : 'warning'
    return [
      { text: severity === 'error' ? 'x ' : '! ', tone },
      { text: at === '' ? '' : `${sanitiseLine(at)} `, bold },
      { text: sanitiseLine(message) },
    ]
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
    ...(skillAskedAbout(context, { kind: 'question', asked }) === null
      ? []
      : ['T can trust the folder of the skill.']),
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
  return { title: `Approve the call of ${tool}?`, lines, place: placeOfQuestion(asked, context) }
}

/** Returns the place of the rule that asks; none where more than one rule is about the tool. */
function placeOfQuestion(
  { asks, tool, source, owner }: PendingConfirmation,
  context: PlaygroundContext,
): FilePlace | undefined {
  if (asks === undefined) return undefined
  const address =
    source === undefined || owner === undefined ? tool : ownerAddress({ source, owner }, tool)
  const { because } = context.workspace().explain(address)
  const places = because.filter(({ file }) => file !== undefined)
  return places.length === 1 ? decidingPlace({ because: places }) : undefined
}

/** Describes a finding: the problem, what to do about it, and its place. */
function aboutFinding({ code, severity, message, hint, file, line }: Diagnostic): Description {
  return {
    title: sanitiseLine(message),
    lines: [
      ...textLines(`${severity}: ${message}`),
      ...(hint === '' ? [] : textLines(`To change it: ${hint}`)),
      ...(file === undefined
        ? []
        : textLines(`File: ${file}${line === undefined ? '' : `:${line}`}`)),
      `Code: ${code}`,
    ],
    place: file === undefined ? undefined : { file, ...(line !== undefined && { line }) },
  }
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

function aboutChange({ skill, what, text }: DiskChange, context: PlaygroundContext): Description {
  const file = context.reader().catalog.skills.get(skill)?.path
  return {
    title: `${skill} ${what}`,
    lines: textLines(text),
    place: file === undefined ? undefined : { file },
  }
}
