import type { EngineContext } from '../../../engine/model/engine-context.ts'
import { isMeta } from '../../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { assessSkill, isModelInvocable } from '../../../engine/standing/assess-skill.ts'
import { findableTools, loadability } from '../../../engine/standing/findable-tools.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import { judgeInactiveTool, type ToolStatus } from '../../../engine/standing/tool-status.ts'
import {
  type RegisteredTools,
  type ToolRow,
  toolTable,
} from '../../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { FoundItem, FoundSkillItem, FoundToolItem } from './search-page.ts'
import { catalogToolAt, ownToolNames } from './session-index.ts'

/** The tools and skills that a session may be offered, by their names in the search index. */
export interface Offers {
  /**
   * Returns whether an item may be offered, by a quick check: a search asks it for everything that has a
   * word of the query. An item that `of` refused is refused here, too.
   */
  mayBe(name: string, kind: 'tool' | 'skill'): boolean
  /** Returns an item; null for one that may not be used: denied, blocked, not permitted, off, or unbound. */
  of(name: string, kind: 'tool' | 'skill'): FoundItem | null
  /** Returns the tools that are often used with an item, if they may be used. */
  relatedTo(item: FoundItem): readonly FoundItem[]
  /**
   * Settles items that are offered together. Only one tool can be called by a name: of two with the same
   * name, the second needs its skill activated first.
   */
  together(items: readonly FoundItem[]): readonly FoundItem[]
}

/**
 * The offers of a session in its current state. Each is judged once.
 *
 * @param canLoad the model has a way to load a skill
 */
export function offersOf(state: WorkspaceState, context: EngineContext, canLoad: boolean): Offers {
  const { catalog } = context
  const table = toolTable(state, context)
  const own = ownToolNames(state, context)
  const judged = new Map<string, FoundItem | null>()

  const at = (addresses: readonly string[]): readonly FoundToolItem[] =>
    findableTools(state, context, addresses).map(({ found, tool, callable }) => {
      const { name, owner, source } = found
      const sentAs = sentName(name, context.namesFor)
      return { kind: 'tool', name, sentAs, tool, source, owner, callable }
    })
  const ofRow = (row: ToolRow | undefined): FoundToolItem | null =>
    row === undefined || isMeta(row.owner) ? null : (at([row.name])[0] ?? null)
  const ofDefinition = (tool: Tool): FoundToolItem | null => {
    const row = rowsByHash(table).get(tool.hash)
    if (row) return ofRow(row)
    const bringers = (catalog.bringers.get(tool.name) ?? []).filter((skill) =>
      catalog.skillTools.get(skill)?.some((one) => one.tool.hash === tool.hash),
    )
    const offers = bringers.flatMap((skill) => at([`${skill}/${tool.name}`]))
    return offers.find(({ callable }) => callable !== 'load-first') ?? offers[0] ?? null
  }
  const ofTool = (name: string): FoundToolItem | null => {
    const defined = own.has(name) ? undefined : catalogToolAt(catalog, name)
    return defined ? ofDefinition(defined) : ofRow(table.byName.get(name))
  }
  const ofSkill = (name: string): FoundSkillItem | null => {
    const skill = catalog.skills.get(name)
    const loaded = assessSkill(state, context, name).status === 'active'
    const isLoadable = canLoad && loadability(name, state, context) !== null
    return skill && (loaded || isLoadable) ? { kind: 'skill', name, skill, loaded } : null
  }
  const of: Offers['of'] = (name, kind) => {
    const key = `${kind} ${name}`
    const known = judged.get(key)
    if (known !== undefined) return known
    const offer = kind === 'tool' ? ofTool(name) : ofSkill(name)
    judged.set(key, offer)
    return offer
  }
  const mayBeTool = (name: string): boolean => {
    const defined = own.has(name) ? undefined : catalogToolAt(catalog, name)
    const row = defined ? rowsByHash(table).get(defined.hash) : table.byName.get(name)
    if (row) return isUsable(row.status)
    return (
      defined !== undefined &&
      (catalog.bringers.get(defined.name) ?? []).some(
        (skill) =>
          isModelInvocable(context, skill) &&
          isUsable(judgeInactiveTool(defined, skill, state, context).status),
      )
    )
  }
  const siblingNamed = (name: string, { source, owner }: FoundToolItem): Tool | undefined =>
    source === 'skill'
      ? catalog.skillTools.get(owner)?.find(({ tool }) => tool.name === name)?.tool
      : undefined
  return {
    mayBe: (name, kind) => {
      const known = judged.get(`${kind} ${name}`)
      if (known !== undefined) return known !== null
      return kind === 'tool' ? mayBeTool(name) : isModelInvocable(context, name)
    },
    of,
    relatedTo: (item) =>
      item.kind === 'skill'
        ? []
        : item.tool.related.flatMap((name) => {
            const sibling = siblingNamed(name, item)
            return (sibling ? ofDefinition(sibling) : of(name, 'tool')) ?? []
          }),
    together: (items) => {
      const addresses = items.flatMap((one) => (one.kind === 'tool' ? [addressOf(one)] : []))
      const settled = new Map(at(addresses).map((one) => [keyOf(one), one]))
      return items.map((one) => (one.kind === 'skill' ? one : (settled.get(keyOf(one)) ?? one)))
    },
  }
}

/** A tool without calls left may be called again in the next turn. */
function isUsable(status: ToolStatus): boolean {
  return status === 'available' || status === 'budget-spent'
}

/** Identifies one owner's tool, under any name. */
function keyOf({ owner, tool }: FoundToolItem): string {
  return `${tool.hash} ${owner}`
}

/** Returns the address of one owner's tool. */
function addressOf({ name, source, owner, callable }: FoundToolItem): string {
  const isPlain = source !== 'skill' || callable === 'now' || name.includes('/')
  return isPlain ? name : `${owner}/${name}`
}

const rowCache = new WeakMap<RegisteredTools, ReadonlyMap<ContentHash, ToolRow>>()

/** Returns every registered tool by the hash of its definition. */
function rowsByHash(table: RegisteredTools): ReadonlyMap<ContentHash, ToolRow> {
  const known = rowCache.get(table)
  if (known !== undefined) return known
  const byHash = new Map(table.rows.map((row) => [row.claim.hash, row]))
  rowCache.set(table, byHash)
  return byHash
}
