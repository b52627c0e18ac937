import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema, JsonValue } from '../../kernel/json-value.ts'
import type { AiSdkTool, DroppedOption } from './ai-sdk-tool.ts'
import type { CheckContext, ToolContext } from './tool-context.ts'
import type { HandlerOutcome } from '../response/tool-response.ts'
import type { UncheckedPattern } from '../../schema/interpreter/compile-pattern.ts'
import type { Parsed } from '../../schema/interpreter/schema-source.ts'

type JsonObject = { readonly [name: string]: JsonValue }

/** The effect of a tool: it reads something, changes something, or only computes. */
export type ToolCategory = 'retrieval' | 'action' | 'utility'

/** The possible harm of a wrong call. Set by the host, and never lowered by annotations. */
export type RiskLevel = 'safe' | 'moderate' | 'destructive'

/** A field whose default depends on the category. */
export type DefaultField = 'category' | 'risk' | 'idempotent'

/** The place of the entities for working memory in a result. */
export interface ExtractionSchema {
  /** A dotted path in the result, or `$root`. */
  readonly path: string
  /** The type of entity, such as `page`. */
  readonly type: string
  readonly nameField: string
  /** Defaults to `id`. */
  readonly idField?: string
  readonly isArray?: boolean
}

/** Advice for calls of one tool, which the model reads with the rules of its topic. */
export interface ToolGuidance {
  /** Steps before the call. */
  readonly before?: string
  /** Steps after the call, with its result. */
  readonly after?: string
  readonly pitfalls?: readonly string[]
}

/** The description of a tool for clients of MCP, in the words of that protocol. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/**
 * The parts of a tool that a model may read or that policy uses: only JSON. The content hash covers every
 * field but `byDefault` and `annotations`.
 */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** A semantic version. Several versions of one name may be registered. */
  readonly version: string
  readonly category: ToolCategory
  /** The subject of the tool, which rules belong to. */
  readonly topic?: string
  readonly risk: RiskLevel
  /** Modes in which it may be called; all modes if absent. */
  readonly modes?: readonly string[]
  /** Example requests for which a search should find the tool. */
  readonly phrases: readonly string[]
  /** Names of tools that are often used together with it. */
  readonly related: readonly string[]
  /** One to four lines for prompts; by default, the first sentence of the description. */
  readonly summary: string
  /** The complete documentation in Markdown, read on demand. */
  readonly documentation?: string
  readonly guidance?: ToolGuidance
  /** True if a person is asked before a call. With a condition (`Tool.confirms`), before those for which it holds. */
  readonly requiresConfirmation: boolean
  /** True if a call can be repeated safely with the same input. */
  readonly idempotent: boolean
  /** True if calls return at once and continue in the background. */
  readonly background?: boolean
  /** True if calls with the same arguments are made again and again, such as to wait for a job. */
  readonly polling?: boolean
  /** The latency in milliseconds that a call should not exceed. Reported, but not enforced. */
  readonly latencyMs?: number
  readonly extraction?: ExtractionSchema
  /** The fields that a tool without a category leaves out: they are those of an action. */
  readonly byDefault?: readonly DefaultField[]
  /** Served to clients of MCP unchanged. Here they decide nothing: `category`, `risk` and `idempotent` do. */
  readonly annotations?: ToolAnnotations
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  /** Inputs of good calls, for providers that show them to the model. */
  readonly inputExamples?: readonly { readonly input: JsonObject }[]
  /** True if the provider must keep to the schema when the model writes arguments, where it can. */
  readonly strict?: boolean
  /** Options of the tool for the providers of the AI SDK, by provider, such as `cacheControl`. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
}

/** The result of a handler: the data itself, or an envelope. */
export type HandlerResult<O> = O | HandlerOutcome<O>

/** The effect of a call, for a person: a text, the change of a file, or a list of objects that it concerns. */
export type CallPreview =
  | string
  | {
      readonly path: string
      /** The text of the file now; null when there is none. */
      readonly before: string | null
      /** The text after the call; null when the file is deleted. */
      readonly after: string | null
    }
  | readonly object[]

/**
 * The stream of a handler: any values before its returned result, or values of which the last is the
 * result.
 */
export type StreamedResult<O> =
  AsyncGenerator<unknown, HandlerResult<O>> | AsyncIterable<HandlerResult<O>>

/**
 * Decides whether a person is asked before a call with these arguments. A text is a yes with its reason. If it throws,
 * a person is asked, and the message is the reason.
 */
export type ConfirmationCondition<Input = unknown, S = unknown> = (
  input: Input,
  context: Pick<ToolContext<S>, 'services' | 'principal' | 'call' | 'aiSdk'>,
) => boolean | string | PromiseLike<boolean | string>

/**
 * A definition with its validators and, if it is bound, its handler.
 *
 * `I` is the type of the arguments that callers pass, `O` of the data they get, and `S` of the services that
 * the handler needs. The type of the handler's parameter (`I` after parsing) is only known in the
 * definition.
 */
export interface Tool<I = unknown, O = unknown, S = unknown> extends ToolDefinition {
  readonly hash: ContentHash
  /** The name that its server has for it; absent when that is the name without the server and `_`. Not in the hash. */
  readonly nameOnServer?: string
  /** Patterns of its schemas that nothing checks, such as one with a back reference; absent if there are none. */
  readonly unchecked?: readonly UncheckedPattern[]
  /**
   * Validates and transforms the arguments of a call, and refuses unknown arguments. Any value may be
   * passed; the type is the one that callers should pass. Rejects if the host's code in a refinement
   * throws.
   */
  parseInput(value: I): Promise<Parsed<unknown>>
  /** Validates the data of a handler; absent if the tool has no output schema. */
  parseOutput?(value: unknown): Promise<Parsed<O>>
  /** The handler, which gets the result of `parseInput`. A tool without a handler is `unbound`. */
  execute?(
    input: unknown,
    context: ToolContext<S>,
  ): HandlerResult<O> | Promise<HandlerResult<O>> | StreamedResult<O>
  /** True if its calls are answered outside, such as by a form in the host's UI. Such a tool has no handler. */
  readonly client?: true
  /** The condition of `requiresConfirmation`; absent if every call is asked about, or none. */
  confirms?(
    ...given: Parameters<ConfirmationCondition<unknown, S>>
  ): ReturnType<ConfirmationCondition>
  /**
   * Says what a call would do, for the person who is asked about it. Gets the result of `parseInput`. It must
   * change nothing, and is asked only when there is a question.
   */
  preview?(input: unknown, context: CheckContext<S>): CallPreview | Promise<CallPreview>
  /** Returns the tool of the AI SDK that it was made from, whose callbacks the SDK calls. */
  readonly aiSdk?: () => AiSdkTool
  /** True for a tool of another runtime. Its errors keep their text, and any result is taken. */
  readonly isForeign?: true
  /** Options of the tool that it was made from that have no effect; absent if there are none. */
  readonly dropped?: readonly DroppedOption[]
  /**
   * Returns the files that a call is about, relative to the folder of the project, for the conditions of skills. Gets the
   * result of `parseInput`, once the call has succeeded.
   */
  paths?(input: unknown): string | readonly string[]
  /** Returns the entities for working memory, if a schema cannot describe them. */
  extract?(data: O): readonly { type: string; id: string; name: string }[]
  /** The time limit of one call in milliseconds, `Infinity` for none; by default, the limit of the session. */
  readonly timeoutMs?: number
  /** Progress starts its time limit again, until the call has taken `upToMs` milliseconds. */
  readonly renewOnProgress?: { readonly upToMs: number }
  /** True or false for a tool whose arguments are repaired, or not; by default, as the session does. */
  readonly repairArguments?: boolean
  /** Tokens that a model reads of one result, `Infinity` for all; by default, the limit of the session. */
  readonly resultTokens?: number
  /** Retries of one call, where that is safe; by default, the limit of the session. */
  readonly retries?: number
}
