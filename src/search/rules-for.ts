import type { Catalog } from '../catalog/create/catalog.ts'
import { type ContentHash, contentHash, textHash } from '../kernel/content-hash.ts'
import { sanitiseLine, sanitiseText } from '../kernel/sanitise-text.ts'
import type { Toolset } from '../tools/define-toolset.ts'
import { parseToolReference, pickVersion } from '../tools/definition/parse-tool-reference.ts'
import type { Tool } from '../tools/definition/tool.ts'
import { providerName } from '../schema/provider-forms/provider-name.ts'
import type { Provider } from '../schema/provider-forms/provider-schema.ts'

/** A version of rules: their key and the hash of their text. */
interface RulesVersion {
  readonly topic: string
  readonly hash: ContentHash
}

/** Rules to send to a model, and the versions to record as sent. */
export interface RulesToSend {
  /** Markdown; empty when there are no new rules. */
  readonly text: string
  readonly topics: readonly RulesVersion[]
}

/** One part of the rules, with the key under which it is recorded. */
interface Rule extends RulesVersion {
  readonly text: string
  /** The name of the tool whose guidance it is. */
  readonly tool?: string
}

/**
 * Returns the rules of tools that were not sent to the session yet: the rules of their topics and
 * toolsets, and their own guidance, in the order of the tools.
 *
 * Rules are sent once per key: the name of a topic, `toolset:<name>` or `tool:<name>`. Changed rules
 * have another hash and are sent again.
 *
 * @param namesFor the provider whose rules for the names of tools hold
 */
export function rulesFor(
  catalog: Catalog,
  tools: readonly Tool[],
  sent: readonly RulesVersion[],
  namesFor?: Provider,
): RulesToSend {
  const hashes = new Map(sent.map(({ topic, hash }) => [topic, hash]))
  const rules = new Map(
    tools.flatMap((tool) => toolRules(tool, catalog)).map((rule) => [rule.topic, rule]),
  )
  const fresh = [...rules.values()].filter(({ topic, hash }) => hashes.get(topic) !== hash)
  return {
    text: fresh
      .map(({ text, tool }) => {
        if (tool === undefined) return text
        const name = namesFor === undefined ? tool : providerName(tool, namesFor)
        return `**${sanitiseLine(name)}**\n${text}`
      })
      .join('\n\n'),
    topics: fresh.map(({ topic, hash }) => ({ topic, hash })),
  }
}

const rulesByCatalog = new WeakMap<Catalog, WeakMap<Tool, readonly Rule[]>>()

function toolRules(tool: Tool, catalog: Catalog): readonly Rule[] {
  const ofCatalog = rulesByCatalog.get(catalog) ?? new WeakMap<Tool, readonly Rule[]>()
  rulesByCatalog.set(catalog, ofCatalog)
  const rules = ofCatalog.get(tool) ?? [
    ...topicRules(tool, catalog),
    ...(toolsetsByTool(catalog).get(tool.hash) ?? []).flatMap(toolsetRules),
    ...guidanceRules(tool),
  ]
  ofCatalog.set(tool, rules)
  return rules
}

function topicRules({ topic }: Tool, { rules }: Catalog): readonly Rule[] {
  const found = topic === undefined ? undefined : rules.get(topic)
  return found
    ? [{ topic: found.topic, hash: found.hash, text: sanitiseText(found.text).trim() }]
    : []
}

function toolsetRules({ name, rules }: Toolset): readonly Rule[] {
  if (rules === undefined || rules.trim() === '') return []
  return [{ topic: `toolset:${name}`, hash: textHash(rules), text: sanitiseText(rules).trim() }]
}

/** Returns a tool's guidance as rules, one line per item. */
function guidanceRules({ name, guidance }: Tool): readonly Rule[] {
  const { before, after, pitfalls = [] } = guidance ?? {}
  const lines = [
    ...(before === undefined ? [] : [`- Before: ${sanitiseLine(before)}`]),
    ...(after === undefined ? [] : [`- After: ${sanitiseLine(after)}`]),
    ...pitfalls.map((pitfall) => `- Beware: ${sanitiseLine(pitfall)}`),
  ]
  if (lines.length === 0) return []
  const hash = contentHash(guidance)
  return [{ topic: `tool:${name}`, hash, text: lines.join('\n'), tool: name }]
}

const toolsetsByCatalog = new WeakMap<Catalog, ReadonlyMap<ContentHash, readonly Toolset[]>>()

/** Returns the toolsets with rules of each tool, by the tool's hash. */
function toolsetsByTool(catalog: Catalog): ReadonlyMap<ContentHash, readonly Toolset[]> {
  const before = toolsetsByCatalog.get(catalog)
  if (before !== undefined) return before
  const byTool = new Map<ContentHash, Toolset[]>()
  for (const toolset of catalog.toolsets.values()) {
    if (toolset.rules === undefined) continue
    for (const one of toolset.tools) {
      const wanted = typeof one === 'string' ? parseToolReference(one) : one
      const tool =
        'range' in wanted ? pickVersion(wanted, catalog.sharedTools.get(wanted.name) ?? []) : wanted
      if (tool) byTool.set(tool.hash, [...(byTool.get(tool.hash) ?? []), toolset])
    }
  }
  toolsetsByCatalog.set(catalog, byTool)
  return byTool
}

/**
 * Adds related items to found ones: those of the first, of the second and so on, each once, while there
 * are fewer than `limit`. All found items are kept.
 */
export function withRelated<T>(
  found: readonly T[],
  limit: number,
  relatedOf: (one: T) => Iterable<T>,
  keyOf: (one: T) => unknown,
): readonly T[] {
  const all = new Map(found.map((one) => [keyOf(one), one]))
  for (const one of found) {
    if (all.size >= limit) break
    for (const related of relatedOf(one)) {
      if (all.size >= limit) break
      if (!all.has(keyOf(related))) all.set(keyOf(related), related)
    }
  }
  return [...all.values()]
}
