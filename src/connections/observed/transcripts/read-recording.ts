import { Budget } from '../../../workspace/commands/budget.ts'
import type { ObservedSession } from '../observation.ts'
import { refuseLarge } from '../refuse-large.ts'
import { LatestTexts } from '../shared-text.ts'
import { readExchanges } from './read-har.ts'
import { memberIn, number, object, text } from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns true for the first line of a recording. */
export function isRecordedLine({ recording, folder }: Line): boolean {
  return recording === 1 && typeof folder === 'string'
}

/** Reads what `loadout watch` recorded: entries of a HAR file, whose requests have only what the latest ones lack. */
export function readRecording(lines: readonly Line[]): readonly ObservedSession[] {
  const folder = text(lines[0]?.['folder']) || null
  return readExchanges(wholeEntries(lines)).map((one) => ({ ...one, folder }))
}

function* wholeEntries(lines: readonly Line[]): Generator<Line> {
  const latest = new LatestTexts()
  const budget = new Budget('shown')
  for (const line of lines) {
    const request = object(line['request'])
    const data = object(request['postData'])
    if (typeof data['text'] !== 'string') continue
    const { ago, begin, end } = object(data['_shared'])
    const shared = { ago: number(ago), begin: number(begin), end: number(end) }
    refuseLarge(budget, shared.begin + shared.end)
    const whole = latest.restore({ text: text(memberIn(data, 'text')), shared })
    if (whole !== null) yield { ...line, request: { ...request, postData: { text: whole } } }
  }
}
