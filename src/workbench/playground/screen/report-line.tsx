import { Box, type DOMElement } from 'ink'
import { type ReactElement, useContext, useEffect, useRef } from 'react'
import { counted, type RequestPrice } from '../../../entries/plan.ts'
import { requestFacts } from '../../report/facts/request-report.ts'
import {
  Banner,
  Line,
  RowHitsContext,
  type TextSpan,
  type Theme,
} from '../../../entries/ink-views.ts'
import { displayWidth, type PendingConfirmation } from '../../../entries/kit.ts'
import { isTyping, scopeActions, type KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type Action, focusedPane, paneTitle, type ScreenPane } from '../context/screen-pane.ts'
import { type DiskChange, paneState, type UiState } from '../context/ui-state.ts'
import { KEY_HIT } from '../keys/handle-strokes.ts'
import { keyName } from '../keys/key-name.ts'

interface ReportLineProps {
  readonly state: UiState
  readonly panes: readonly ScreenPane[]
  /** The panes that no border names. */
  readonly hidden: readonly ScreenPane[]
  /** The confirmations that nobody has answered. */
  readonly asked: readonly PendingConfirmation[]
  readonly width: number
  readonly height: 1 | 2
  readonly theme: Theme
}

/**
 * The lines below the panes: the typed filter, else the last change, else the confirmations that wait, the
 * changes on disk, and the panes that are not on the screen.
 */
export function ReportLine({
  state,
  panes,
  hidden,
  asked,
  width,
  height,
  theme,
}: ReportLineProps): ReactElement {
  const { banner, changes, filtering } = state
  if (banner !== null && !filtering) return <Banner {...banner} {...{ width, height, theme }} />
  const names = hidden.map((pane) => `${paneTitle(pane)}  `).join('')
  const waiting = [
    askedSpans(asked, state.writing === null ? 'press 3' : 'Tab goes to it'),
    changeSpans(changes),
    [{ text: names.trim(), dim: true }],
  ].filter((spans) => spans.some(({ text }) => text !== ''))
  const { id, title } = focusedPane(panes, state)
  const typed: readonly TextSpan[] = [
    { text: `FILTER ${title}: `, bold: true },
    { text: `${paneState(state, id).filter}_` },
  ]
  const [spans = [], below = []] = filtering ? [typed, ...waiting] : waiting
  return (
    <Box flexDirection="column" flexShrink={0} height={height}>
      <Line theme={theme} width={width} spans={spans.length === 0 ? BLANK : spans} />
      {height === 2 && (
        <Line theme={theme} width={width} spans={below.length === 0 ? BLANK : below} />
      )}
    </Box>
  )
}

const BLANK: readonly TextSpan[] = [{ text: ' ' }]

/** The oldest confirmation, the key that answers it, and the number of others. */
function askedSpans(asked: readonly PendingConfirmation[], key: string): readonly TextSpan[] {
  const [oldest] = asked
  if (oldest === undefined) return []
  const more = asked.length > 1 ? ` (and ${asked.length - 1} more)` : ''
  return [
    { text: 'WAITING ', bold: true, tone: 'asking' },
    { text: `for an answer to a call of ${oldest.tool}${more}: ${key}` },
  ]
}

/** The newest change, and the number of others. */
function changeSpans(changes: readonly DiskChange[]): readonly TextSpan[] {
  const newest = changes.at(-1)
  if (newest === undefined) return []
  const more = changes.length > 1 ? ` (and ${changes.length - 1} more)` : ''
  return [
    { text: 'ON DISK ', bold: true, tone: 'asking' },
    { text: `${newest.skill} ${newest.what}: ${newest.text}${more}` },
  ]
}

/** The facts in the first line of the screen. */
export interface HeaderFacts {
  readonly session: string
  readonly agent: string | null
  /** The name of another agent whose session it is, and its last request: shown in place of a price. */
  readonly observed?: readonly string[]
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** The last entry of the session. */
  readonly last: number
  /** True when another process appended it. */
  readonly isForeign: boolean
  /** The sign of another process in the timeline; empty when a word is used instead. */
  readonly sign: string
  readonly live: boolean
  /** True when new entries of other processes appear at once. */
  readonly followed: boolean
  /** True when questions of a session that is open read-only are answered. */
  readonly answers: boolean
  /** The mode of the session, which is not named where it is `text`. */
  readonly mode: string
  /** The price of the next request; null when it is not known. */
  readonly next: RequestPrice | null
  /** True when that price is for another provider or strategy than the session's. */
  readonly isOtherPrice: boolean
  readonly tokenizer: string
  /** The scenarios that ran last; null before the first time. */
  readonly tested: UiState['tested']
  /** The number of questions that nobody has answered. */
  readonly asked: number
  /** The number of problems in the definitions. */
  readonly findings: number
  /** False when code of a folder is not run. */
  readonly trusted: boolean
}

/** Writes the first line: moment, price, agent and session, the most important first, each with its role. */
export function headerSpans(facts: HeaderFacts): readonly TextSpan[] {
  const { session, agent, observed, moment, last, isForeign, sign } = facts
  const {
    live,
    followed,
    answers,
    mode,
    next,
    isOtherPrice,
    tokenizer,
    asked,
    findings,
    trusted,
    tested,
  } = facts
  const newest = [`#${last}`, ...(isForeign ? [sign, 'by another process'] : [])]
    .filter((one) => one !== '')
    .join(' ')
  const access = answers ? 'answers questions' : 'read-only'
  const [price, ...others] =
    observed ?? (next === null ? [] : requestFacts(next, tokenizer, isOtherPrice))
  const shown: readonly (TextSpan | false)[] = [
    { text: moment === null ? `now ${newest}` : `MOMENT #${moment} of ${newest}`, bold: true },
    // A session that is not read-only always shows new entries.
    !live && { text: `${access}${followed ? ', followed' : ''}`, tone: 'accent', bold: true },
    mode !== 'text' && { text: `mode ${mode}`, tone: 'accent', bold: true },
    tested !== null && testedSpan(tested),
    asked > 0 && { text: counted(asked, 'question'), tone: 'asking', bold: true },
    price !== undefined && { text: price, tone: 'price', bold: true },
    ...others.map((text) => ({ text })),
    !trusted && { text: 'not trusted', tone: 'bad' },
    findings > 0 && { text: counted(findings, 'finding'), tone: 'warning' },
    !observed && { text: agent === null ? 'no agent' : `agent ${agent}`, dim: true },
    { text: `session ${shortSession(session)}`, dim: true },
  ]
  return shown
    .filter((span) => span !== false)
    .flatMap((span, place) => (place === 0 ? [span] : [{ text: ' | ', dim: true }, span]))
    .map((span) => ({ ...span, inverse: moment !== null }))
}

function testedSpan({ passed, failed }: NonNullable<UiState['tested']>): TextSpan {
  return failed === 0
    ? { text: `${counted(passed, 'scenario')} pass`, tone: 'good', bold: true }
    : { text: `${failed} of ${counted(passed + failed, 'scenario')} fail`, tone: 'bad', bold: true }
}

/** Shortens a random id; names that people gave stay. */
function shortSession(session: string): string {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/v.test(session) ? session.slice(0, 8) : session
}

/** Shown last in every pane, and never cut off. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'screen.talk',
  'screen.answers',
  'screen.ask',
  'screen.help',
  'screen.palette',
  'screen.quit',
])

/** Writes the last line of the screen: the action in progress, the keys of the pane, and those that apply everywhere. */
export function footerSpans(
  context: PlaygroundContext,
  table: KeyTable,
  width: number,
): readonly FooterSpan[] {
  const step = context.guide?.current(context)
  if (step !== undefined) {
    return [
      { text: `DEMO ${step.place}  `, bold: true, tone: 'accent' },
      { text: step.says, bold: true },
    ]
  }
  const state = context.ui.getState()
  const { dialog, filtering, writing } = state
  const busy = context.frames.busy()
  const pane = focusedPane(table.panes, state).id
  const isPlain = dialog === null && !filtering && writing === null
  const applies = ({ when, whyNot }: Action) =>
    (when?.(context) ?? true) && (whyNot?.(context) ?? null) === null
  const everywhere = isPlain
    ? scopeActions(table, 'screen').filter((one) => EVERYWHERE.has(one.id) && applies(one))
    : []
  const own = scopeActions(
    table,
    dialog?.kind ?? (writing !== null ? 'writing' : filtering ? 'filter' : pane),
  ).filter(applies)
  const isField = dialog !== null && isTyping(table, dialog)
  const leaves = isField && own.every(({ keys }) => !keys.includes('esc'))
  const shown = [...own.slice(0, 1), ...(leaves ? [CLOSE] : []), ...own.slice(1)]
  const start: readonly TextSpan[] = [
    ...(busy === null ? [] : [{ text: `... ${busy}  `, bold: true }]),
    ...(isPlain && !context.live && !state.answers ? [{ text: 'Read-only  ' }] : []),
  ]
  let room = width - spansWidth(start)
  const fit = (actions: readonly FooterKey[]) =>
    actions.map(keySpans).filter((spans) => {
      const fits = spansWidth(spans) - GAP <= room
      if (fits) room -= spansWidth(spans)
      return fits
    })
  const end = fit(everywhere).flat()
  return [...start, ...fit(shown).flat(), ...end]
}

/** The last line of the screen. A click on a key presses it. */
export function Footer({
  context,
  table,
  width,
  theme,
}: {
  readonly context: PlaygroundContext
  readonly table: KeyTable
  readonly width: number
  readonly theme: Theme
}): ReactElement {
  const spans = footerSpans(context, table, width)
  const element = useRef<DOMElement>(null)
  const hits = useContext(RowHitsContext)
  useEffect(() =>
    hits?.add({
      element: () => element.current,
      keyAt(_line, column) {
        let end = 0
        const hit = spans.find(({ text }) => column < (end += displayWidth(text)))
        return hit?.stroke === undefined ? null : KEY_HIT + hit.stroke
      },
      scroll() {},
    }),
  )
  return (
    <Box ref={element} flexShrink={0} width={width} height={1}>
      <Line {...{ theme, width, spans }} />
    </Box>
  )
}

/** Blanks between two keys. */
const GAP = 2

/** A part of the footer, and the stroke that a click on it makes. */
interface FooterSpan extends TextSpan {
  readonly stroke?: string
}

function keySpans({ keys: [stroke = ''], title, verb = title }: FooterKey): readonly FooterSpan[] {
  return [
    { text: keyName(stroke), bold: true, stroke },
    { text: ` ${verb}  `, dim: true, stroke },
  ]
}

/** The parts of an action that the footer shows. */
type FooterKey = Pick<Action, 'keys' | 'title' | 'verb'>

function spansWidth(spans: readonly TextSpan[]): number {
  return displayWidth(spans.map(({ text }) => text).join(''))
}

/** Esc closes a dialog without an action for it. Shown where letters are typed: no other key closes. */
const CLOSE: FooterKey = { keys: ['esc'], title: 'Close' }
