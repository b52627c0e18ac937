import type {
  Entry,
  Redactor,
  TokenCounter,
  VirtualWorkspace,
  WorkspaceLook,
} from '../../../entries/index.ts'
import { listingAddress } from '../../../entries/kit.ts'
import type { Report } from '../../report/report.ts'
import { historyReport } from '../../report/facts/history-report.ts'
import { verdictReport } from '../../report/facts/verdict-report.ts'
import { findDifferences, type PageDifferences } from './find-differences.ts'
import { createPageParts, type PageParts } from './page-parts.ts'
import { type ExplainedNames, NONE_EXPLAINED, type PageMoment, readMoment } from './read-moment.ts'

/** The session that a page shows. */
export interface PageSession {
  readonly workspace: VirtualWorkspace
  readonly counter: TokenCounter
  /** The last entry of the page; the newest by default. */
  readonly at?: number
  /** The home, in which other agents have skills and settings; absent where it is not read. */
  readonly home?: string | null
  /** Hides secrets in the page that is served. */
  readonly redactor?: Redactor | undefined
}

/** The content of a page. */
export interface PageContent {
  readonly session: string
  readonly agent: string | null
  /** All entries, up to the last one of the page. */
  readonly entries: readonly Entry[]
  /** The moments after the newest entries. */
  readonly moments: readonly PageMoment[]
  readonly parts: PageParts
  readonly differences: PageDifferences
}

/** The most moments of a page. */
const MOST_MOMENTS = 500

/** The most tools that are read at all moments together: it bounds the time for large catalogs. */
const MOST_TOOL_READINGS = 100_000

/**
 * Creates a function that reads the content of a page. A later call reads the new entries only. Long sessions are
 * bounded: the earliest moments are left out.
 */
export function createPageReader({
  workspace,
  counter,
  at,
  home = null,
}: PageSession): () => Promise<PageContent> {
  let entries: readonly Entry[] = []
  /** The part of the session that was read so far. */
  let read: {
    readonly look: WorkspaceLook
    readonly parts: PageParts
    readonly moments: PageMoment[]
    differences: PageDifferences
  } | null = null
  const readNow = async (look: WorkspaceLook, parts: PageParts) => {
    const isLast = look.state.seq === entries.length - 1
    const explained = isLast ? await explainNames(look, entries, home) : NONE_EXPLAINED
    return readMoment(look, counter, parts, explained)
  }
  return async () => {
    const newer = await workspace.entries(entries.length)
    entries = [...entries, ...newer.filter(({ seq }) => at === undefined || seq <= at)]
    const readings = MOST_TOOL_READINGS / Math.max(1, workspace.tools().length)
    const most = Math.max(1, Math.min(MOST_MOMENTS, Math.floor(readings)))
    // Pieces of moments that were left out take memory: start again before they are the larger part.
    if (read === null || read.moments.length > 2 * most) {
      const first = Math.max(0, entries.length - most)
      const look = await workspace.sessions.look(first)
      const parts = createPageParts()
      const moments = [await readNow(look, parts)]
      read = { look, parts, moments, differences: new Map() }
    }
    const { look, parts, moments } = read
    for (const entry of entries.slice(look.state.seq + 1)) {
      await look.forward([entry])
      moments.push(await readNow(look, parts))
    }
    const shown = moments.slice(-most)
    read.differences = findDifferences(shown, counter, parts, read.differences)
    const { session, agent } = workspace
    const { differences } = read
    return { session, agent: agent?.name ?? null, entries, moments: shown, parts, differences }
  }
}

/** The most tools and skills that are explained: the history of each is read. */
const MOST_EXPLAINED = 500

/** Explains the tools and skills of another agent as `loadout why` does; none in a session of Loadout. */
async function explainNames(
  look: WorkspaceLook,
  entries: readonly Entry[],
  home: string | null,
): Promise<ExplainedNames> {
  if (look.state.opening?.observed === undefined) return NONE_EXPLAINED
  const { observedNames } = await import('../../report/facts/observed-names.ts')
  const read = observedNames(entries, home)
  const names = [
    ...look.skills().map(({ name }) => ({ row: name, name, verdict: look.explainSkill(name) })),
    ...look.tools().map((one) => {
      const name = listingAddress(one)
      return { row: one.name, name, verdict: look.explain(name) }
    }),
  ]
  const explained = new Map<string, Report>()
  for (const { row, name, verdict } of names.slice(0, MOST_EXPLAINED)) {
    const history = await look.history(name)
    explained.set(`${verdict.kind} ${row}`, [
      ...verdictReport({ ...verdict, observed: await read(verdict, history) }),
      ...historyReport(name, history, look.catalog),
    ])
  }
  return explained
}
