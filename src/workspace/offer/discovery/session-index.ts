import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { EngineContext } from '../../../engine/model/engine-context.ts'
import { isMeta } from '../../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { type ToolRow, toolTable } from '../../../engine/standing/tool-table.ts'
import { sameItems } from '../../../kernel/identity-memo.ts'
import { catalogIndex } from '../../../search/catalog-index.ts'
import type { ToolDocument } from '../../../search/index/tool-document.ts'
import { layeredIndex, type SharedToolIndex } from '../../../search/rank/tool-index.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** A session's own tools, and the index that contains them and the catalog's. */
interface SessionIndex {
  /** The definitions it was built from, in order. The index is reused while they are the same. */
  readonly of: readonly ToolRow['tool'][]
  readonly names: ReadonlySet<string>
  readonly index: SharedToolIndex
}

const indexCache = new WeakMap<EngineContext, SessionIndex>()

/**
 * Returns the index that a session searches: the catalog's index, which all sessions share, with a layer
 * of the tools that only this session has, because its host registered them.
 */
export function sessionIndex(state: WorkspaceState, context: EngineContext): SharedToolIndex {
  return currentIndex(state, context).index
}

/** Returns the names of the session's own tools. A tool of the catalog may have the same name. */
export function ownToolNames(state: WorkspaceState, context: EngineContext): ReadonlySet<string> {
  return currentIndex(state, context).names
}

function currentIndex(state: WorkspaceState, context: EngineContext): SessionIndex {
  const { catalog } = context
  const rows = toolTable(state, context).rows.filter((row) => isOwn(row, catalog))
  const tools = rows.map(({ tool }) => tool)
  const known = indexCache.get(context)
  if (known && sameItems(known.of, tools)) return known
  const base = catalogIndex(catalog)
  const documents = rows.flatMap((row) => documentsOfRow(row, catalog))
  const names = new Set(rows.map(({ name }) => name))
  const index = documents.length === 0 ? base : layeredIndex(base, documents)
  const made = { of: tools, names, index }
  indexCache.set(context, made)
  return made
}

function isOwn({ name, owner, tool }: ToolRow, catalog: Catalog): boolean {
  if (tool === undefined || owner.source === 'skill' || isMeta(owner)) return false
  return catalogToolAt(catalog, name)?.hash !== tool.hash
}

/** Returns the row's own document, and the document of a catalog tool that it hides, under another name. */
function documentsOfRow({ name, owner, tool }: ToolRow, catalog: Catalog): readonly ToolDocument[] {
  if (tool === undefined) return []
  const hidden = catalogToolAt(catalog, name)
  const [bringer] = catalog.bringers.get(name) ?? []
  const own = documentOf(name, tool, owner.source === 'global' ? undefined : owner.owner)
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

/**
 * Returns the definition of a catalog's search document, by the document's name. That is the tool's own
 * name for the first definition with it (global ones first, then those of components, then those of
 * skills), and `owner/name` or `skill:owner/name` for the others.
 */
export function catalogToolAt(catalog: Catalog, address: string): Tool | undefined {
  const slash = address.indexOf('/')
  if (slash < 0) return firstNamed(catalog, address)
  const name = address.slice(slash + 1)
  const [, kind, owner = ''] =
    /^(?:(skill|component|global):)?(.*)$/sv.exec(address.slice(0, slash)) ?? []
  const ofSkill = kind === undefined || kind === 'skill'
  const tool = ofSkill
    ? catalog.skillTools.get(owner)?.find((one) => one.tool.name === name)?.tool
    : undefined
  return tool ?? catalog.components.get(owner)?.tools.find((one) => one.name === name)
}

function firstNamed(catalog: Catalog, name: string): Tool | undefined {
  const shared = othersByName(catalog).get(name)
  if (shared !== undefined) return shared
  const [bringer] = catalog.bringers.get(name) ?? []
  if (bringer === undefined) return undefined
  return catalog.skillTools.get(bringer)?.find(({ tool }) => tool.name === name)?.tool
}

const nameCache = new WeakMap<Catalog, ReadonlyMap<string, Tool>>()

/** Returns the tools that belong to no skill, by name; the first of two with the same name. */
function othersByName(catalog: Catalog): ReadonlyMap<string, Tool> {
  const known = nameCache.get(catalog)
  if (known !== undefined) return known
  const tools = [
    ...catalog.globalTools,
    ...[...catalog.components.values()].flatMap(({ tools: own }) => own),
  ]
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  nameCache.set(catalog, byName)
  return byName
}
