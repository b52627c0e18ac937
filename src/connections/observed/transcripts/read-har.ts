import { Budget } from '../../../workspace/commands/budget.ts'
import { list, memberIn, number, object, text } from '../content/text-in-content.ts'
import { LatestTexts } from '../latest-texts.ts'
import type { ObservedSession } from '../observation.ts'
import { refuseLarge } from '../refuse-large.ts'
import { withCalls } from './agent-lines.ts'
import { exchangeReader } from './exchange-reader.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * Reads a HAR file, which a browser or a proxy makes: requests to the Messages, Responses, Chat Completions
 * and Gemini APIs. A
 * conversation is the requests that begin with the same first message, or have an answer of the model in common.
 * Returns none for another file.
 */
export function readHar(file: unknown): readonly ObservedSession[] {
  return exchangeReader()(list(memberIn(memberIn(file, 'log'), 'entries')).map(object))
}

/** Returns true for the first line of a recording. */
export function isRecordedLine({ recording, folder }: Line): boolean {
  return recording === 1 && typeof folder === 'string'
}

/**
 * Returns a reader of what `loadout watch` recorded: entries of a HAR file, whose requests have only what the latest ones lack.
 * It reads each line once, also when it gets more of them. A conversation that begins with the prompt of a call is a child
 * session of it; one without tools, such as a request for a title, is one of the first session.
 */
export function recordingReader(): (lines: readonly Line[]) => readonly ObservedSession[] {
  const read = exchangeReader()
  const restore = entryRestorer()
  let known = 0
  return (lines) => {
    const folder = text(lines[0]?.['folder']) || null
    const client = text(lines[0]?.['client'])
    const fresh = lines.slice(known)
    known = lines.length
    const all = read(fresh.values().flatMap(restore)).map((one) => {
      // Its requests may name a library alone.
      const isOwn = client === '' || client === one.client
      const named = isOwn ? {} : { client, version: null }
      return { ...one, ...named, folder, hasCuts: true } as const
    })
    const main = all.find(hasTools)
    const parent = main && { session: main.session, call: null, agent: null }
    const branches = all.filter(({ forkedFrom }) => forkedFrom !== undefined)
    const agents = all
      .filter((one) => !branches.includes(one))
      .map((one) => (parent && !hasTools(one) ? { ...one, parent } : one))
      .map((one) => [one.session, one] as const)
    return [...withCalls(agents, new Map(), []), ...branches]
  }
}

function hasTools({ seen }: ObservedSession): boolean {
  return seen.some((one) => one.type === 'tools' && one.tools.length > 0)
}

/** Returns a function that returns the entry of a line with the whole request; none for another line. */
function entryRestorer(): (line: Line) => readonly Line[] {
  const latest = new LatestTexts()
  const budget = new Budget('recorded')
  return (line) => {
    const request = object(line['request'])
    const data = object(request['postData'])
    if (typeof data['text'] !== 'string') return []
    const { ago, begin, end } = object(data['_shared'])
    const shared = { ago: number(ago), begin: number(begin), end: number(end) }
    const whole = latest.restore({ text: text(data['text']), shared })
    refuseLarge(budget, whole.length, 'The recording')
    return [{ ...line, request: { ...request, postData: { text: whole } } }]
  }
}
