import type { JsonSchema } from '../kernel/json.ts'
import type { HandlerFailure, HandlerSuccess } from './response/handler-outcome.ts'
import type { SchemaInput, SchemaOutput, TypedSchema } from './schema/schema-source.ts'
import type { ToolContext } from './definition/tool-context.ts'
import type { RunningCall } from './definition/running-call.ts'
import type { HandlerResult, StreamedResult, Tool, ToolDefinition } from './definition/tool.ts'

/** What an author may say about a tool beside its schemas and handler; see `ToolDefinition`. */
export type ToolFields = Pick<ToolDefinition, 'name' | 'description'> &
  Partial<Omit<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema'>> & {
    /** Time limit of one call in milliseconds; the session's limit when absent. */
    readonly timeoutMs?: number
    /** How often a call may be tried again; see `Tool`. */
    readonly retries?: number
  }

/** A tool whose types come from its schemas. Without `input` it takes no arguments. */
export type TypedToolSpec<In, Out, Context, Result, Background> = ToolFields & {
  readonly background?: Background
  readonly input?: In
  readonly output?: Out
  run?(input: HandlerInput<In>, context: Context): Result
  extract?(data: ResultData<Out, Result>): ReturnType<NonNullable<Tool['extract']>>
}

/** A tool described by plain JSON Schema; its types are given, or `unknown`. */
export type PlainToolSpec<Input, Output, Context> = ToolFields & {
  readonly input: JsonSchema
  readonly output?: JsonSchema
  run?(
    input: Input,
    context: Context,
  ): HandlerResult<Output> | Promise<HandlerResult<Output>> | StreamedResult<Output>
  extract?(data: Output): ReturnType<NonNullable<Tool['extract']>>
}

type NoArguments = Readonly<Record<string, never>>

/** What a caller passes to a tool with this input schema. */
export type CallInput<In> = In extends TypedSchema ? SchemaInput<In> : NoArguments

/** What the handler gets: the input once parsed. */
export type HandlerInput<In> = In extends TypedSchema ? SchemaOutput<In> : NoArguments

/** What a handler may return: anything, unless an output schema says what. */
export type AllowedResult<Out> = Out extends TypedSchema
  ? | HandlerResult<SchemaInput<Out>>
    | Promise<HandlerResult<SchemaInput<Out>>>
    | StreamedResult<SchemaInput<Out>>
  : unknown

/** The data a call answers with: that of its handler, unless it goes on in the background. */
export type AnswerData<Out, Result, Background> = Background extends true
  ? RunningCall
  : ResultData<Out, Result>

/** As the output schema parses it, else what the handler returns. */
export type ResultData<Out, Result> = Out extends TypedSchema
  ? SchemaOutput<Out>
  : DataOf<ResultOf<Awaited<Result>>>

/** Of a stream, what it returns, or the last it yields. */
type ResultOf<Result> =
  Result extends AsyncGenerator<infer Yielded, infer Returned>
    ? [Returned] extends [void]
      ? Yielded
      : Exclude<Returned, undefined | void> | (undefined extends Returned ? Yielded : never)
    : Result extends AsyncIterable<infer Yielded>
      ? Yielded
      : Result

type DataOf<Result> =
  Result extends HandlerSuccess<infer Data> ? Data : Result extends HandlerFailure ? never : Result

/** The signature of `defineTool`. */
export interface DefineTool {
  <
    In extends TypedSchema | undefined = undefined,
    Out extends TypedSchema | undefined = undefined,
    S = unknown,
    Result extends AllowedResult<Out> = AllowedResult<Out>,
    Background extends boolean = false,
  >(
    spec: TypedToolSpec<In, Out, ToolContext<S>, Result, Background>,
  ): Tool<CallInput<In>, AnswerData<Out, Result, Background>, S>
  <Input = unknown, Output = unknown, S = unknown>(
    spec: PlainToolSpec<Input, Output, ToolContext<S>>,
  ): Tool<Input, Output, S>
}
