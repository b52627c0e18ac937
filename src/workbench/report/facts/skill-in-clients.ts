import type { ClientListing } from '../../../connections/clients/list-as-client.ts'
import type { Report, ReportColumn, ReportRows } from '../report.ts'

/** The outcome of one file with a skill's name in one client. */
export interface SkillInClient {
  readonly client: string
  readonly version: string
  /** Null where the client finds no such skill. */
  readonly path: string | null
  readonly outcome: string
  /** The name in the list. */
  readonly shownAs: string | null
  readonly description: string | null
  readonly reason: string
  readonly line: number | null
  readonly unknown: string | null
}

/**
 * Finds a skill in the lists of clients: by its name, by that in the list, or by that of its folder. A file that one client
 * knows by this name is the skill for all of them: another may not have read its name.
 */
export function skillInClients(
  name: string,
  listings: readonly ClientListing[],
): readonly SkillInClient[] {
  const hasName = (one: Found) =>
    one.name === name || one.name.endsWith(` (${name})`) || folderName(one.path) === name
  const all = listings.flatMap(({ skills, unlisted }): readonly Found[] => [...skills, ...unlisted])
  const paths = new Set(all.filter(hasName).flatMap(({ path }) => path ?? []))
  return listings.flatMap(({ client, version, skills, unlisted }): readonly SkillInClient[] => {
    const isNamed = (one: Found) => hasName(one) || (one.path !== null && paths.has(one.path))
    const listed = skills.filter(isNamed).map((one) => ({
      client,
      version,
      path: one.path,
      outcome: one.outcome,
      shownAs: one.name,
      description: one.description,
      reason: one.reason,
      line: one.line,
      unknown: one.unknown,
    }))
    const others = unlisted.filter(isNamed).map((one) => ({
      client,
      version,
      path: one.path,
      outcome: one.outcome,
      shownAs: null,
      description: null,
      reason: one.reason,
      line: one.line ?? null,
      unknown: null,
    }))
    const found = [...listed, ...others]
    return found.length > 0 ? found : [{ ...MISSING, client, version }]
  })
}

/** A file that a client found. */
interface Found {
  readonly name: string
  readonly path: string | null
}

const MISSING = {
  path: null,
  outcome: 'not found',
  shownAs: null,
  description: null,
  reason: 'no folder that it searches has such a skill',
  line: null,
  unknown: null,
}

function folderName(path: string | null): string | null {
  return path?.split(/[\\/]/).at(-2) ?? null
}

/** Writes one column a client: the outcome, the name in the list, and the reason. */
export function skillInClientsReport(name: string, found: readonly SkillInClient[]): Report {
  const clients = [...new Set(found.map(({ client }) => client))]
  const of = (client: string) => found.filter((one) => one.client === client)
  const rows: readonly Row[] = ROWS.map(({ title, text }) => ({
    title,
    cells: clients.map((client) =>
      of(client)
        .map(text)
        .filter((one) => one !== '')
        .join('; '),
    ),
  })).filter(({ cells }) => cells.some((cell) => cell !== ''))
  const columns: readonly ReportColumn<Row>[] = [
    { title: '', cell: (row) => row.title },
    ...clients.map((client, at) => ({
      title: client.toUpperCase(),
      cell: (row: Row) => row.cells[at] ?? '',
    })),
  ]
  const table: ReportRows<Row, Row, Row> = {
    kind: 'rows',
    of: 'answer',
    columns,
    count: rows.length,
    row: (index) => rows[index] as Row,
    identify: ({ title }) => title,
    markWidth: 0,
    mark: () => ({ glyph: 'inactive' }),
    read: (row) => row,
    json: (row) => row,
    about: () => [],
    summary: () => '',
  }
  return [{ kind: 'heading', text: `${name} in other clients` }, table]
}

interface Row {
  readonly title: string
  readonly cells: readonly string[]
}

/** Characters of a description that a column shows. */
const SHOWN = 40

const ROWS: readonly {
  readonly title: string
  readonly text: (one: SkillInClient) => string
}[] = [
  { title: 'what happens', text: ({ outcome }) => outcome },
  { title: 'listed as', text: ({ shownAs }) => shownAs ?? '' },
  {
    title: 'description',
    text: ({ description }) => {
      const text = description ?? ''
      return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text
    },
  },
  {
    title: 'why',
    text: ({ reason, line }) =>
      line === null || reason === '' ? reason : `${reason} (line ${line})`,
  },
  { title: 'unknown', text: ({ unknown }) => unknown ?? '' },
]
