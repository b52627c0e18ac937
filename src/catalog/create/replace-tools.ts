import type { ToolComponent } from '../../components/define-component.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { type Catalog, freezeMap } from './catalog.ts'

/**
 * Returns a catalog whose tools are replaced, each once, wherever it is. Definitions and hashes have to stay the
 * same: only the code may change.
 */
export function replaceTools(catalog: Catalog, change: (tool: Tool) => Tool): Catalog {
  const replaced = new Map<ContentHash, Tool>()
  const changed = (tool: Tool): Tool => {
    const known = replaced.get(tool.hash) ?? change(tool)
    replaced.set(tool.hash, known)
    return known
  }
  return Object.freeze<Catalog>({
    ...catalog,
    components: mapValues(catalog.components, (component): ToolComponent => ({
      ...component,
      tools: component.tools.map(changed),
    })),
    sharedTools: mapValues(catalog.sharedTools, (versions) => versions.map(changed)),
    globalTools: catalog.globalTools.map(changed),
    skillTools: mapValues(catalog.skillTools, (all) =>
      all.map((one) => ({ ...one, tool: changed(one.tool) })),
    ),
    toolsByHash: mapValues(catalog.toolsByHash, changed),
  })
}

/** Returns a map with the same keys and other values, which refuses every change. */
export function mapValues<K, V>(
  map: ReadonlyMap<K, V>,
  change: (value: V) => V,
): ReadonlyMap<K, V> {
  return freezeMap(new Map([...map].map(([key, value]) => [key, change(value)])))
}
