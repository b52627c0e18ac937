import { takesArguments } from '../../kernel/substitute-variables.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import { type ContentHash, contentHash, textHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ConditionalSkill } from '../../skills/definition/activation-condition.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import { tryParseToolReference } from '../../tools/definition/parse-tool-reference.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A tool that a skill adds while it is active. */
export interface SkillTool {
  readonly tool: Tool
  /** The toolset that contains it, if any. */
  readonly toolset?: string
  /** The skill it was inherited from by `extends`, if any. */
  readonly extendedFrom?: string
  /** The server that has it, by its stored listing: it is registered by the server, along with the skill. */
  readonly server?: string
  /** True if it was picked among the shared tools by name or range: another version may be global. */
  readonly picked: boolean
}

/**
 * An immutable set of definitions, identified by content hash and shared by all sessions of a
 * process. A reload creates a new catalog.
 */
export interface Catalog {
  readonly hash: ContentHash
  readonly skills: ReadonlyMap<string, Skill>
  /** Skills whose name another skill has taken. They are listed and explained, but never activated. */
  readonly shadowedSkills: readonly Skill[]
  readonly toolsets: ReadonlyMap<string, Toolset>
  readonly agents: ReadonlyMap<string, Agent>
  readonly components: ReadonlyMap<string, ToolComponent>
  /** Shared tools by name, highest version first. */
  readonly sharedTools: ReadonlyMap<string, readonly Tool[]>
  /** Shared tools that no skill or toolset names: always available, one version per name. */
  readonly globalTools: readonly Tool[]
  /** The tools of each skill, in order, resolved through toolsets and `extends`. */
  readonly skillTools: ReadonlyMap<string, readonly SkillTool[]>
  /** The skills that add a tool, by the name of the tool. */
  readonly bringers: ReadonlyMap<string, readonly string[]>
  /** Skills that no model may activate, with the skill that says so: itself, or one that it requires. */
  readonly leftToPeople: ReadonlyMap<string, string>
  /** The skills whose texts take arguments, as far as the texts are known. */
  readonly takeArguments: readonly string[]
  /** Skills that depend on facts, by name: those with `paths` or `when`; absent for none. */
  readonly conditional?: ReadonlyMap<string, ConditionalSkill>
  /** Servers that skills name and that hosts attach, by name; absent for none. */
  readonly servers?: ReadonlyMap<string, ToolServer>
  /** The servers of each skill that has some, resolved through toolsets and `extends`; absent without servers. */
  readonly skillServers?: ReadonlyMap<string, readonly string[]>
  /** Rules for the tools of a topic, by topic. */
  readonly rules: ReadonlyMap<string, TopicRules>
  /** Every tool by the hash of its definition. Handlers are bound by it. */
  readonly toolsByHash: ReadonlyMap<ContentHash, Tool>
  readonly diagnostics: readonly Diagnostic[]
}

/** A definition with its content hash. */
export interface Hashed {
  readonly hash: ContentHash
}

/**
 * Hashes the definitions in use of each kind, in the order of the catalog. Names are part of definitions, and so of
 * their hashes. A list of texts has only one JSON form, so the slower canonical writer is not needed.
 */
export function catalogHash(kinds: {
  readonly skills: Iterable<Hashed>
  readonly toolsets: Iterable<Hashed>
  readonly agents: Iterable<Hashed>
  readonly components: Iterable<ContentHash>
  readonly tools: Iterable<Hashed>
  readonly rules: Iterable<Hashed>
  readonly servers?: Iterable<Pick<ToolServer, 'hash' | 'listing'>>
}): ContentHash {
  const hashes = (items: Iterable<Hashed>) => Array.from(items, ({ hash }) => hash)
  const reached = Array.from(kinds.servers ?? [], ({ hash, listing }) =>
    listing === undefined ? hash : [hash, ...hashes(listing.tools)],
  )
  return textHash(
    JSON.stringify([
      hashes(kinds.skills),
      hashes(kinds.toolsets),
      hashes(kinds.agents),
      [...kinds.components],
      hashes(kinds.tools),
      hashes(kinds.rules),
      // Only with servers, so that the hashes of other catalogs stay the same.
      ...(reached.length > 0 ? [reached] : []),
    ]),
  )
}

/** Hashes a component: its key, texts, initial state and tools. */
export function componentHash(component: ToolComponent): ContentHash {
  const { key, displayName, description, priority, initialState, tools } = component
  return contentHash({
    key,
    displayName,
    description,
    ...(priority !== 0 && { priority }),
    initialState,
    tools: tools.map(({ hash }) => hash),
  })
}

/** The members of a skill that decide who may activate it. */
type Invocable = Pick<Skill, 'name' | 'disableModelInvocation'> & Partial<Pick<Skill, 'requires'>>

/** Returns the skills that no model may activate, with the skill that says so: itself, or one that it requires. */
export function skillsLeftToPeople(skills: Iterable<Invocable>): Map<string, string> {
  const left = new Map<string, string>()
  const others: Invocable[] = []
  for (const skill of skills) {
    if (skill.disableModelInvocation === true) left.set(skill.name, skill.name)
    else if (skill.requires !== undefined && skill.requires.length > 0) others.push(skill)
  }
  for (let known = -1; known < left.size && left.size > 0;) {
    known = left.size
    for (const { name, requires = [] } of others) {
      const [reserved] = requires.flatMap((one) => left.get(one) ?? [])
      if (reserved !== undefined) left.set(name, reserved)
    }
  }
  return left
}

/** Returns the names of the skills whose texts take arguments. */
export function skillsWithArguments(
  skills: Iterable<{
    readonly name: string
    readonly arguments?: readonly string[]
    readonly instructions?: string
    /** The instructions of a stored skill. */
    readonly workDirection?: string
  }>,
): readonly string[] {
  const taking: string[] = []
  for (const skill of skills) {
    const { instructions = skill.workDirection ?? '' } = skill
    if (takesArguments(instructions, skill.arguments)) taking.push(skill.name)
  }
  return Object.freeze(taking)
}

/** Returns the skills that add a tool, by the name of the tool. */
export function indexBringers(
  skills: Iterable<readonly [name: string, tools: readonly string[]]>,
): ReadonlyMap<string, readonly string[]> {
  const bringers = new Map<string, string[]>()
  for (const [skill, tools] of skills) {
    for (const tool of tools) {
      const known = bringers.get(tool)
      if (known === undefined) bringers.set(tool, [skill])
      else known.push(skill)
    }
  }
  for (const names of bringers.values()) Object.freeze(names)
  return freezeMap(bringers)
}

/** Yields each skill with the names of its tools. */
export function* namesOfTools(
  skillTools: ReadonlyMap<string, readonly SkillTool[]>,
): Generator<readonly [string, readonly string[]]> {
  for (const [skill, tools] of skillTools) yield [skill, tools.map(({ tool }) => tool.name)]
}

/**
 * Makes a map refuse every change, in place. `Object.freeze` alone does not protect its entries,
 * and the type `ReadonlyMap` does not protect it from JavaScript.
 */
export function freezeMap<K, V>(map: Map<K, V>): ReadonlyMap<K, V> {
  const value = () => {
    throw new WorkspaceError('CATALOG_FROZEN', 'A catalog cannot be changed.', {
      hint: 'Create a new one with createCatalog.',
    })
  }
  for (const method of ['set', 'delete', 'clear']) Object.defineProperty(map, method, { value })
  return Object.freeze(map)
}

/** Returns the servers of each skill that has some: its own, and those of its toolsets and of skills that it extends. */
export function indexSkillServers(
  skills: ReadonlyMap<string, Pick<Skill, 'servers' | 'toolsets' | 'extends'>>,
  toolsets: ReadonlyMap<string, Toolset>,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const own = new Map(
    Array.from(skills, ([name, skill]) => [name, ownServers(skill, toolsets)] as const),
  )
  for (const [name, skill] of skills) {
    // Bases of bases too; in a circle each skill once.
    const above = new Set([name, ...skill.extends])
    for (const base of above) for (const next of skills.get(base)?.extends ?? []) above.add(next)
    const all = [...above].flatMap((base) => own.get(base) ?? [])
    if (all.length > 0) found.set(name, Object.freeze([...new Set(all)]))
  }
  return found
}

/** Returns the servers that a skill names itself, and those of its toolsets. */
export function ownServers(
  { servers = [], toolsets: sets }: Pick<Skill, 'servers' | 'toolsets'>,
  toolsets: ReadonlyMap<string, Toolset>,
): readonly string[] {
  const known = sets.map((one) => (typeof one === 'string' ? toolsets.get(one) : one))
  return [...servers, ...known.flatMap((set) => set?.servers ?? [])]
}

/**
 * Returns the names of the tools that a skill names, also through toolsets and the skills that it extends. Of a
 * shadowed skill these are all that is known: its tools are not in the catalog.
 */
export function toolNamesOf(
  { tools, toolsets, extends: bases }: Skill,
  catalog: Pick<Catalog, 'toolsets' | 'skillTools'>,
): readonly string[] {
  const sets = toolsets.map((one) => (typeof one === 'string' ? catalog.toolsets.get(one) : one))
  const entries = [...tools, ...sets.flatMap((set) => set?.tools ?? [])]
  const own = entries.map((one) => {
    if (typeof one !== 'string') return one.name
    const reference = tryParseToolReference(one)
    return reference instanceof WorkspaceError ? one : reference.name
  })
  const inherited = bases.flatMap((base) => catalog.skillTools.get(base) ?? [])
  return [...new Set([...own, ...inherited.map(({ tool }) => tool.name)])]
}
