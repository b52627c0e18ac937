import { counted, formatCount, shareText } from '../../../entries/plan.ts'
import type { Report, ReportColumn, ReportNode, ReportRows, ReportTone } from '../report.ts'
import type { Proposal } from './propose-phrases.ts'
import type { CarriedTokens } from './session-usage.ts'
import type { SkillVerdict, UsageTotals } from './usage-totals.ts'

/** A column of a table: its title, and the cell of a row. */
type Column<Row> = readonly [
  title: string,
  cell: (row: Row) => ReturnType<ReportColumn<Row>['cell']>,
  align?: 'right',
]

/**
 * Writes the use and the cost of everything in many sessions.
 *
 * @param most rows of each table; a line says how many are left out
 */
export function usageReport(totals: UsageTotals, most: number): Report {
  const table = <Row>(
    of: string,
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    about?: (row: Row) => readonly string[],
  ): Report => tableNodes(of, rows.slice(0, most), rows.length, columns, about)
  if (totals.sessions + totals.subagents === 0) return [text('No session was found.')]
  return [
    ...totalNodes(totals),
    heading('Skills'),
    ...table('skill', totals.skills, SKILL_COLUMNS, (skill) => [
      skill.description,
      VERDICTS[skill.verdict].why,
      ...skill.sections.map(
        ({ title, tokens, used }) =>
          `Part "${title}" of ${formatCount(tokens)} tokens: used by ${used} of ${counted(skill.loads, 'load')} (estimated).`,
      ),
    ]),
    heading('Servers'),
    ...table('server', totals.servers, SERVER_COLUMNS),
    heading('Tools'),
    ...table('tool', totals.tools, TOOL_COLUMNS),
    heading('Memory files and parts of the system prompt'),
    ...table('part', totals.parts, PART_COLUMNS),
    heading('Misses of the cache'),
    ...table('miss', totals.misses, MISS_COLUMNS, ({ by, examples }) => [
      ...by.map(
        (one) => `${one.who}: ${counted(one.times, 'miss', 'misses')}, ${formatCount(one.price)}`,
      ),
      ...examples.map(
        ({ session, step, price, what }) =>
          `${session}, request ${step}: ${formatCount(price)}. ${what || 'The cause is not known.'}`,
      ),
    ]),
    heading('Messages that fit a skill, and did not get it'),
    ...table('message', totals.missed, MISSED_COLUMNS),
    heading('Descriptions that fight'),
    ...table('pair', totals.fighting, FIGHTING_COLUMNS),
    heading('Changes that the recorded sessions would have been better with'),
    ...table('change', totals.proposals, CHANGE_COLUMNS),
    ...totals.proposals.slice(0, most).map(({ text }) => ({ kind: 'action', text }) as const),
  ]
}

function totalNodes({ clients, from, until, reported, ...totals }: UsageTotals): Report {
  const day = (at: number | null) => (at === null ? '?' : new Date(at).toISOString().slice(0, 10))
  const agents = clients.map(({ client, sessions }) => `${client} ${formatCount(sessions)}`)
  const subagents = totals.subagents > 0 ? `, ${counted(totals.subagents, 'subagent')}` : ''
  const { input, cached, written, output } = reported
  return [
    text(
      `${counted(totals.sessions, 'session')} (${agents.join(', ')}${subagents}) from ${day(from)} to ${day(until)}, ${counted(totals.requests, 'request')}`,
    ),
    text(
      `${formatCount(input)} input tokens, ${formatCount(cached)} of them cached (${shareText(cached, input)}) and ${formatCount(written)} written, ${formatCount(output)} output; reported for ${formatCount(reported.requests)} of ${counted(totals.requests, 'request')}`,
    ),
    text(`Price of all prompts: ${formatCount(totals.price)} tokens at the full input price.`),
    text(
      'Tokens of skills, tools and texts are estimates in o200k_base, summed over the requests that had them. CACHED is the share that came from the cache, by the order of a request.',
    ),
  ]
}

function text(line: string): ReportNode {
  return { kind: 'text', text: line }
}

function heading(title: string): ReportNode {
  return { kind: 'heading', text: title }
}

const VERDICTS: Readonly<
  Record<SkillVerdict, { readonly tone?: ReportTone; readonly why: string }>
> = {
  pays: { tone: 'good', why: 'It is loaded in at least one of 20 sessions that have it.' },
  rare: { tone: 'warning', why: 'It is loaded in fewer than one of 20 sessions that have it.' },
  missed: { tone: 'bad', why: 'More messages fit it and did not get it than loaded it.' },
  dead: { tone: 'bad', why: 'No session loaded it, and no message fits it.' },
  'few sessions': { why: 'Nothing loaded it yet, in fewer than 5 sessions.' },
}

/** Returns columns with the counts of these names. */
function counts<Name extends string>(
  ...names: readonly Name[]
): readonly Column<Readonly<Record<Name, number>>>[] {
  return names.map((name) => [name.toUpperCase(), (row) => row[name], 'right'])
}

/** Returns columns with the tokens of something in requests, and the share of them that was cached. */
function carried<Row>(title: string, of: (row: Row) => CarriedTokens): readonly Column<Row>[] {
  const share = ({ tokens, cached }: CarriedTokens) =>
    tokens === 0 ? '-' : shareText(cached, tokens)
  return [
    [title, (row) => of(row).tokens, 'right'],
    ['CACHED', (row) => share(of(row)), 'right'],
  ]
}

function shownIn({ shown }: { readonly shown: CarriedTokens }): CarriedTokens {
  return shown
}

const SKILL_COLUMNS: readonly Column<UsageTotals['skills'][number]>[] = [
  ['SKILL', ({ name }) => name],
  ['VERDICT', ({ verdict }) => ({ text: verdict, tone: VERDICTS[verdict].tone })],
  ['SESSIONS', ({ loadedIn, sessions }) => `${loadedIn} of ${sessions}`, 'right'],
  ...counts('loads', 'calls', 'missed'),
  ...carried('LISTED', ({ listing }: UsageTotals['skills'][number]) => listing),
  ['LOADED', (skill) => skill.carried.tokens, 'right'],
  ['BODY', ({ body, loads }) => (loads === 0 ? null : body), 'right'],
]

const SERVER_COLUMNS: readonly Column<UsageTotals['servers'][number]>[] = [
  ['SERVER', ({ name }) => name],
  ['TOOLS', ({ called, tools }) => `${called} of ${tools} called`, 'right'],
  ...counts('calls', 'failures'),
  ...carried('SHOWN', shownIn),
  ...counts('results'),
]

const TOOL_COLUMNS: readonly Column<UsageTotals['tools'][number]>[] = [
  ['TOOL', ({ name }) => name],
  ['SERVER', ({ server }) => server],
  ...counts('requests', 'calls', 'failures'),
  ...carried('SHOWN', shownIn),
  ...counts('results'),
]

const PART_COLUMNS: readonly Column<UsageTotals['parts'][number]>[] = [
  ['PART', ({ name }) => name],
  ['KIND', ({ isFile }) => (isFile ? 'memory file' : 'system')],
  ...counts('sessions'),
  ...carried('TOKENS', shownIn),
]

const MISS_COLUMNS: readonly Column<UsageTotals['misses'][number]>[] = [
  ['CAUSE', ({ cause }) => cause],
  ...counts('times', 'tokens', 'price'),
  ['ESTIMATED', ({ estimates }) => estimates, 'right'],
  ['BY', ({ by }) => by.map(({ who, times }) => `${who} ${times}`).join(', ')],
  ['THE DEAREST', ({ examples: [first] }) => first?.what ?? ''],
]

const MISSED_COLUMNS: readonly Column<UsageTotals['missed'][number]>[] = [
  ['SKILL', ({ skill }) => skill],
  ['FITS', ({ confidence }) => `${Math.round(confidence * 100)} %`, 'right'],
  ['SESSION', ({ session, entry }) => `${session} #${entry}`],
  ['WORDS', ({ words }) => words.join(', ')],
  ['MESSAGE', (message) => message.text],
]

const FIGHTING_COLUMNS: readonly Column<UsageTotals['fighting'][number]>[] = [
  ['FIRST', ({ first }) => first],
  ['SECOND', ({ second }) => second],
  ['KIND', ({ kind, isDuplicate }) => `${kind}, ${isDuplicate ? 'the same' : 'alike'}`],
  ['WORDS', ({ words }) => words.join(', ')],
]

const CHANGE_COLUMNS: readonly Column<Proposal>[] = [
  ['CHANGE', ({ kind }) => kind],
  ['BEFORE', ({ before }) => before, 'right'],
  ['AFTER', ({ after }) => after, 'right'],
  ['COUNTED', ({ kind }) => (kind === 'phrases' ? 'messages found' : 'price in tokens')],
  ['REPLAYED', ({ replayed, better, worse }) => `${better} better, ${worse} worse of ${replayed}`],
  ['NAMES', ({ names }) => names.join(', ')],
]

/** Returns the nodes of a table: its rows, and the number of those that are left out. */
function tableNodes<Row>(
  of: string,
  rows: readonly Row[],
  count: number,
  columns: readonly Column<Row>[],
  about: (row: Row) => readonly string[] = () => [],
): Report {
  if (count === 0) return [text('None.')]
  const node: ReportRows<Row, Row, Row> = {
    kind: 'rows',
    of,
    columns: columns.map(([title, cell, align]) => ({ title, cell, ...(align && { align }) })),
    count: rows.length,
    row: (index) => rows[index] as Row,
    identify: (row) => String(rows.indexOf(row)),
    markWidth: 0,
    mark: () => ({ glyph: 'inactive' }),
    read: (row) => row,
    json: (row) => row,
    about: (row) =>
      about(row)
        .filter((line) => line !== '')
        .map(text),
    summary: () => counted(count, of),
  }
  const left = count - rows.length
  return [node as ReportNode, ...(left > 0 ? [text(`${formatCount(left)} more.`)] : [])]
}
