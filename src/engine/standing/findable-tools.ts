import type { Catalog } from '../../catalog/create/catalog.ts'
import type { FoundTool, FoundToolState } from '../model/discovery-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from './assess-skill.ts'
import { assess, type Assessment } from './assess.ts'
import { hiddenSkills } from './judge-condition.ts'
import { loadingEffect } from './loading-effect.ts'
import { placeSkills } from './place-claims.ts'
import {
  judgeInactiveTool,
  judgeTool,
  memoByFacts,
  statusFacts,
  whenCallable,
} from './tool-status.ts'
import { type RegisteredTools, type ToolRow, toolTable } from './tool-table.ts'
import { matchesTool } from '../../tools/definition/matches-tool.ts'
import { shownTool } from '../../tools/definition/shown-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A tool that a search may offer, and when the model can call it. */
export interface FindableTool {
  readonly found: FoundTool
  /** Under the name it is called by. */
  readonly tool: Tool
  /** The skill that brings it, active or not. */
  readonly skill: string | null
  /**
   * `now`: at once. `on-call`: the call itself activates the skill. `load-first`: the model has to activate the skill
   * first, because the host wants it so or wants to be asked about that, another tool has the name, or another skill is
   * in the way. `next-turn`: as the first two, but in the next turn, because no calls are left in this one.
   */
  readonly callable: 'now' | 'on-call' | 'load-first' | 'next-turn'
}

/**
 * Returns the tools that a search may offer, in the order given. Tools that the policy, the mode,
 * the agent or a switch forbids are left out, and so are unbound, unknown and changed ones.
 *
 * A free name goes to the first of the tools that wants it; tools found earlier come before these.
 * The other tools of that name can be called only after their skill is activated.
 *
 * @param addresses names, or `owner/name`
 */
export function findableTools(
  state: WorkspaceState,
  context: EngineContext,
  addresses: readonly string[],
): readonly FindableTool[] {
  const names = new Map(ownersOfFoundNames(state, context))
  const findable: FindableTool[] = []
  for (const address of addresses) {
    const one = findableTool(state, context, address, names)
    if (one === null) continue
    if (one.callable !== 'load-first') names.set(one.found.name, one.found.owner)
    findable.push(one)
  }
  return findable
}

const ownersMemo = new WeakMap<
  WorkspaceState['found'],
  { readonly catalog: Catalog; readonly owners: ReadonlyMap<string, string> }
>()

/**
 * The owner of each name among the found tools. A tool that has changed or left the catalog has no
 * name.
 */
function ownersOfFoundNames(
  { found }: WorkspaceState,
  { catalog }: EngineContext,
): ReadonlyMap<string, string> {
  const known = ownersMemo.get(found)
  if (known?.catalog === catalog) return known.owners
  const owners = new Map<string, string>()
  for (const { name, owner, hash } of found) {
    const brought = catalog.skillTools.get(owner)
    if (brought?.some(({ tool }) => tool.hash === hash)) owners.set(name, owner)
  }
  ownersMemo.set(found, { catalog, owners })
  return owners
}

function findableTool(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
  names: ReadonlyMap<string, string>,
): FindableTool | null {
  const assessment = assess(state, context, address)
  switch (assessment.kind) {
    case 'registered':
      return registeredTool(assessment, state, context)
    case 'unregistered':
      return unregisteredTool(assessment, state, context, names)
    case 'gone':
    case 'left-out':
    case 'unknown':
      return null
  }
}

function registeredTool(
  { status, row: { name, owner, claim, tool } }: Extract<Assessment, { kind: 'registered' }>,
  state: WorkspaceState,
  context: EngineContext,
): FindableTool | null {
  const callable = whenCallable(status, state, (then) =>
    judgeTool({ source: owner, claim }, true, tool, then, context),
  )
  if (callable === null || tool === undefined) return null
  const found = { name, owner: owner.owner, source: owner.source, hash: claim.hash }
  return { found, tool, skill: owner.source === 'skill' ? owner.owner : null, callable }
}

function unregisteredTool(
  { name, bringers }: Extract<Assessment, { kind: 'unregistered' }>,
  state: WorkspaceState,
  context: EngineContext,
  names: ReadonlyMap<string, string>,
): FindableTool | null {
  const loadable = bringers.filter((one) => loadability(one, state, context) !== null)
  // A plain name means the tool that was found under it.
  const skill = loadable.find((one) => one === names.get(name)) ?? loadable[0]
  const brought = context.catalog.skillTools.get(skill ?? '')
  const tool = brought?.find((one) => one.tool.name === name)?.tool
  if (skill === undefined || tool === undefined) return null
  const judgeIn = (then: WorkspaceState) => judgeInactiveTool(tool, skill, then, context)
  const when = whenCallable(judgeIn(state).status, state, judgeIn)
  if (when === null) return null
  const isFree =
    (names.get(name) ?? skill) === skill && assess(state, context, name).kind !== 'registered'
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
  const callable = isOnCall ? onCall : 'load-first'
  return { found, tool: shownTool(tool, context.redactor), skill, callable }
}

/**
 * The outcome of activating an inactive skill. `free`: only a hook could fail it. `blocked`: an
 * active skill or the name of a tool is in the way, or a rule asks a person before it is loaded. Null:
 * the agent may not activate it, a rule denies it, or it can never be activated.
 */
type Loadability = 'free' | 'blocked' | null

/** By skill: a search asks for the skill of every tool it looks at. */
const loadabilities = memoByFacts<Map<string, Loadability>>()

export function loadability(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): Loadability {
  const facts = ({ open, broken, policy, disabled, facts: noted }: WorkspaceState) => [
    open,
    broken,
    policy,
    disabled,
    noted,
  ]
  const bySkill = loadabilities(context, state, facts, () => new Map())
  const known = bySkill.get(skill)
  if (known !== undefined) return known
  const loadability = judgeSkill(skill, state, context)
  bySkill.set(skill, loadability)
  return loadability
}

function judgeSkill(skill: string, state: WorkspaceState, context: EngineContext): Loadability {
  const { status, plan } = assessSkill(state, context, skill)
  const effect = loadingEffect(skill, state, context)
  if (effect === 'deny' || hiddenSkills(state, context.catalog).has(skill)) return null
  if (status === 'conflicting') return 'blocked'
  if (plan === null) return null
  const placed = placeSkills(plan, { cause: { by: 'host' } }, state, context)
  if (placed.ok) return effect === 'ask' ? 'blocked' : 'free'
  // A meta-tool never leaves, and cannot be shadowed.
  return isMeta(placed.clash.holder) ? null : 'blocked'
}

const NO_TOOLS: readonly Tool[] = Object.freeze([])

const foundMemo = memoByFacts<readonly Tool[]>()

/**
 * Returns the tools that were found, not evicted, and can be called now or by a call that activates
 * their skill, in the order of finding. Tools that changed since, or are forbidden meanwhile, are
 * left out.
 */
export function foundTools(state: WorkspaceState, context: EngineContext): readonly Tool[] {
  const { found } = state
  if (found.length === 0) return NO_TOOLS
  const facts = (given: WorkspaceState) => [given.found, ...statusFacts(given)]
  return foundMemo(context, state, facts, () => {
    const hashes = new Map(found.map(({ name, hash }) => [name, hash]))
    const findable = findableTools(state, context, [...hashes.keys()])
    const tools: Tool[] = []
    for (const { found: one, tool, callable } of findable) {
      const isCallable = callable === 'now' || callable === 'on-call'
      if (isCallable && hashes.get(one.name) === one.hash) tools.push(tool)
    }
    return Object.freeze(tools)
  })
}

/** A found tool whose call activates the skill that brings it. */
export interface LoadingCall {
  readonly skill: string
  readonly found: FoundToolState
}

/**
 * Returns the skill that a call would activate: its tool was found, the skill is not active, the
 * agent may activate it, and the session lets calls do so. Null for all other calls.
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

const NO_NAMES: ReadonlySet<string> = new Set()

/** By the table they follow from: a table belongs to one context. */
const hiddenMemo = new WeakMap<RegisteredTools, ReadonlySet<string>>()

/**
 * Returns true for a registered tool that a session with search exposes from the start: a meta-tool, a
 * pinned one, and one of a component, whose panel the model reads.
 */
export function isSentFromStart(
  { owner, claim }: Pick<ToolRow, 'owner' | 'claim'>,
  { discovery, component }: EngineContext,
): boolean {
  if (isMeta(owner) || discovery === undefined) return isMeta(owner)
  const hasPanel = owner.source === 'component' && component(owner.owner) !== undefined
  return hasPanel || discovery.pinned.some((one) => matchesTool(one, claim, owner))
}

/**
 * Returns the names of the available tools that a session with search exposes only when they are
 * found: all except those that are sent from the start, and those of active skills. Empty without
 * search.
 */
export function hiddenTools(state: WorkspaceState, context: EngineContext): ReadonlySet<string> {
  if (context.discovery === undefined) return NO_NAMES
  const table = toolTable(state, context)
  const known = hiddenMemo.get(table)
  if (known) return known
  const names = new Set<string>()
  for (const row of table.rows) {
    const isFindable = row.status === 'available' && row.owner.source !== 'skill'
    if (isFindable && !isSentFromStart(row, context)) names.add(row.name)
  }
  hiddenMemo.set(table, names)
  return names
}
