import { type HookCall, takenTools, toolNameTaken } from './decision.ts'
import { decideSync, quarantinedAmong } from './decide-registration.ts'
import { pinsAtOpening } from '../evolve/evolve-consent.ts'
import type { Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { currentTurn, type Claim, type OpenSource } from '../model/source-event.ts'
import type { Draft } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { placeClaims } from '../standing/place-claims.ts'

/** The servers that come and go with skills, or the refusal because of the name of one of their tools. */
type ServerPlan =
  | {
      readonly ok: true
      /** Connects to the servers that have to be connected. The plan is made again when they are. */
      readonly hooks: readonly HookCall[]
      readonly drafts: readonly Draft[]
    }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Plans the servers of skills that leave and enter: closes those that no active skill names any more, and places the
 * tools of the others after those of the skills. A server that is attached already stays unchanged, and is connected if
 * need be. One that the catalog does not have brings nothing.
 *
 * @param after the state with the sources that are open after the skills have changed
 */
export function planServers(
  leaving: readonly string[],
  entering: readonly string[],
  order: Order,
  after: WorkspaceState,
  context: EngineContext,
): ServerPlan {
  const { catalog, agent, listing } = context
  const drafts = [...releaseServers(leaving, after, context)]
  const closed = new Set(
    drafts.flatMap(({ event }) => (event.type === 'source.closed' ? event.owner : [])),
  )
  const open: OpenSource[] = after.open.filter(
    ({ source, owner }) => source !== 'server' || !closed.has(owner),
  )
  const hooks: HookCall[] = []
  for (const skill of entering) {
    const isEager = catalog.skills.get(skill)?.connect === 'activation'
    for (const server of catalog.skillServers?.get(skill) ?? []) {
      const isOpen = open.some(({ source, owner }) => source === 'server' && owner === server)
      if (catalog.servers?.has(server) !== true) continue
      const source = { source: 'server', owner: server } as const
      const listed = listing?.(server, isEager)
      if (listed === undefined) hooks.push({ skill, hook: 'connect', server })
      if (isOpen) continue
      if (listed === undefined) {
        open.push(openServer(server, skill, [], after))
        continue
      }
      const { agreed } = listed
      const tools = (agreed ?? listed.tools).map((tool) => ({ tool }))
      const onConflict = 'refuse'
      const trusted = listed.trusted ? undefined : false
      const request = { ...source, tools, onConflict, trusted, skipsTaken: true } as const
      const placed = placeClaims(request, open, agent)
      if (!placed.ok) return { ok: false, refusal: toolNameTaken(server, placed) }
      const { claims } = placed
      const leftOut = [...(listed.leftOut ?? []), ...takenTools(server, placed.taken)]
      const quarantined = quarantinedAmong(claims, source, after)
      drafts.push({
        cause: { by: 'dependency', of: skill },
        event: {
          type: 'source.synced',
          ...source,
          claims,
          changed: [],
          quarantined,
          removed: [],
          bringer: skill,
          ...(listed.instructions !== undefined && { instructions: listed.instructions }),
          ...(leftOut.length > 0 && { leftOut }),
        },
      })
      open.push({
        ...openServer(server, skill, claims, after),
        leftOut: { seq: after.seq, tools: leftOut },
      })
      if (agreed === undefined) continue
      const pins = pinsAtOpening(after, { ...source, claims }, after.seq)
      const sync = decideSync(
        { ...after, open, pins },
        { ...order, cause: { by: 'server', server } },
        {
          ...source,
          tools: listed.tools,
          leftOut: listed.leftOut ?? [],
          onConflict,
          trusted: false,
        },
        context,
      )
      if (sync.kind === 'refused') return { ok: false, refusal: sync.refusal }
      drafts.push(...sync.drafts)
    }
  }
  return { ok: true, hooks, drafts }
}

/** A server as the sources that are placed after it see it. */
function openServer(
  owner: string,
  bringer: string,
  claims: readonly Claim[],
  state: WorkspaceState,
): OpenSource {
  const { seq: since } = state
  const turn = currentTurn(state)
  return {
    source: 'server',
    owner,
    definition: null,
    claims: claims.map((claim) => ({ ...claim, since })),
    lifetime: 'session',
    usesLeft: null,
    requested: true,
    bringer,
    turn,
    lastTurn: turn,
    since,
    cause: { by: 'dependency', of: bringer },
  }
}

/**
 * Returns the entries of the servers that leave with some skills. A server that another active skill names stays, and
 * is brought by that one from then on.
 */
export function releaseServers(
  leaving: readonly string[],
  { open }: Pick<WorkspaceState, 'open'>,
  { catalog }: EngineContext,
): readonly Draft[] {
  return open.flatMap(({ source, owner, bringer }): readonly Draft[] => {
    if (source !== 'server' || bringer === undefined || !leaving.includes(bringer)) return []
    const cause = { by: 'dependency', of: bringer } as const
    const next = open.find(
      (one) =>
        one.source === 'skill' &&
        !leaving.includes(one.owner) &&
        catalog.skillServers?.get(one.owner)?.includes(owner) === true,
    )
    if (next === undefined) {
      return [{ cause, event: { type: 'source.closed', source, owner, names: null } }]
    }
    const none = { claims: [], changed: [], quarantined: [], removed: [] }
    return [
      { cause, event: { type: 'source.synced', source, owner, ...none, bringer: next.owner } },
    ]
  })
}
