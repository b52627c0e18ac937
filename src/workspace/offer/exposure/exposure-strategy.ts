import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import { renamedTool } from '../../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** What a strategy is asked about one step. */
export interface ExposureRequest {
  /** What can be called now, in table order, meta-tools among them. */
  readonly available: readonly Tool[]
  /**
   * What may be left out unless it is found: with search on, the names of available tools that are
   * neither meta-tools, pinned, nor of an active skill. Empty without search.
   */
  readonly hidden: ReadonlySet<string>
  /** Found by search and not evicted, in the order of finding; those of inactive skills are not in `available`. */
  readonly found: readonly Tool[]
  /** Names of the meta-tools and of the tools that are pinned, whether they are available or not. */
  readonly pinned: ReadonlySet<string>
  /** What the last step sent, in its order; null before the first. */
  readonly previous: readonly ExposedTool[] | null
  /** A definition that was sent before, by hash: it may be gone from `available`. */
  tool(hash: ContentHash): Tool | undefined
}

/** The tools one request carries. */
export interface ExposurePlan {
  /** In the order they are sent. */
  readonly tools: readonly Tool[]
  /** Names among `tools` that the provider keeps out of the prompt until they are asked for. */
  readonly deferred: ReadonlySet<string>
}

/** How a change of tools reaches the model. Whatever it shows, calls are judged by the engine. */
export interface ExposureStrategy {
  readonly name: string
  /** What left stays in the request, so that taking a tool away frees nothing and loses nothing. */
  readonly keepsGone?: boolean
  /** Most tools are called through `call_tool`, so the prompt lists their arguments. */
  readonly bridges?: boolean
  /** Called once a step, in the session's queue; a rejection refuses the step and changes nothing. */
  plan(request: ExposureRequest): Promise<ExposurePlan> | ExposurePlan
}

/**
 * What the model should be able to call by name in this step: what is available and not hidden,
 * in table order, then what was found beyond that, in the order of finding. One tool a name.
 */
export function wantedTools({
  available,
  hidden,
  found,
}: Pick<ExposureRequest, 'available' | 'hidden' | 'found'>): readonly Tool[] {
  const foundNames = new Set(found.map(({ name }) => name))
  const wanted = new Map(
    available
      .filter(({ name }) => !hidden.has(name) || foundNames.has(name))
      .map((tool) => [tool.name, tool]),
  )
  for (const tool of found) {
    if (!wanted.has(tool.name)) wanted.set(tool.name, tool)
  }
  return [...wanted.values()]
}

/**
 * The tools of the last step, each in its place, and after them those that are new.
 *
 * What left stays as it was sent: the gate refuses its calls, and the request is the same. A tool
 * whose definition changed is replaced where it stands, because a model must not call by a schema
 * that no longer holds: that costs the prefix from there on. A definition that nobody has any more
 * (its log lost it) leaves a gap, at the same cost.
 */
function appendNewTools(
  { available, found, previous, tool }: ExposureRequest,
  later: readonly Tool[],
): readonly Tool[] {
  const callable = new Map([...found, ...available].map((one) => [one.name, one]))
  const kept = (previous ?? []).flatMap(({ name, hash }) => {
    const now = callable.get(name)
    if (now !== undefined) return now
    const sent = tool(hash)
    return sent === undefined ? [] : renamedTool(sent, name)
  })
  const names = new Set(kept.map(({ name }) => name))
  return [...kept, ...later.filter(({ name }) => !names.has(name))]
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Send just what is available, in the order of the tool table, and what was found. The shortest
 * request there is; a tool that comes or goes costs the prefix from its place on.
 */
const activeExposure: ExposureStrategy = {
  name: 'active',
  plan: (request) => ({ tools: wantedTools(request), deferred: NONE }),
}

/**
 * Only ever add tools, at the end, in the order they were first wanted. The tools of a request are
 * the beginning of the next one's; what a provider reads after the tools is read anew when one is
 * added.
 */
const appendExposure: ExposureStrategy = {
  name: 'append',
  keepsGone: true,
  plan: (request) => ({ tools: appendNewTools(request, wantedTools(request)), deferred: NONE }),
}

/**
 * For providers that keep definitions out of the prompt until the conversation refers to them.
 *
 * The first request holds everything that can be called: meta-tools, pinned tools and those of the
 * skills that are active from the start in full, the hidden ones deferred. Whatever comes later is
 * added at the end, deferred, and the conversation refers to it; so nothing that was sent changes.
 */
const deferredExposure: ExposureStrategy = {
  name: 'deferred',
  keepsGone: true,
  plan(request) {
    const wanted = wantedTools(request)
    // Names that are wanted come twice; the first place counts.
    const tools = appendNewTools(request, [...new Set([...wanted, ...request.available])])
    return { tools, deferred: deferredNames(request, tools) }
  },
}

/** What was sent in full stays so, even when it is hidden now: turning it round would cost the prefix. */
function deferredNames(
  { hidden, pinned, previous }: ExposureRequest,
  tools: readonly { readonly name: string }[],
): ReadonlySet<string> {
  const inFull = new Set((previous ?? []).flatMap(({ name, deferred }) => (deferred ? [] : name)))
  const mayWait = (name: string) =>
    previous === null ? hidden.has(name) && !pinned.has(name) : !inFull.has(name)
  return new Set(tools.flatMap(({ name }) => (mayWait(name) ? name : [])))
}

/** The meta-tool through which every other tool can be called. */
const BRIDGE = 'call_tool'

/**
 * Send meta-tools and pinned tools, and nothing else: the others are called through `call_tool`,
 * so the tools of a request never change in a session.
 *
 * Without a `call_tool` that can be called there is no bridge. Then what is wanted is added at the
 * end, as `append` does, so that nothing that is available is out of reach.
 */
const bridgeExposure: ExposureStrategy = {
  name: 'bridge',
  keepsGone: true,
  bridges: true,
  plan(request) {
    const { available, pinned } = request
    const isCrossed = available.some(({ name }) => name === BRIDGE)
    const sent = isCrossed ? available.filter(({ name }) => pinned.has(name)) : wantedTools(request)
    return { tools: appendNewTools(request, sent), deferred: NONE }
  },
}

/** The strategies that come with Loadout, the one nearest to plain calling first. */
export const EXPOSURES = {
  active: activeExposure,
  append: appendExposure,
  deferred: deferredExposure,
  bridge: bridgeExposure,
} as const satisfies Readonly<Record<string, ExposureStrategy>>

export type ExposureName = keyof typeof EXPOSURES
