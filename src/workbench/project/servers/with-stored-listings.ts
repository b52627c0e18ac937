import { type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { type ToolServer, tryOrUndefined } from '../../../entries/kit.ts'
import { listingOf, readLock } from '../../../entries/manifest.ts'
import { mapBounded } from '../walk/map-bounded.ts'
import { readNamedFile } from '../walk/read-inside.ts'

/**
 * Gives servers their tools from a lock: they are then found, explained and priced without a connection. A server with
 * another configuration than the locked one is left unchanged, which is reported. A lock that cannot be read has none.
 *
 * @param lock null to connect to each server instead, and ask it. Rejects when one cannot be connected
 */
export async function withStoredListings(
  servers: readonly ToolServer[],
  lock: string | null,
): Promise<{
  readonly servers: readonly ToolServer[]
  readonly diagnostics: readonly Diagnostic[]
}> {
  if (servers.length === 0) return { servers, diagnostics: [] }
  if (lock === null) return { servers: await mapBounded(servers, 4, listed), diagnostics: [] }
  const read = await readNamedFile(lock)
  const locked = read.ok ? tryOrUndefined(() => readLock(JSON.parse(read.text))) : undefined
  const byName = new Map((locked?.servers ?? []).map((one) => [one.name, one]))
  const diagnostics: Diagnostic[] = []
  const given = servers.map((server) => {
    const stored = byName.get(server.name)
    if (stored === undefined || server.listing !== undefined) return server
    try {
      if (stored.hash !== server.hash) {
        const message = `The server "${server.name}" has another configuration than when its tools were locked.`
        const hint = 'Lock again: loadout lock --servers.'
        throw new WorkspaceError('LOCK_OUTDATED', message, { hint })
      }
      return Object.freeze({ ...server, listing: listingOf(stored) })
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      const { message, hint } = error
      diagnostics.push({ code: 'listing-outdated', severity: 'warning', message, hint, file: lock })
      return server
    }
  })
  return { servers: given, diagnostics }
}

async function listed(server: ToolServer): Promise<ToolServer> {
  const signal = new AbortController().signal
  const host = { signal, onListing: () => undefined, onLost: () => undefined }
  const connection = await server.connect(host)
  await connection.close()
  const { tools, instructions } = connection.listing
  const listing = { tools, leftOut: [], ...(instructions !== undefined && { instructions }) }
  return Object.freeze({ ...server, listing })
}
