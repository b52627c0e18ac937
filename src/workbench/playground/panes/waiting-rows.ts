import type { Diagnostic, JsonValue } from '../../../entries/index.ts'
import {
  decidingPlace,
  type FilePlace,
  filePlace,
  identityMemo,
  type PendingConfirmation,
  placeText,
  sanitiseLine,
} from '../../../entries/kit.ts'
import { formatCount } from '../../../entries/plan.ts'
import { shortestPaths } from '../../report/facts/finding-text.ts'
import { questionsReport } from '../../report/facts/questions-report.ts'
import { cellText } from '../../report/report.ts'
import { reportLines } from '../../report/writers/print-report.ts'
import { READ_ONLY } from '../changes/answer-question.ts'
import { skillAskedAbout } from '../changes/ask-consent.ts'
import { callAskedAbout } from '../changes/make-call.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Description } from '../context/screen-pane.ts'
import { WAITING } from '../context/show-question.ts'
import { type DiskChange, paneState } from '../context/ui-state.ts'
import { matchesFilter } from '../rows/row-filter.ts'
import { textLines } from '../text/text-lines.ts'
import { changeLines, priceText } from '../changes/change-lines.ts'

/** Something that waits for a person: a question, a change on disk, or a finding about the definitions. */
interface WaitingRow {
  readonly id: string
  readonly mark: '?' | '~' | '!' | 'x'
  readonly name: string
  readonly text: string
  /** Present for a question. */
  readonly asked?: PendingConfirmation
  /** Present for a change. */
  readonly change?: DiskChange
  about(): Description
}

/** Lists what waits and matches the filter of the pane. */
export function waitingRows(context: PlaygroundContext): readonly WaitingRow[] {
  const state = context.ui.getState()
  const { filter } = paneState(state, WAITING)
  const changes = state.changes.map((change): WaitingRow => {
    const { skill, what, text } = change
    const about = () => aboutChange(change, context)
    return {
      id: `change ${skill}`,
      mark: '~',
      name: skill,
      text: ` ${what}${priceText(change, context.counter)}: ${text}`,
      change,
      about,
    }
  })
  return [...questionRows(context), ...changes, ...findingRows(context)].filter(({ name, text }) =>
    matchesFilter(filter, [name, text]),
  )
}

function questionRows(context: PlaygroundContext): readonly WaitingRow[] {
  const { columns, read } = questionsReport(context.workspace(), Date.now())
  return context.workspace().state.confirmations.map((asked) => {
    const cells = columns.map(({ cell }) => cellText(cell(read(asked)), formatCount))
    const [name = '', ...facts] = cells.filter((text) => text !== '')
    const about = () => aboutQuestion(asked, context)
    return { id: asked.id, mark: '?', name, text: `  ${facts.join(', ')}`, asked, about }
  })
}

/** Lists the findings that somebody should do something about. */
export function findingRows(context: PlaygroundContext): readonly WaitingRow[] {
  const { diagnostics } = context.reader().catalog
  return findingCache([diagnostics], '', () => {
    const shown = diagnostics.filter(({ severity }) => severity !== 'info')
    const files = shortestPaths(shown.flatMap(({ file }) => file ?? []))
    return shown.map((finding, at) => {
      const { severity, message, line, file = '' } = finding
      const place = filePlace({ file: files.get(file), line })
      return {
        id: `finding ${at}`,
        mark: severity === 'error' ? 'x' : '!',
        name: place === undefined ? '' : `${sanitiseLine(placeText(place))} `,
        text: sanitiseLine(message),
        about: () => aboutFinding(finding),
      }
    })
  })
}

const findingCache = identityMemo<readonly WaitingRow[]>()

/** Describes a question, and how it is answered on this screen. */
function aboutQuestion(asked: PendingConfirmation, context: PlaygroundContext): Description {
  const own = callAskedAbout(context, asked.id)
  const given = own === undefined ? asked : { ...asked, arguments: own.input as JsonValue }
  const lines = [
    howToAnswer(context),
    ...(skillAskedAbout(context, asked) === null ? [] : ['T can trust the folder of the skill.']),
    ...(own === undefined ? [] : ['Called on this screen: an approval makes the call.']),
    '',
    ...reportLines(questionsReport(context.workspace(), Date.now()).about(given)),
  ]
  const title = `${asked.tool}: approve the call?`
  return { title, lines, asks: questionAddress(asked), place: placeOfQuestion(asked, context) }
}

function howToAnswer({ live, attach }: PlaygroundContext): string {
  if (live)
    return 'y approves once, s for the session, g for this definition in all sessions. n denies.'
  return attach === null
    ? READ_ONLY
    : 'y approves once, s for the session. n denies. w changes whether this screen may.'
}

/** Returns the place of the rule that asks; none where more than one rule is about the tool. */
function placeOfQuestion(
  asked: PendingConfirmation,
  context: PlaygroundContext,
): FilePlace | undefined {
  if (asked.asks === undefined) return undefined
  const { because } = context.workspace().explain(questionAddress(asked))
  const places = because.filter(({ file }) => file !== undefined)
  return places.length === 1 ? decidingPlace({ because: places }) : undefined
}

function questionAddress({ tool, source, owner }: PendingConfirmation): string {
  return source === undefined || owner === undefined ? tool : `${source}:${owner}/${tool}`
}

function aboutChange(change: DiskChange, context: PlaygroundContext): Description {
  const { skill, what } = change
  const file = context.reader().catalog.skills.get(skill)?.path
  return {
    title: `${skill} ${what}`,
    asks: skill,
    lines: changeLines(change, context.counter),
    place: filePlace({ file }),
  }
}

/** Describes a finding: the problem, what to do about it, and its place. */
function aboutFinding({ code, severity, message, hint, ...at }: Diagnostic): Description {
  const place = filePlace(at)
  return {
    title: sanitiseLine(message),
    lines: [
      ...textLines(`${severity}: ${message}`),
      ...(hint === '' ? [] : textLines(`To change it: ${hint}`)),
      ...(place === undefined ? [] : textLines(`File: ${placeText(place)}`)),
      `Code: ${code}`,
    ],
    place,
  }
}
