import type { Catalog } from '../../catalog/create/catalog.ts'
import type { FoundTool, FoundToolState } from '../model/discovery-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill, planSkill } from './assess-skill.ts'
import { assess } from './assess.ts'
import { matchingPattern } from './permission.ts'
import { placeSkills } from './place-skills.ts'
import { judgeInactiveTool, judgeTool, statusFacts, whenCallable } from './tool-status.ts'
import { type RegisteredTools, toolTable } from './tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A tool that a search may offer, and how the model gets to call it. */
export interface FindableTool {
  readonly found: FoundTool
  /** Under the name it is called by. */
  readonly tool: Tool
  /** The skill it comes with, active or not. */
  readonly skill: string | null
  /**
   * `now`; `on-call`: the call itself loads the skill; `load-first`: the model has to load the
   * skill, because the host wants it so, another tool has the name, or a skill stands in the way;
   * `next-turn`: as the first two, when a turn begins, because this one's calls are spent.
   */
  readonly callable: 'now' | 'on-call' | 'load-first' | 'next-turn'
}

/**
 * Those of some tools that a search may offer, in the order given: not what policy, mode, agent or
 * a switch forbids, what nobody can run, or what is unknown or changed.
 *
 * A name that nobody holds goes to the first of the found tools that wants it, those found before
 * among them; another one of that name can only be loaded.
 *
 * @param addresses names, or `owner/name`
 */
export function findableTools(
  state: WorkspaceState,
  context: EngineContext,
  addresses: readonly string[],
): readonly FindableTool[] {
  const held = new Map(namesHeld(state, context))
  const findable: FindableTool[] = []
  for (const address of addresses) {
    const one = findableTool(state, context, address, held)
    if (one === null) continue
    if (one.callable !== 'load-first') held.set(one.found.name, one.found.owner)
    findable.push(one)
  }
  return findable
}

const holders = new WeakMap<
  WorkspaceState['found'],
  { readonly catalog: Catalog; readonly names: ReadonlyMap<string, string> }
>()

/** Who has which name among the found tools; one that is gone, or another now, has none. */
function namesHeld(
  { found }: WorkspaceState,
  { catalog }: EngineContext,
): ReadonlyMap<string, string> {
  const known = holders.get(found)
  if (known?.catalog === catalog) return known.names
  const there = found.filter(({ owner, hash }) =>
    catalog.skillTools.get(owner)?.some(({ tool }) => tool.hash === hash),
  )
  const names = new Map(there.map(({ name, owner }) => [name, owner]))
  holders.set(found, { catalog, names })
  return names
}

function findableTool(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
  held: ReadonlyMap<string, string>,
): FindableTool | null {
  const standing = assess(state, context, address)
  switch (standing.kind) {
    case 'unknown':
      return null
    case 'registered': {
      const { name, owner, claim, tool } = standing.row
      const wins = standing.status !== 'shadowed'
      const when = whenCallable(state, (then) =>
        judgeTool({ source: owner, claim }, wins, tool, then, context),
      )
      if (when === null || tool === undefined) return null
      const found = { name, owner: owner.owner, source: owner.source, hash: claim.hash }
      return { found, tool, skill: owner.source === 'skill' ? owner.owner : null, callable: when }
    }
    case 'unregistered': {
      const { name, bringers } = standing
      const loadable = bringers.filter((one) => loadability(one, state, context) !== null)
      // A bare name means the tool that was found by it.
      const skill = loadable.find((one) => one === held.get(name)) ?? loadable[0]
      const tool = context.catalog.skillTools
        .get(skill ?? '')
        ?.find((one) => one.tool.name === name)?.tool
      if (skill === undefined || tool === undefined) return null
      const when = whenCallable(state, (then) => judgeInactiveTool(tool, skill, then, context))
      if (when === null) return null
      const isFree =
        (held.get(name) ?? skill) === skill && assess(state, context, name).kind !== 'registered'
      const isOnCall =
        isFree &&
        context.discovery?.onFound === 'activate-on-call' &&
        loadability(skill, state, context) === 'free'
      const found = {
        name: isFree ? name : `${skill}/${name}`,
        owner: skill,
        source: 'skill' as const,
        hash: tool.hash,
      }
      const onCall = when === 'now' ? 'on-call' : when
      return { found, tool, skill, callable: isOnCall ? onCall : 'load-first' }
    }
  }
}

const foundMemo = new WeakMap<
  EngineContext,
  { facts: readonly unknown[]; tools: readonly Tool[] }
>()

const NO_TOOLS: readonly Tool[] = Object.freeze([])

/**
 * The tools that were found, not evicted, and can be called now or by a call that loads their skill,
 * in the order of finding. One that changed since, or that something forbids meanwhile, is not here.
 */
export function foundTools(state: WorkspaceState, context: EngineContext): readonly Tool[] {
  if (state.found.length === 0) return NO_TOOLS
  const { found } = state
  const facts = [found, ...statusFacts(state)]
  const known = foundMemo.get(context)
  if (known?.facts.every((fact, index) => fact === facts[index])) return known.tools
  const hashes = new Map(found.map(({ name, hash }) => [name, hash]))
  const findable = findableTools(state, context, [...hashes.keys()])
  const tools = Object.freeze(
    findable.flatMap(({ found: { name, hash }, tool, callable }) =>
      (callable === 'now' || callable === 'on-call') && hashes.get(name) === hash ? [tool] : [],
    ),
  )
  foundMemo.set(context, { facts, tools })
  return tools
}

/** A found tool whose call loads the skill it comes with. */
export interface LoadingCall {
  readonly skill: string
  readonly found: FoundToolState
}

/**
 * The skill that a call would load: its tool was found, the skill is not active, the agent may load
 * it, and the session lets calls do so. Null for every other call.
 */
export function skillLoadedByCall(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
): LoadingCall | null {
  if (state.found.length === 0) return null
  const [it] = findableTools(state, context, [address])
  if (it?.callable !== 'on-call') return null
  const { name, owner, hash } = it.found
  const found = state.found.find(
    (one) => one.name === name && one.owner === owner && one.hash === hash,
  )
  return found === undefined ? null : { skill: owner, found }
}

/**
 * Whether a skill that is not active would come when it is asked for: `free`, refused by nothing
 * but a hook; `blocked`, by a skill or a tool's name that stands in its way; null when the agent may
 * not load it, or it cannot be loaded at all.
 */
type Loadability = 'free' | 'blocked' | null

/** By the facts they follow from: a search asks for the skill of every tool it looks at. */
const loadabilityMemo = new WeakMap<
  EngineContext,
  { readonly facts: readonly unknown[]; readonly known: Map<string, Loadability> }
>()

export function loadability(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): Loadability {
  const facts = [state.open, state.broken]
  const last = loadabilityMemo.get(context)
  const isCurrent = last?.facts.every((fact, index) => fact === facts[index]) ?? false
  const known = (isCurrent ? last?.known : undefined) ?? new Map<string, Loadability>()
  if (!isCurrent) loadabilityMemo.set(context, { facts, known })
  const before = known.get(skill)
  if (before !== undefined) return before
  const judged = judge(skill, state, context)
  known.set(skill, judged)
  return judged
}

function judge(skill: string, state: WorkspaceState, context: EngineContext): Loadability {
  const { status } = assessSkill(state, context, skill)
  if (status === 'conflicting') return 'blocked'
  if (status !== 'inactive') return null
  const plan = planSkill(skill, state, context)
  if (!plan.ok) return 'blocked'
  const placed = placeSkills(plan, { cause: { by: 'host' } }, state, context)
  if (placed.ok) return 'free'
  // A meta-tool never leaves, and cannot be shadowed.
  return isMeta(placed.clash.holder) ? null : 'blocked'
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** By the table they were read off: another one belongs to another context. */
const hiddenMemo = new WeakMap<RegisteredTools, ReadonlySet<string>>()

/**
 * Names of the available tools that a session with search need not show unless they are found: all
 * but meta-tools, pinned ones and those of active skills. None without search.
 */
export function hiddenTools(state: WorkspaceState, context: EngineContext): ReadonlySet<string> {
  const { discovery } = context
  if (discovery === undefined) return NO_NAMES
  const table = toolTable(state, context)
  const known = hiddenMemo.get(table)
  if (known) return known
  const hidden = table.rows.filter(
    ({ owner, claim, status }) =>
      status === 'available' &&
      owner.source !== 'skill' &&
      !isMeta(owner) &&
      matchingPattern(discovery.pinned, claim) === undefined,
  )
  const names = new Set(hidden.map(({ name }) => name))
  hiddenMemo.set(table, names)
  return names
}
