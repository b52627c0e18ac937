import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { renamedTool } from '../../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** The tools of one step that a strategy has to arrange. */
export interface ExposureRequest {
  /** The tools that can be called now, in table order, including meta-tools. */
  readonly available: readonly Tool[]
  /**
   * Names of available tools that may be left out unless search finds them: with search on, those that
   * are neither meta-tools, pinned, of an active skill, nor of a component. Empty without search.
   */
  readonly hidden: ReadonlySet<string>
  /** Tools found by search and not evicted, in that order. Those of inactive skills are not in `available`. */
  readonly found: readonly Tool[]
  /** Names of the meta-tools and of the pinned tools, available or not; with search, also those of components. */
  readonly pinned: ReadonlySet<string>
  /** The tools that the last step sent, in its order; null before the first step. */
  readonly previous: readonly ExposedTool[] | null
  /** The provider removes tools inside the conversation, and replaces a definition there by a later one. */
  readonly removes: boolean
  /** Returns a definition that was sent before, by hash: it may not be in `available` any more. */
  tool(hash: ContentHash): Tool | undefined
}

/** The tools one request carries. */
export interface ExposurePlan {
  /** In the order they are sent. */
  readonly tools: readonly Tool[]
  /** Names of the `tools` that the provider keeps out of the prompt until they are referred to. */
  readonly deferred: ReadonlySet<string>
  /**
   * The tools that the model has once the conversation has changed those of the request; the same as `tools`
   * when absent.
   */
  readonly offered?: readonly Tool[]
}

/** Decides how a change of tools reaches the model. The engine judges calls under every strategy. */
export interface ExposureStrategy {
  readonly name: string
  /** True when removed tools stay in the request, so that a removal frees nothing and loses nothing. */
  readonly keepsGone?: boolean
  /** True when most tools are called through `call_tool`, so that the prompt lists their arguments. */
  readonly bridges?: boolean
  /** Called once per step, in the session's queue. A rejection refuses the step and changes nothing. */
  plan(request: ExposureRequest): Promise<ExposurePlan> | ExposurePlan
}

/**
 * Returns the tools that the model should be able to call by name in this step: available ones that are
 * not hidden, in table order, then further found ones, in the order of finding. One tool per name.
 */
export function wantedTools({
  available,
  hidden,
  found,
}: Pick<ExposureRequest, 'available' | 'hidden' | 'found'>): readonly Tool[] {
  const foundNames = new Set(found.map(({ name }) => name))
  const wanted = new Map<string, Tool>()
  for (const tool of available) {
    if (!hidden.has(tool.name) || foundNames.has(tool.name)) wanted.set(tool.name, tool)
  }
  for (const tool of found) {
    if (!wanted.has(tool.name)) wanted.set(tool.name, tool)
  }
  return [...wanted.values()]
}

/**
 * Returns the tools of the last step, each in its place, followed by the new ones.
 *
 * A removed tool stays in the request, and the engine refuses its calls. A tool whose definition changed is
 * replaced in its place, because a model must not call with an outdated schema: that costs the prefix from
 * there on. A definition that was lost leaves a gap, at the same cost.
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
 * Sends the available tools, in the order of the tool table, and the found ones. The shortest possible
 * request; each added or removed tool costs the prefix from its place on.
 */
const activeExposure: ExposureStrategy = {
  name: 'active',
  plan: (request) => ({ tools: wantedTools(request), deferred: NONE }),
}

/**
 * Only adds tools, at the end, in the order they were first wanted. Each request begins with the tools of
 * the one before. When a tool is added, the provider reads again what comes after the tools.
 */
const appendExposure: ExposureStrategy = {
  name: 'append',
  keepsGone: true,
  plan: (request) => ({ tools: appendNewTools(request, wantedTools(request)), deferred: NONE }),
}

/**
 * For providers that keep definitions out of the prompt until the conversation refers to them.
 *
 * The first request has every tool that can be called: meta-tools, pinned tools and those of initially
 * active skills in full, the hidden ones deferred. Later tools are added at the end, deferred, and the
 * conversation refers to them; so nothing that was sent changes.
 */
const deferredExposure: ExposureStrategy = {
  name: 'deferred',
  keepsGone: true,
  plan(request) {
    const wanted = wantedTools(request)
    // Wanted tools appear twice; the first place counts.
    const tools = appendNewTools(request, [...new Set([...wanted, ...request.available])])
    return { tools, deferred: deferredNames(request, tools) }
  },
}

/** A tool that was sent in full stays so, even if it is hidden now: deferring it would cost the prefix. */
function deferredNames(
  { hidden, pinned, previous }: ExposureRequest,
  tools: readonly { readonly name: string }[],
): ReadonlySet<string> {
  const inFull = new Set((previous ?? []).flatMap(({ name, deferred }) => (deferred ? [] : name)))
  const mayWait = (name: string) =>
    previous === null ? hidden.has(name) && !pinned.has(name) : !inFull.has(name)
  return new Set(tools.flatMap(({ name }) => (mayWait(name) ? name : [])))
}

/**
 * For providers that take tools inside the conversation.
 *
 * Every request has the tools of the first one. Later tools are added in the conversation, and removed there
 * where the provider can remove them; so nothing that was sent changes. Where it cannot, a removed tool stays
 * and its calls are refused, and a tool of the first request whose definition changed is replaced in its
 * place.
 */
const conversationExposure: ExposureStrategy = {
  name: 'conversation',
  keepsGone: true,
  plan(request) {
    const { previous, removes, tool } = request
    const wanted = wantedTools(request)
    if (previous === null) return { tools: wanted, deferred: NONE }
    const base = previous.filter(({ added, deferred }) => !added && !deferred)
    if (!removes) {
      const tools = appendNewTools({ ...request, previous: base }, [])
      const names = new Set(tools.map(({ name }) => name))
      const later = { ...request, previous: previous.filter(({ added }) => added) }
      const added = appendNewTools(
        later,
        wanted.filter(({ name }) => !names.has(name)),
      )
      return { tools, deferred: NONE, offered: [...tools, ...added] }
    }
    const tools = base.flatMap(({ name, hash }) => {
      const sent = tool(hash)
      return sent === undefined ? [] : renamedTool(sent, name)
    })
    return { tools, deferred: NONE, offered: wanted }
  },
}

/**
 * Returns true when the provider has the definition of a tool deferred, or gets it so with the next request: a
 * result that names the tool has to refer to it.
 */
export function isDeferred(
  { strategy, exposed }: Pick<WorkspaceState, 'strategy' | 'exposed'>,
  name: string,
): boolean {
  if (strategy !== deferredExposure.name) return false
  const sent = exposed?.find((one) => one.name === name)
  return sent === undefined || sent.deferred === true
}

/** The meta-tool through which every other tool can be called. */
const BRIDGE = 'call_tool'

/**
 * Sends meta-tools and pinned tools only. The others are called through `call_tool`, so the tools of a
 * request never change in a session.
 *
 * Without an available `call_tool`, wanted tools are added at the end, as `append` does, so that every
 * available tool can be called.
 */
const bridgeExposure: ExposureStrategy = {
  name: 'bridge',
  keepsGone: true,
  bridges: true,
  plan(request) {
    const { available, pinned } = request
    const hasBridge = available.some(({ name }) => name === BRIDGE)
    const sent = hasBridge ? available.filter(({ name }) => pinned.has(name)) : wantedTools(request)
    return { tools: appendNewTools(request, sent), deferred: NONE }
  },
}

/** The built-in strategies, from the one nearest to plain calling on. */
export const EXPOSURES = {
  active: activeExposure,
  append: appendExposure,
  deferred: deferredExposure,
  conversation: conversationExposure,
  bridge: bridgeExposure,
} as const satisfies Readonly<Record<string, ExposureStrategy>>

export type ExposureName = keyof typeof EXPOSURES
