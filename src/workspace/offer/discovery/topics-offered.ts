import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { Offers } from './offers.ts'

/** More topics than these are never told, so they are not looked at. */
const MOST = 40

const kept = new WeakMap<Catalog, ReadonlyMap<string, readonly string[]>>()

/** The topics of the tools a session may be offered, in the catalog's order; empty when there are many. */
export function topicsOffered(catalog: Catalog, offers: Offers): readonly string[] {
  const topics = kept.get(catalog) ?? namesByTopic(catalog)
  kept.set(catalog, topics)
  if (topics.size > MOST) return []
  return [...topics].flatMap(([topic, names]) =>
    names.some((name) => offers.of(name, 'tool') !== null) ? [topic] : [],
  )
}

function namesByTopic({ toolsByHash }: Catalog): ReadonlyMap<string, readonly string[]> {
  const byTopic = new Map<string, string[]>()
  for (const { name, topic } of toolsByHash.values()) {
    if (topic === undefined) continue
    const names = byTopic.get(topic)
    if (names) names.push(name)
    else byTopic.set(topic, [name])
  }
  return byTopic
}
