import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { assess } from './assess.ts'
import type { FoundTool } from '../model/discovery-event.ts'
import { loadability } from './loadability.ts'
import { standingOf, wouldStand } from './standing-of.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { whenCallable } from './when-callable.ts'

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
  surroundings: Surroundings,
  addresses: readonly string[],
): readonly FindableTool[] {
  const held = new Map(namesHeld(state, surroundings))
  const findable: FindableTool[] = []
  for (const address of addresses) {
    const one = findableTool(state, surroundings, address, held)
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
  { catalog }: Surroundings,
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
  surroundings: Surroundings,
  address: string,
  held: ReadonlyMap<string, string>,
): FindableTool | null {
  const standing = assess(state, surroundings, address)
  switch (standing.kind) {
    case 'unknown':
      return null
    case 'registered': {
      const { name, owner, claim, tool } = standing.row
      const wins = standing.status !== 'shadowed'
      const when = whenCallable(state, (then) =>
        standingOf({ source: owner, claim }, wins, tool, then, surroundings),
      )
      if (when === null || tool === undefined) return null
      const found = { name, owner: owner.owner, source: owner.source, hash: claim.hash }
      return { found, tool, skill: owner.source === 'skill' ? owner.owner : null, callable: when }
    }
    case 'unregistered': {
      const { name, bringers } = standing
      const loadable = bringers.filter((one) => loadability(one, state, surroundings) !== null)
      // A bare name means the tool that was found by it.
      const skill = loadable.find((one) => one === held.get(name)) ?? loadable[0]
      const tool = surroundings.catalog.skillTools
        .get(skill ?? '')
        ?.find((one) => one.tool.name === name)?.tool
      if (skill === undefined || tool === undefined) return null
      const when = whenCallable(state, (then) => wouldStand(tool, skill, then, surroundings))
      if (when === null) return null
      const isFree =
        (held.get(name) ?? skill) === skill &&
        assess(state, surroundings, name).kind !== 'registered'
      const isOnCall =
        isFree &&
        surroundings.discovery?.onFound === 'activate-on-call' &&
        loadability(skill, state, surroundings) === 'free'
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
