import type {
  ClientListing,
  ShownSkill,
  UnlistedSkill,
} from '../../../connections/clients/list-as-client.ts'
import { formatCount } from '../../../entries/plan.ts'
import type { Report, ReportColumn, ReportRows } from '../report.ts'

/** Writes what a client shows its model: its list, what is not in it and why, and how the room of the list is used. */
export function clientReport(listing: ClientListing): Report {
  const { title, version, window, unlisted, skills, unknownOrder } = listing
  const named = skills.map(({ name, unknown }) => unknown && `${name}: ${unknown}`)
  const unknown = [...named, unknownOrder].filter((one) => one !== null)
  return [
    {
      kind: 'heading',
      text: `${title} ${version}`,
      value: { text: `window of ${formatCount(window)} tokens`, dim: true },
    },
    listRows(skills),
    ...unlisted.map((one) => ({ kind: 'text' as const, text: unlistedText(one) })),
    ...unknown.map((text) => ({ kind: 'text' as const, text: `Unknown: ${text}` })),
    ...budgetLines(listing),
  ]
}

function listRows(skills: readonly ShownSkill[]): ReportRows<ShownSkill, ShownSkill, ShownSkill> {
  return {
    kind: 'rows',
    of: 'skill',
    columns: COLUMNS,
    count: skills.length,
    row: (index) => skills[index] as ShownSkill,
    identify: ({ name, path }) => path ?? name,
    markWidth: 0,
    mark: () => ({ glyph: 'inactive' }),
    read: (skill) => skill,
    json: (skill) => skill,
    about: (skill) => [{ kind: 'text', text: skill.reason }],
    summary: () => formatCount(skills.length),
  }
}

const COLUMNS: readonly ReportColumn<ShownSkill>[] = [
  { title: 'SKILL', cell: ({ name }) => name },
  { title: 'FROM', cell: ({ scope }) => scope },
  {
    title: 'SHOWN',
    cell: ({ outcome, reason, line }) => ({
      text: [OUTCOMES[outcome], reason, line === null || reason === '' ? '' : `line ${line}`]
        .filter((one) => one !== '')
        .join(', '),
      ...(outcome !== 'listed' && { tone: 'warning' as const }),
    }),
  },
  {
    title: 'DESCRIPTION',
    cell: ({ description, builtIn, shown }) =>
      description ??
      (builtIn && shown > 0 ? `(${formatCount(shown)} characters of the client)` : ''),
  },
]

const OUTCOMES = { listed: 'whole', cut: 'cut', 'name-only': 'name only' } as const

function unlistedText({ name, path, outcome, reason, line }: UnlistedSkill): string {
  const place = line === undefined ? path : `${path}:${line}`
  return `Not listed (${outcome}): ${name}: ${reason} (${place})`
}

/** Characters of the picture of a budget. */
const PICTURE = 40

function budgetLines({ budget }: ClientListing): Report {
  const { limit, unit, needed, ends, setting } = budget
  const parts = [needed['built-in'], needed.home, needed.project]
  const sum = parts.reduce((all, one) => all + one, 0)
  const counts = `built-in ${formatCount(parts[0] ?? 0)} (#), home ${formatCount(parts[1] ?? 0)} (+), project ${formatCount(parts[2] ?? 0)} (=)`
  if (limit === null) {
    return [
      {
        kind: 'text',
        text: `The list has no limit. It has ${formatCount(sum)} ${unit}: ${counts}.`,
      },
    ]
  }
  const scale = PICTURE / Math.max(limit, sum, 1)
  const bar = parts.map((part, at) => ('#+='[at] ?? '').repeat(Math.round(part * scale))).join('')
  const end = Math.round(limit * scale)
  const picture = `${bar.padEnd(end, '.').slice(0, end)}|${bar.slice(end)}`
  const places = ends.map(({ window, at }) => {
    const where = at === null ? 'all are whole' : `ends at ${at}`
    return `${window >= 1_000_000 ? `${window / 1_000_000}M` : `${window / 1000}k`}: ${where}`
  })
  return [
    {
      kind: 'text',
      text: `[${picture}] ${formatCount(sum)} of ${formatCount(limit)} ${unit}: ${counts}`,
    },
    { kind: 'text', text: `With a window of ${places.join('; ')}.` },
    ...(setting === undefined ? [] : [{ kind: 'action' as const, text: setting }]),
  ]
}
