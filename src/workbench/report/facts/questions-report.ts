import type { WorkspaceReader } from '../../../entries/index.ts'
import { describeQuestion, type PendingConfirmation, withArguments } from '../../../entries/kit.ts'
import { counted, formatCount } from '../../../entries/plan.ts'
import type { Report, ReportColumn, ReportRows, ReportText } from '../report.ts'
import { sourceText } from './verdict-report.ts'

type Reader = Pick<WorkspaceReader, 'state' | 'tools'>

type Question = ReturnType<typeof readQuestion>

/**
 * Lists the questions that wait for a person: the call, who asks and why, the arguments that its host kept, and the time.
 *
 * @param now the time in milliseconds; null for a text that is read later
 */
export function questionsReport(
  reader: Reader,
  now: number | null = null,
): ReportRows<PendingConfirmation, Question, ReturnType<typeof questionValue>> {
  const { confirmations } = reader.state
  const read = (asked: PendingConfirmation) => readQuestion(asked, reader, now)
  return {
    kind: 'rows',
    of: 'question',
    columns: COLUMNS,
    count: confirmations.length,
    row: (index) => confirmations[index] as PendingConfirmation,
    identify: ({ id }) => id,
    markWidth: 2,
    mark: () => ({ glyph: 'pending', tone: 'asking' }),
    read,
    json: questionValue,
    about: (asked) => aboutQuestion(read(asked)),
    summary: (some = confirmations) => counted(some.length, 'question'),
  }
}

const COLUMNS: readonly ReportColumn<Question>[] = [
  { title: 'CALL', cell: ({ tool }) => tool },
  { title: 'RISK', cell: ({ risk = '' }) => risk },
  { title: 'ASKED IN', cell: ({ child = '' }) => child },
  { title: 'TIME', cell: ({ time }) => time },
]

/** Reads a question, with the risk of its tool if that is known here. */
export function readQuestion(
  asked: PendingConfirmation,
  reader: Pick<Reader, 'tools'>,
  now: number | null = null,
) {
  const { tool, owner, expiresAt } = asked
  const listed = reader
    .tools()
    .find((one) => one.name === tool && (owner === undefined || one.owner === owner))
  const minutes = Math.ceil((expiresAt - (now ?? 0)) / 60_000)
  const until = `until ${new Date(expiresAt).toUTCString()}`
  // The last moment that a date has.
  const isEndless = expiresAt >= 8_640_000_000_000_000
  const left = minutes <= 0 ? 'expired' : `${counted(minutes, 'minute')} left`
  return {
    ...asked,
    risk: listed?.tool?.risk,
    why: describeQuestion(asked),
    time: isEndless ? 'no time limit' : now === null ? until : left,
  }
}

/** Returns what JSON has of a question: with the path to the child session that asks, if any. */
function questionValue({ id, tool, child, consent, ...asked }: Question) {
  const { arguments: kept, omittedBytes, asks, condition, preview, elicitation } = asked
  const what = { omittedBytes, asks, condition, preview, elicitation }
  return { id, tool, child, consent, arguments: kept, ...what }
}

function aboutQuestion({ risk, source, owner, child, time, why, ...asked }: Question): Report {
  const { arguments: kept, omittedBytes } = asked
  const given =
    kept !== undefined
      ? JSON.stringify(kept, null, 2)
      : omittedBytes === undefined
        ? 'The host did not keep the arguments.'
        : `The arguments were too long to keep: ${formatCount(omittedBytes)} bytes.`
  const facts = [
    ...(risk === undefined ? [] : [`Risk: ${risk}`]),
    ...(source === undefined || owner === undefined
      ? []
      : [`From: ${sourceText({ source, owner })}`]),
    ...(child === undefined ? [] : [`Asked in: ${child}`]),
    `Time: ${time}`,
  ]
  return [
    ...facts.map((text): ReportText => ({ kind: 'text', text })),
    { kind: 'text', text: why || 'Asked by the definition of the tool.', isWhole: true },
    { kind: 'text', text: `\nArguments\n${given}`, isWhole: true },
  ]
}

/** Says how a question is answered in another process. */
export function howToAnswer(id = '<question>'): string {
  return `Answer with "loadout approve ${id}" or "loadout deny ${id}"`
}

/**
 * Says which call a question is about, why it is asked, and what the call would do.
 *
 * @param session the session of an answer; absent in a list of what waits
 */
export function questionReport(
  title: string,
  asked: Partial<PendingConfirmation> & Pick<PendingConfirmation, 'id' | 'tool'>,
  session?: string,
): Report {
  const { id, tool, child } = asked
  const [kept, why] = [withArguments(asked), describeQuestion(asked)]
  const place = child === undefined ? '' : ` in "${child}"`
  const rest =
    session === undefined
      ? `${kept || '; the host did not keep the arguments'} (${id})`
      : `${kept} in the session "${session}".`
  return [
    { kind: 'heading', text: title, value: { text: `call of "${tool}"${place}${rest}` } },
    ...(why === '' ? [] : [{ kind: 'text', text: why, indented: true, isWhole: true } as const]),
  ]
}
