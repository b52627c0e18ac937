import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import type { ToolContext } from './tool-context.ts'
import type { HandlerOutcome } from '../response/tool-response.ts'
import type { Parsed } from '../schema/schema-source.ts'

/** What a tool does to the world: reads it, changes it, or only computes. */
export type ToolCategory = 'retrieval' | 'action' | 'utility'

/** How much harm a wrong call can do. Set by the host, never lowered by annotations. */
export type RiskLevel = 'safe' | 'moderate' | 'destructive'

/** Where in a result the entities for working memory stand. */
export interface ExtractionSchema {
  /** Dotted path into the result, or `$root`. */
  readonly path: string
  /** Entity type, such as `page`. */
  readonly type: string
  readonly nameField: string
  /** Defaults to `id`. */
  readonly idField?: string
  readonly isArray?: boolean
}

/** What a model should know when it calls one tool, told with the rules of its topic. */
export interface ToolGuidance {
  /** What to do first. */
  readonly before?: string
  /** What to do with the result. */
  readonly after?: string
  readonly pitfalls?: readonly string[]
}

/**
 * Everything about a tool that a model may read or that policy decides on: JSON only.
 * Its content hash covers every field here.
 */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** Semantic version; several versions of one name may be registered. */
  readonly version: string
  readonly category: ToolCategory
  /** The tool's subject, which rules attach to. */
  readonly topic?: string
  readonly risk: RiskLevel
  /** Modes it may be called in; absent means all. */
  readonly modes?: readonly string[]
  /** Example requests that should find this tool. */
  readonly phrases: readonly string[]
  /** Names of tools often used together with it. */
  readonly related: readonly string[]
  /** One to four lines for prompts; the first sentence of the description by default. */
  readonly summary: string
  /** Full documentation in Markdown, read on demand. */
  readonly documentation?: string
  readonly guidance?: ToolGuidance
  readonly requiresConfirmation: boolean
  /** Safe to repeat with the same input. */
  readonly idempotent: boolean
  /** Calls answer at once, and go on in the background; absent means no. */
  readonly background?: boolean
  /** Latency a call should stay under, in milliseconds: reported, not enforced. */
  readonly latencyMs?: number
  readonly extraction?: ExtractionSchema
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
}

/** What a handler may give back: the data itself, or the part of an envelope it decides on. */
export type HandlerResult<O> = O | HandlerOutcome<O>

/**
 * What a handler may stream: any values before the result it returns, or values of which the last
 * one is the result.
 */
export type StreamedResult<O> =
  AsyncGenerator<unknown, HandlerResult<O>> | AsyncIterable<HandlerResult<O>>

/**
 * A definition with its validators and, when bound, its handler.
 *
 * `I` is what callers pass, `O` the data they get, `S` the services the handler needs. What the
 * handler itself receives (`I` once parsed) is typed where the tool is defined, not here.
 */
export interface Tool<I = unknown, O = unknown, S = unknown> extends ToolDefinition {
  readonly hash: ContentHash
  /**
   * Validate and transform a call's arguments; unknown arguments are refused. The type says
   * what callers should pass; whatever arrives is looked at. Rejects when a refinement of the
   * host's code throws.
   */
  parseInput(value: I): Promise<Parsed<unknown>>
  /** Validate a handler's data; absent when the tool declares no output schema. */
  parseOutput?(value: unknown): Promise<Parsed<O>>
  /** The handler, which gets what `parseInput` gave; a tool without one is `unbound`. */
  execute?(
    input: unknown,
    context: ToolContext<S>,
  ): HandlerResult<O> | Promise<HandlerResult<O>> | StreamedResult<O>
  /** Entities for working memory, where a schema is not enough. */
  extract?(data: O): readonly { type: string; id: string; name: string }[]
  /** Time limit of one call in milliseconds; the session's limit when absent. */
  readonly timeoutMs?: number
  /** How often a call may be tried again, where that is safe; the session's limit when absent. */
  readonly retries?: number
}
