import type {
  Entry,
  Redactor,
  TokenCounter,
  VirtualWorkspace,
  WorkspaceLook,
} from '../../../entries/index.ts'
import { findDifferences, type PageDifferences } from './find-differences.ts'
import { createPageParts, type PageParts } from './page-parts.ts'
import { type PageMoment, readMoment } from './read-moment.ts'

/** The session that a page shows. */
export interface PageSession {
  readonly workspace: VirtualWorkspace
  readonly counter: TokenCounter
  /** The last entry of the page; the newest by default. */
  readonly at?: number
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
}: PageSession): () => Promise<PageContent> {
  let entries: readonly Entry[] = []
  /** The part of the session that was read so far. */
  let read: {
    readonly look: WorkspaceLook
    readonly parts: PageParts
    readonly moments: PageMoment[]
    differences: PageDifferences
  } | null = null
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
      const moments = [await readMoment(look, counter, parts)]
      read = { look, parts, moments, differences: new Map() }
    }
    const { look, parts, moments } = read
    for (const entry of entries.slice(look.state.seq + 1)) {
      await look.forward([entry])
      moments.push(await readMoment(look, counter, parts))
    }
    const shown = moments.slice(-most)
    read.differences = findDifferences(shown, counter, parts, read.differences)
    const { session, agent } = workspace
    const { differences } = read
    return { session, agent: agent?.name ?? null, entries, moments: shown, parts, differences }
  }
}
