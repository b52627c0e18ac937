import type { Entry, Verdict, WorkspaceEvent } from '../../../entries/index.ts'
import type { SearchResult } from '../../../entries/search.ts'
import { describeCause, describeEvent, findSkill, listingAddress } from '../../../entries/kit.ts'
import { skillRankText } from '../facts/history-report.ts'
import { healthReport, verdictReport } from '../facts/verdict-report.ts'
import type { Report } from '../report.ts'
import { explainVerdict, explanationReport, findVerdict, type NameSource } from './explain-name.ts'
import { foundReport, nothingFoundLines } from './found-report.ts'
import { sessionSearch } from './session-search.ts'

/** The answer to a question of why. */
export interface WhyAnswer {
  readonly report: Report
  /** The entry that it is about; null for any other answer. */
  readonly entry: number | null
  /** The tool or skill that it is about; null for a sentence, and for a name that is not there. */
  readonly named: Pick<Verdict, 'kind' | 'name'> | null
  /** The results of a search, best first: the rows of the report. */
  readonly found: readonly Pick<Verdict, 'kind' | 'name'>[]
}

/** Results that a search shows, and the first ones, whose status is shown too. */
const MOST = { results: 10, explained: 3 } as const

/**
 * Answers why: for an entry (`#12`, `step 3`) what it is and the status of what it is about; for a name what `loadout why`
 * prints; for a sentence the tools and skills that a search finds, as `loadout search` prints them, and whether the first
 * ones can be used. A single word that nothing is named is explained and searched for.
 *
 * Where a sentence has words in quotes, these are searched for, and the names around them are explained:
 * `why was refunds not loaded for "give the money back"?`.
 */
export async function answerWhy(asked: string, source: NameSource): Promise<WhyAnswer> {
  const text = asked.trim()
  if (text === '') return { ...NOTHING, report: HOW_TO_ASK }
  const entries = await source.entries()
  const entry = entryAsked(text, entries)
  if (entry !== null) return aboutEntry(entry, entries, source)
  const { workspace } = source
  // Only a skill has a name with blanks, and a tool of such an owner.
  const hasBlanks = /\s/v.test(text) && !text.includes('/')
  if (hasBlanks && !findSkill(text, workspace.catalog.skills).ok) return aboutSentence(text, source)
  const verdict = findVerdict(text, null, workspace)
  const { status, kind, name } = verdict
  const report = explanationReport(await explainVerdict(verdict, null, source), workspace)
  if (status !== 'unknown') return { ...NOTHING, report, named: { kind, name } }
  const server = serverReport(text, workspace)
  if (server.length > 0) return { ...NOTHING, report: [...report, BLANK, ...server] }
  const searched = aboutSentence(text, source)
  return { ...searched, report: [...report, BLANK, ...searched.report] }
}

const BLANK = { kind: 'text', text: '' } as const

const HOW_TO_ASK: Report = [
  {
    kind: 'text',
    text: 'A name of a tool, a skill or a server: its status, the reason, and what changes it.',
  },
  { kind: 'text', text: 'A sentence that a person would say: what a search finds for it.' },
  { kind: 'text', text: 'why was NAME not loaded for "WORDS"?: both.' },
  { kind: 'text', text: '#12, or step 3: an entry, and what it is about.' },
]

const NOTHING: Omit<WhyAnswer, 'report'> = { entry: null, named: null, found: [] }

/** Shows a server: its connection, the skills that bring it, and its tools with their status; nothing for another name. */
function serverReport(name: string, workspace: NameSource['workspace']): Report {
  const { servers, skillServers = new Map() } = workspace.catalog
  const tools = workspace.tools().filter((one) => one.source === 'server' && one.owner === name)
  const [first] = tools
  if (first === undefined && servers?.has(name) !== true) return []
  const health = first && workspace.explain(listingAddress(first)).health
  const bringers = [...skillServers].filter(([, named]) => named.includes(name))
  const lines = [
    ...bringers.map(([skill]) => `brought by ${skill}: ${workspace.explainSkill(skill).status}`),
    ...tools.map((one) => `${one.name}: ${one.status}`),
  ]
  return [
    { kind: 'heading', text: `${name} (server)` },
    ...(health === undefined ? [] : healthReport(health)),
    ...lines.map((text) => ({ kind: 'text', text, indented: true }) as const),
  ]
}

/** Returns the number of the entry that is asked about; null for anything else. */
function entryAsked(text: string, entries: readonly Entry[]): number | null {
  const [, seq] = /^#(\d{1,9})$/v.exec(text) ?? []
  if (seq !== undefined) return Number(seq)
  const [, step] = /^step (\d{1,9})$/iv.exec(text) ?? []
  if (step === undefined) return null
  const begun = entries.find(
    ({ event }) => event.type === 'step.begun' && event.step === Number(step),
  )
  return begun?.seq ?? null
}

/** Writes an entry, and the status now of the tool or skill that it is about. */
async function aboutEntry(
  seq: number,
  entries: readonly Entry[],
  source: NameSource,
): Promise<WhyAnswer> {
  const entry = entries[seq]
  if (entry === undefined) {
    const text = `There is no entry #${seq}: the last one is #${entries.length - 1}.`
    return { ...NOTHING, report: [{ kind: 'text', text }] }
  }
  const { cause, event } = entry
  const name = eventSubject(event)
  const verdict = name === null ? null : findVerdict(name, null, source.workspace)
  const isKnown = verdict !== null && verdict.status !== 'unknown'
  const explained = isKnown ? await explainVerdict(verdict, null, source) : null
  return {
    ...NOTHING,
    entry: seq,
    report: [
      { kind: 'heading', text: `#${seq} ${event.type}` },
      { kind: 'text', text: `${describeCause(cause)}: ${describeEvent(event)}` },
      ...(explained === null ? [] : [BLANK, ...explanationReport(explained, source.workspace)]),
    ],
  }
}

/** Returns the tool or the skill that an event is about; null for none. A server has the place of a skill. */
function eventSubject(event: WorkspaceEvent): string | null {
  if ('tool' in event) return event.tool
  if ('skill' in event) return event.skill
  if ('subject' in event) return event.subject
  return 'owner' in event ? event.owner : null
}

/** Searches for a sentence, or for the words in quotes in it. */
function aboutSentence(text: string, { workspace }: NameSource): WhyAnswer {
  const [all = '', query = text] =
    /["“”](.+)["“”]/sv.exec(text) ?? /(?:^|\s)'([^']+)'/v.exec(text) ?? []
  const names = all === '' ? [] : namesIn(text.replace(all, ' '), workspace)
  const about = names.flatMap((verdict): Report => {
    const rank =
      verdict.kind === 'skill' ? skillRankText(verdict.name, query, workspace.catalog) : ''
    return [
      ...verdictReport(verdict),
      ...(rank === '' ? [] : [{ kind: 'text', text: rank } as const]),
      BLANK,
    ]
  })
  const search = sessionSearch(workspace)
  const answer = search.find(query, MOST.results)
  const { results } = answer
  if (results.length === 0) {
    const lines = nothingFoundLines(query, search.index.size)
    return {
      ...NOTHING,
      report: [...about, ...lines.map((one) => ({ kind: 'text', text: one }) as const)],
    }
  }
  const first = results.slice(0, MOST.explained).flatMap((one) => statusReport(one, workspace))
  return { ...NOTHING, found: results, report: [...about, ...foundReport(answer), BLANK, ...first] }
}

/** Shows whether a result can be used, what matched, whether the last step sent it, and what would change it. */
function statusReport(
  { kind, name, matched }: SearchResult,
  workspace: NameSource['workspace'],
): Report {
  const { exposed, ...verdict } = findVerdict(name, kind, workspace)
  const lines = [
    ...matched.map(({ field, terms }) => `${field}: ${terms.join(' ')}`),
    ...(exposed === undefined || workspace.state.step === 0 ? [] : [exposed ? SENT : NOT_SENT]),
  ]
  const shown = verdictReport(verdict)
  return [
    ...shown.filter((node) => node.kind === 'heading'),
    ...lines.map((text) => ({ kind: 'text', text, indented: true }) as const),
    ...shown.filter((node) => node.kind === 'action'),
  ]
}

const SENT = 'The last step sent it to the model.'

const NOT_SENT = 'The last step did not send it to the model.'

/** Returns the verdicts of the tools and skills that are named in a sentence. */
function namesIn(text: string, workspace: NameSource['workspace']): readonly Verdict[] {
  const listed = [...workspace.skills(), ...workspace.tools()]
  const known = new Set(listed.map(({ name }) => name))
  const words = new Set(text.match(/[\p{L}\p{N}_][\p{L}\p{N}_\/.:\-]*/gv))
  return [...words]
    .filter((word) => known.has(word))
    .map((word) => findVerdict(word, null, workspace))
}
