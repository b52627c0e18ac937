import type { ToolComponent } from '../../components/define-component.ts'
import { type ContentHash, contentHash, textHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** One tool a skill brings when it is active. */
export interface SkillTool {
  readonly tool: Tool
  /** The toolset it came through, if any. */
  readonly toolset?: string
  /** The skill it was taken from by `extends`, if any. */
  readonly extendedFrom?: string
  /** Chosen by name or range among shared tools, so another version of it may be global. */
  readonly picked: boolean
}

/**
 * A set of definitions, immutable, identified by content hash and shared by all sessions
 * of a process. A reload makes a new one.
 */
export interface Catalog {
  readonly hash: ContentHash
  readonly skills: ReadonlyMap<string, Skill>
  /** Skills of a name that another one won, listed and explained but never activated. */
  readonly shadowedSkills: readonly Skill[]
  readonly toolsets: ReadonlyMap<string, Toolset>
  readonly agents: ReadonlyMap<string, Agent>
  readonly components: ReadonlyMap<string, ToolComponent>
  /** Shared tools by name, highest version first. */
  readonly sharedTools: ReadonlyMap<string, readonly Tool[]>
  /** Shared tools that no skill or toolset names: always available, one version a name. */
  readonly globalTools: readonly Tool[]
  /** What a skill brings, in order, resolved through toolsets and `extends`. */
  readonly skillTools: ReadonlyMap<string, readonly SkillTool[]>
  /** The skills that would bring a tool of this name, by name. */
  readonly bringers: ReadonlyMap<string, readonly string[]>
  /** How the tools of a topic are to be used, by topic. */
  readonly rules: ReadonlyMap<string, TopicRules>
  /** Every tool by its definition hash: how handlers are bound. */
  readonly toolsByHash: ReadonlyMap<ContentHash, Tool>
  readonly diagnostics: readonly Diagnostic[]
}

interface Hashed {
  readonly hash: ContentHash
}

/** The definitions of a catalog, those in use of each kind, in the catalog's order. */
interface HashedKinds {
  readonly skills: Iterable<Hashed>
  readonly toolsets: Iterable<Hashed>
  readonly agents: Iterable<Hashed>
  readonly components: Iterable<ContentHash>
  readonly tools: Iterable<Hashed>
  readonly rules: Iterable<Hashed>
}

/**
 * The identity of a catalog. Names are in the definitions, and so in their hashes; lists of texts
 * have only one JSON, so the costly canonical writer is not needed.
 */
export function catalogHash(kinds: HashedKinds): ContentHash {
  const { skills, toolsets, agents, components, tools, rules } = kinds
  const hashes = (items: Iterable<Hashed>) => Array.from(items, ({ hash }) => hash)
  return textHash(
    JSON.stringify([
      hashes(skills),
      hashes(toolsets),
      hashes(agents),
      [...components],
      hashes(tools),
      hashes(rules),
    ]),
  )
}

/** A component's identity: what it says of itself, the state it starts with, and its tools. */
export function componentHash(component: ToolComponent): ContentHash {
  const { key, displayName, description, initialState, tools } = component
  return contentHash({
    key,
    displayName,
    description,
    initialState,
    tools: tools.map(({ hash }) => hash),
  })
}

/** The skills that bring a tool of a name, in the order of `skillTools`. */
export function bringersOf(
  skillTools: ReadonlyMap<string, readonly SkillTool[]>,
): Map<string, readonly string[]> {
  const bringers = new Map<string, string[]>()
  for (const [skill, tools] of skillTools) {
    for (const { tool } of tools) {
      const known = bringers.get(tool.name)
      if (known === undefined) bringers.set(tool.name, [skill])
      else known.push(skill)
    }
  }
  for (const names of bringers.values()) Object.freeze(names)
  return bringers
}

/**
 * Make a map refuse every change, in place. `Object.freeze` alone leaves its entries open,
 * and the type `ReadonlyMap` holds nobody who writes JavaScript.
 */
export function freezeMap<K, V>(map: Map<K, V>): ReadonlyMap<K, V> {
  for (const method of ['set', 'delete', 'clear']) {
    Object.defineProperty(map, method, { value: refuse })
  }
  return Object.freeze(map)
}

function refuse(): never {
  throw new WorkspaceError('CATALOG_FROZEN', 'A catalog cannot be changed.', {
    hint: 'Make a new one with createCatalog.',
  })
}
