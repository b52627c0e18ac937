import type { Diagnostic, Tool } from '../../../entries/index.ts'
import { counted, formatCount } from '../../../entries/plan.ts'
import {
  decidingPlace,
  describeQuestion,
  type FilePlace,
  filePlace,
  type PendingConfirmation,
  placeText,
  sanitiseLine,
} from '../../../entries/kit.ts'
import { READ_ONLY } from '../changes/answer-question.ts'
import { skillAskedAbout } from '../changes/ask-consent.ts'
import { callAskedAbout } from '../changes/make-call.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Description } from '../context/screen-pane.ts'
import type { DiskChange } from '../context/ui-state.ts'
import { jsonLines, textLines } from '../text/text-lines.ts'

/** Something that waits for a person. */
export type WaitingRow =
  | { readonly id: string; readonly kind: 'question'; readonly asked: PendingConfirmation }
  | { readonly id: string; readonly kind: 'change'; readonly change: DiskChange }
  | {
      readonly id: string
      readonly kind: 'finding'
      readonly finding: Diagnostic
      /** Its file, shortened among those of the others. */
      readonly file: string | undefined
    }

/** Describes a row of what waits: a question, a change on disk, or a finding about the definitions. */
export function aboutWaiting(row: WaitingRow, context: PlaygroundContext): Description {
  switch (row.kind) {
    case 'question':
      return aboutQuestion(row.asked, context)
    case 'change':
      return aboutChange(row.change, context)
    case 'finding':
      return aboutFinding(row.finding)
  }
}

/** Describes a question: who asks, why, how long, and the arguments that its host kept. */
function aboutQuestion(asked: PendingConfirmation, context: PlaygroundContext): Description {
  const { id, tool, source, owner, child, expiresAt } = asked
  const definition = askedTool(asked, context)
  const own = callAskedAbout(context, id)
  const why = describeQuestion(asked)
  const lines = [
    howToAnswer(context),
    ...(skillAskedAbout(context, asked) === null ? [] : ['T can trust the folder of the skill.']),
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

function howToAnswer({ live, attach }: PlaygroundContext): string {
  if (live)
    return 'y approves once, s for the session, g for this definition in all sessions. n denies.'
  return attach === null
    ? READ_ONLY
    : 'y approves once, s for the session. n denies. w changes whether this screen may.'
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

/** Returns the tool that a question is about, if it is known here. */
export function askedTool(
  { tool, owner }: PendingConfirmation,
  context: PlaygroundContext,
): Tool | undefined {
  const all = context.workspace().tools()
  return all.find((one) => one.name === tool && (owner === undefined || one.owner === owner))?.tool
}

/** Returns the time until a moment in words, to the minute. */
export function timeLeft(expiresAt: number): string {
  const minutes = Math.ceil((expiresAt - Date.now()) / 60_000)
  return minutes <= 0 ? 'expired' : `${counted(minutes, 'minute')} left`
}

/** Returns the place of the rule that asks; none where more than one rule is about the tool. */
function placeOfQuestion(
  { asks, tool, source, owner }: PendingConfirmation,
  context: PlaygroundContext,
): FilePlace | undefined {
  if (asks === undefined) return undefined
  const address = source === undefined || owner === undefined ? tool : `${source}:${owner}/${tool}`
  const { because } = context.workspace().explain(address)
  const places = because.filter(({ file }) => file !== undefined)
  return places.length === 1 ? decidingPlace({ because: places }) : undefined
}

function aboutChange({ skill, what, text }: DiskChange, context: PlaygroundContext): Description {
  const file = context.reader().catalog.skills.get(skill)?.path
  return {
    title: `${skill} ${what}`,
    lines: textLines(text),
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
