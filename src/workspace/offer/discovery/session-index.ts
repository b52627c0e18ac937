import type { Catalog } from '../../../catalog/create/catalog.ts'
import { isMeta } from '../../../engine/model/meta-owner.ts'
import type { WorkspaceState } from '../../../engine/model/state.ts'
import type { Surroundings } from '../../../engine/model/surroundings.ts'
import { toolTable } from '../../../engine/standing/tool-table.ts'
import type { ToolRow } from '../../../engine/standing/tool-row.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { catalogIndex } from '../../../search/catalog-index.ts'
import { layeredIndex } from '../../../search/rank/layered-index.ts'
import type { ToolDocument } from '../../../search/index/tool-document.ts'
import type { SharedToolIndex } from '../../../search/rank/tool-index.ts'
import { catalogToolAt } from './catalog-tool-at.ts'

/** A session's own tools, and the index they are in together with the catalog's. */
interface SessionIndex {
  /** The definitions it was made of, in order: while they stay, it stays. */
  readonly of: readonly ToolRow['tool'][]
  readonly names: ReadonlySet<string>
  readonly index: SharedToolIndex
}

const kept = new WeakMap<Surroundings, SessionIndex>()

/**
 * The index a session searches: that of its catalog, which all sessions share, with the tools that
 * only this session has (its host registered them) in a layer over it.
 */
export function sessionIndex(state: WorkspaceState, surroundings: Surroundings): SharedToolIndex {
  return settled(state, surroundings).index
}

/** Names of the tools that are the session's own; a tool of the catalog may have the same. */
export function ownToolNames(
  state: WorkspaceState,
  surroundings: Surroundings,
): ReadonlySet<string> {
  return settled(state, surroundings).names
}

function settled(state: WorkspaceState, surroundings: Surroundings): SessionIndex {
  const { catalog } = surroundings
  const rows = toolTable(state, surroundings).rows.filter((row) => isOwn(row, catalog))
  const tools = rows.map(({ tool }) => tool)
  const known = kept.get(surroundings)
  if (known?.of.length === tools.length && known.of.every((one, at) => one === tools[at])) {
    return known
  }
  const base = catalogIndex(catalog)
  const documents = rows.flatMap((row) => documentsOfRow(row, catalog))
  const names = new Set(rows.map(({ name }) => name))
  const index = documents.length === 0 ? base : layeredIndex(base, documents)
  const made = { of: tools, names, index }
  kept.set(surroundings, made)
  return made
}

function isOwn({ name, owner, tool }: ToolRow, catalog: Catalog): boolean {
  if (tool === undefined || owner.source === 'skill' || isMeta(owner)) return false
  return catalogToolAt(catalog, name)?.hash !== tool.hash
}

/** Its own document; and, under another name, that of the catalog's tool which it hides. */
function documentsOfRow({ name, owner, tool }: ToolRow, catalog: Catalog): readonly ToolDocument[] {
  if (tool === undefined) return []
  const hidden = catalogToolAt(catalog, name)
  const [bringer] = catalog.bringers.get(name) ?? []
  const own = documentOf(name, tool, owner.source === 'component' ? owner.owner : undefined)
  const isHiding = hidden !== undefined && bringer !== undefined
  return isHiding ? [own, documentOf(`${bringer}/${name}`, hidden, bringer)] : [own]
}

function documentOf(name: string, tool: Tool, owner: string | undefined): ToolDocument {
  const { description, phrases, topic, inputSchema } = tool
  return {
    name,
    description,
    phrases,
    inputSchema,
    ...(topic !== undefined && { topic }),
    ...(owner !== undefined && { owner }),
  }
}
