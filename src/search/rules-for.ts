import type { Catalog } from '../catalog/create/catalog.ts'
import { type ContentHash, contentHash, textHash } from '../kernel/content-hash.ts'
import { sanitiseLine, sanitiseText } from '../kernel/sanitise-text.ts'
import type { Toolset } from '../tools/define-toolset.ts'
import { parseToolReference, pickVersion } from '../tools/definition/parse-tool-reference.ts'
import type { Tool, ToolGuidance } from '../tools/definition/tool.ts'

/** Rules a session was told, or is to be, by their key and what they said. */
interface RulesVersion {
  readonly topic: string
  readonly hash: ContentHash
}

/** Rules a model is to be told, and what to note as told. */
export interface RulesToSend {
  /** Markdown; empty when there is nothing new to tell. */
  readonly text: string
  readonly topics: readonly RulesVersion[]
}

/** One piece of rules, under the key that says whether a session was told it. */
interface Rule extends RulesVersion {
  readonly text: string
}

/**
 * The rules of some tools that a session has not been told: those of their topics, of their
 * toolsets, and their own guidance, in the order of the tools.
 *
 * Told once a key: a topic's own name, `toolset:<name>` or `tool:<name>`. Rules that changed since
 * have another hash, and are told again.
 */
export function rulesFor(
  catalog: Catalog,
  tools: readonly Tool[],
  sent: readonly RulesVersion[],
): RulesToSend {
  const told = new Map(sent.map(({ topic, hash }) => [topic, hash]))
  const rules = new Map(
    tools.flatMap((tool) => rulesOf(tool, catalog)).map((rule) => [rule.topic, rule]),
  )
  const fresh = [...rules.values()].filter(({ topic, hash }) => told.get(topic) !== hash)
  return {
    text: fresh.map(({ text }) => text).join('\n\n'),
    topics: fresh.map(({ topic, hash }) => ({ topic, hash })),
  }
}

const rulesByCatalog = new WeakMap<Catalog, WeakMap<Tool, readonly Rule[]>>()

function rulesOf(tool: Tool, catalog: Catalog): readonly Rule[] {
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

function guidanceRules({ name, guidance }: Tool): readonly Rule[] {
  const lines = guidance ? guidanceLines(guidance) : []
  if (!guidance || lines.length === 0) return []
  const text = [`**${sanitiseLine(name)}**`, ...lines.map((line) => `- ${line}`)].join('\n')
  return [{ topic: `tool:${name}`, hash: contentHash(guidance), text }]
}

/** A tool's guidance, one line each. */
function guidanceLines({ before, after, pitfalls = [] }: ToolGuidance): readonly string[] {
  return [
    ...(before === undefined ? [] : [`Before: ${sanitiseLine(before)}`]),
    ...(after === undefined ? [] : [`After: ${sanitiseLine(after)}`]),
    ...pitfalls.map((pitfall) => `Beware: ${sanitiseLine(pitfall)}`),
  ]
}

const toolsetsByCatalog = new WeakMap<Catalog, ReadonlyMap<ContentHash, readonly Toolset[]>>()

/** The toolsets with rules that each tool is in, by its hash. */
function toolsetsByTool(catalog: Catalog): ReadonlyMap<ContentHash, readonly Toolset[]> {
  const before = toolsetsByCatalog.get(catalog)
  if (before !== undefined) return before
  const byTool = new Map<ContentHash, Toolset[]>()
  for (const toolset of catalog.toolsets.values()) {
    if (toolset.rules === undefined) continue
    for (const one of toolset.tools) {
      const tool = typeof one === 'string' ? sharedTool(one, catalog) : one
      if (tool) byTool.set(tool.hash, [...(byTool.get(tool.hash) ?? []), toolset])
    }
  }
  toolsetsByCatalog.set(catalog, byTool)
  return byTool
}

function sharedTool(reference: string, { sharedTools }: Catalog): Tool | undefined {
  const wanted = parseToolReference(reference)
  return pickVersion(wanted, sharedTools.get(wanted.name) ?? [])
}

/**
 * What was found, and then what goes with it: the related ones of the first, of the second and so
 * on, each once, as long as there are fewer than `limit`. What was found itself always stays.
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
