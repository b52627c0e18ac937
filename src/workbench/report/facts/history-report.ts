import type { Catalog } from '../../../entries/index.ts'
import { sanitiseLine, truncateToWidth } from '../../../entries/kit.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import { catalogIndex } from '../../../entries/search.ts'
import type { Report } from '../report.ts'

/** Entries and turns that are shown, the latest ones. */
const MOST = { entries: 5, turns: 3 } as const

/** Columns of a message of a person. */
const LONGEST_MESSAGE = 80

/**
 * Shows the outcome of a tool or a skill: the requests that had it, its calls, and the turns that passed it over. Nothing
 * before the first request.
 */
export function historyReport(name: string, history: NameHistory, catalog: Catalog): Report {
  const { requests, shown, events, passedOver, repeated, asked } = history
  if (requests === 0) return []
  const lines = [
    ...(shown === null ? [] : [shownText(shown, requests)]),
    ...events
      .slice(-MOST.entries)
      .map(
        ({ attempt, ...one }) =>
          `#${one.seq} after request ${one.step}${inAttempt(attempt)}: ${one.text}`,
      ),
    ...repeated.map(repeatedText),
    ...passedOver.slice(-MOST.turns).map((turn) => passedOverText(name, turn, catalog)),
    ...(asked === null || asked.turn === passedOver.at(-1)?.turn
      ? []
      : askedText(name, asked, catalog)),
  ]
  return lines.map((text) => ({ kind: 'text', text: sanitiseLine(text) }))
}

function shownText(
  { whole, nameOnly, last }: NonNullable<NameHistory['shown']>,
  requests: number,
): string {
  if (last === null) return `shown to the model in no request of ${requests}`
  const parts = [
    ...(whole.length === 0 ? [] : [`in ${runsText(whole, requests)}`]),
    ...(nameOnly.length === 0 ? [] : [`by its name alone in ${runsText(nameOnly, requests)}`]),
  ]
  const { place, of, description } = last
  const text = typeof description === 'string' ? `, as ${JSON.stringify(description)}` : ''
  return `shown to the model ${parts.join(', ')}, at place ${place} of ${of}${text}`
}

type Runs = NonNullable<NameHistory['shown']>['whole']

function runsText(runs: Runs, requests: number): string {
  const times = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  const named = runs.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`))
  if (times === requests) return requests === 1 ? 'the only request' : `all ${requests} requests`
  return `${times} of ${requests} requests (${named.join(', ')})`
}

function inAttempt(attempt: NameHistory['events'][number]['attempt']): string {
  return attempt === undefined ? '' : ` (attempt ${attempt.number} at step ${attempt.step})`
}

function repeatedText({ turn, entries }: NameHistory['repeated'][number]): string {
  const times = entries.length === 2 ? 'twice' : `${entries.length} times`
  return `ran ${times} in turn ${turn} with the same arguments: ${entries.map((seq) => `#${seq}`).join(', ')}`
}

/** Says what the person wanted, how well this fits by search, and what was used. */
function passedOverText(
  name: string,
  { turn, said, used }: NameHistory['passedOver'][number],
  catalog: Catalog,
): string {
  const wanted = said === null ? '' : ` ("${truncateToWidth(said, LONGEST_MESSAGE)}")`
  const instead =
    used.length === 0 ? 'the model answered without it' : `the model used ${used.join(', ')}`
  const rank = said === null ? '' : skillRankText(name, said, catalog)
  return `passed over in turn ${turn}${wanted}: ${instead}${rank === '' ? '' : `; ${rank}`}`
}

/** Says how well a skill fits the last message of the person by search. */
function askedText(
  name: string,
  { turn, said }: NonNullable<NameHistory['asked']>,
  catalog: Catalog,
): readonly string[] {
  const rank = skillRankText(name, said, catalog)
  const words = truncateToWidth(said, LONGEST_MESSAGE)
  return rank === '' ? [] : [`turn ${turn} ("${words}"): ${rank}`]
}

/** Says at which place of a search for some words a skill is; empty for another name. */
export function skillRankText(name: string, said: string, catalog: Catalog): string {
  if (!catalog.skills.has(name)) return ''
  const { results } = catalogIndex(catalog).search(said, {
    limit: catalog.skills.size,
    only: (_name, kind) => kind === 'skill',
  })
  const at = results.findIndex((one) => one.name === name)
  if (at < 0) return 'its description has none of these words'
  return `by search, its description is at place ${at + 1} of ${catalog.skills.size} for these words`
}
