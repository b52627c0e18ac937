import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { Caller, OnCallOutput } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { checkedNumbers } from './checked-numbers.ts'
import type { StreamLimits } from './handlers/follow-stream.ts'

/** The call whose handler makes another one. */
interface OuterCall {
  /** Its id, after those of the calls that it is within itself. */
  readonly chain: readonly string[]
  /** Whether it has its answer. */
  isOver(): boolean
}

/** A call as it comes to the gate. */
export interface CallRequest {
  /** A name, or `owner/name`. */
  readonly tool: string
  readonly input: unknown
  readonly caller: Caller
  /** The id the model's provider gave the call; one is made when absent. */
  readonly call?: string
  /** The caller gives up; without effect once a call is in the background. */
  readonly signal?: AbortSignal
  /** Gets what a handler that streams yields before its result. */
  readonly onOutput?: OnCallOutput
  /** Answer at once and let the handler go on, or wait for it; as the tool says when absent. */
  readonly background?: boolean
  /** There for a call by a tool's handler. */
  readonly within?: OuterCall
}

/** What a running handler reports between its start and its end; never logged. */
export interface CallProgress {
  readonly call: string
  readonly tool: string
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
}

/** Limits of every call of a session. */
export interface CallLimits {
  /** Milliseconds a handler may take, its retries included, unless its tool says otherwise. */
  readonly timeoutMs: number
  /** The same for a call in the background. */
  readonly backgroundMs: number
  /** Bytes of JSON a result may have. */
  readonly maxBytes: number
  /** Bytes of JSON that the log keeps of what a background call came to. */
  readonly keptBytes: number
  /** What a handler may yield before its result; a generator without an end stops here. */
  readonly stream: StreamLimits
  /** How often a call that may succeed later is tried again, where the tool is idempotent. */
  readonly retries: number
  /** How many calls one may be within: of tools that call tools. */
  readonly depth: number
  /** How long a confirmation can be given, in milliseconds. */
  readonly confirmationMs: number
  /** How long a leaving skill waits for its calls before it aborts them, in milliseconds. */
  readonly drainMs: number
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  timeoutMs: 60_000,
  backgroundMs: 600_000,
  maxBytes: 1_048_576,
  keptBytes: 16_384,
  stream: { outputs: 10_000, bytes: 16_777_216 },
  retries: 2,
  depth: 4,
  confirmationMs: 600_000,
  drainMs: 5_000,
}

/** The limits of a session: those that are given, else the defaults. Throws `LIMITS_INVALID`. */
export function settleCallLimits({ stream, ...given }: Partial<CallLimits> = {}): CallLimits {
  const { stream: defaultStream, ...defaults } = DEFAULT_CALL_LIMITS
  const code = 'LIMITS_INVALID'
  const positive = ['timeoutMs', 'backgroundMs']
  return {
    ...checkedNumbers(given, { option: 'limits', code, defaults, positive }),
    stream: checkedNumbers(stream, { option: 'limits.stream', code, defaults: defaultStream }),
  }
}

/** The name a call is about: the one that was given, or the one a tool value goes by. */
export function nameOfTool(
  given: string | Pick<Tool, 'name' | 'hash'>,
  state: WorkspaceState,
  surroundings: EngineContext,
): string {
  if (typeof given === 'string') return given
  return isToolValue(given) ? nameOfToolValue(given, state, surroundings) : `(${typeof given})`
}

/** Plain JavaScript passes on what a model said. */
function isToolValue(given: unknown): boolean {
  return (
    typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string'
  )
}

/**
 * The name a tool value goes by in a session: its owner may have moved it out of another's way. One
 * that is not registered is never taken for another tool that has its name, or was found by it.
 */
function nameOfToolValue(
  { name, hash }: Pick<Tool, 'name' | 'hash'>,
  state: WorkspaceState,
  surroundings: EngineContext,
): string {
  const { rows, byName } = toolTable(state, surroundings)
  const held = rows.find(({ claim }) => claim.hash === hash)
  const isOthers =
    byName.has(name) || state.found.some((one) => one.name === name && one.hash !== hash)
  if (held || !isOthers) return held?.name ?? name
  const { skillTools, bringers } = surroundings.catalog
  const bringer = bringers
    .get(name)
    ?.find((skill) => skillTools.get(skill)?.some(({ tool }) => tool.hash === hash))
  return `${bringer ?? 'unregistered'}/${name}`
}

/** How a call is made; the host's own code makes it when absent. */
export type CallOptions = Partial<
  Pick<CallRequest, 'call' | 'signal' | 'onOutput' | 'background'>
> & {
  readonly caller?: Exclude<CallRequest['caller'], 'tool'>
}
