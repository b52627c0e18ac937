import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/**
 * The definition a catalog's search document is about, by the document's name: a tool's own name
 * for the first definition that has it (global ones first, then those of components, then those of
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

const others = new WeakMap<Catalog, ReadonlyMap<string, Tool>>()

/** The tools no skill brings, by name; of two the first. */
function othersByName(catalog: Catalog): ReadonlyMap<string, Tool> {
  const known = others.get(catalog)
  if (known !== undefined) return known
  const tools = [
    ...catalog.globalTools,
    ...[...catalog.components.values()].flatMap(({ tools: own }) => own),
  ]
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  others.set(catalog, byName)
  return byName
}
