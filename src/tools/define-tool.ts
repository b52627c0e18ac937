import { firstSentence } from '../kernel/first-sentence.ts'
import type { JsonSchema } from '../kernel/json-value.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { makeTool } from './definition/make-tool.ts'
import type { RunningCall, ToolContext } from './definition/tool-context.ts'
import type {
  HandlerResult,
  RiskLevel,
  StreamedResult,
  Tool,
  ToolCategory,
  ToolDefinition,
} from './definition/tool.ts'
import type { HandlerFailure, HandlerSuccess } from './response/tool-response.ts'
import type {
  SchemaInput,
  SchemaOutput,
  SchemaSource,
  TypedSchema,
} from './schema/schema-source.ts'

interface LooseSpec extends Partial<ToolFields> {
  readonly inputSchema?: SchemaSource
  readonly outputSchema?: SchemaSource
  readonly execute?: NonNullable<Tool['execute']>
  readonly extract?: NonNullable<Tool['extract']>
}

/** What follows from a category when the author says nothing. */
const BY_CATEGORY: Readonly<
  Record<ToolCategory, { readonly risk: RiskLevel; readonly idempotent: boolean }>
> = {
  retrieval: { risk: 'safe', idempotent: true },
  utility: { risk: 'safe', idempotent: true },
  action: { risk: 'moderate', idempotent: false },
}

/**
 * Define a tool.
 *
 *     const refund = defineTool({
 *       name: 'refund', description: 'Pay an order back.', category: 'action',
 *       inputSchema: z.object({ order: z.string() }),
 *       execute: ({ order }, context: ToolContext<Services>) => context.services.shop.refund(order),
 *     })
 *
 * Types come from the schemas: callers give the input schema's input, the handler gets its
 * output, and what the handler returns is held to the output schema. With plain JSON Schema
 * the input is `unknown` unless the handler's parameter, or a type argument, says more.
 *
 * The schema's own parser judges the arguments: coercions happen, and messages are told as
 * written. Arguments it does not know are refused at every depth, never dropped in silence.
 *
 * Left out, the version is 1.0.0, the category `utility`, the summary the first sentence of the
 * description; retrieval and utility tools are safe and idempotent, actions moderate and not.
 * Throws `TOOL_INVALID` naming the field, or one of the `SCHEMA_` codes.
 */
export const defineTool: DefineTool = ((spec: LooseSpec): Tool => {
  const {
    inputSchema = NO_ARGUMENTS,
    outputSchema,
    execute,
    extract,
    timeoutMs,
    retries,
    ...fields
  } = spec
  checkFunctions(spec)
  const { category = 'utility', description } = fields
  return makeTool({
    fields: {
      version: '1.0.0',
      category,
      phrases: [],
      related: [],
      summary: typeof description === 'string' ? firstSentence(description) : undefined,
      requiresConfirmation: false,
      ...(Object.hasOwn(BY_CATEGORY, category) ? BY_CATEGORY[category] : BY_CATEGORY.action),
      ...present(fields),
    },
    inputSchema,
    outputSchema,
    functions: present({ execute, extract, timeoutMs, retries }),
  })
}) as DefineTool

const NO_ARGUMENTS: SchemaSource = { type: 'object', properties: {}, additionalProperties: false }

/** What the schema of a definition cannot say, since functions are not part of it. */
function checkFunctions(spec: LooseSpec): void {
  const { name, execute, extract, extraction, timeoutMs, retries } = spec
  const wrong = (field: string, what: string, hint: string) =>
    new WorkspaceError('TOOL_INVALID', `Tool "${String(name)}", field "${field}": ${what}.`, {
      facts: { tool: name, field },
      hint,
    })
  if (extract !== undefined && extraction !== undefined) {
    throw wrong('extract', 'entities are extracted by schema and by function', 'Keep one of them.')
  }
  for (const [field, value] of Object.entries({ execute, extract })) {
    if (value !== undefined && typeof value !== 'function') {
      throw wrong(field, 'must be a function', `Leave "${field}" out for a tool without one.`)
    }
  }
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs > 0)) {
    throw wrong('timeoutMs', 'must be a whole number of milliseconds', 'Use at least 1.')
  }
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) {
    throw wrong('retries', 'must be a whole number', 'Use 0 for a tool that is never tried again.')
  }
}

function present<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** What an author may say about a tool beside its schemas and handler; see `ToolDefinition`. */
export type ToolFields = Pick<ToolDefinition, 'name' | 'description'> &
  Partial<Omit<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema'>> & {
    /** Time limit of one call in milliseconds; the session's limit when absent. */
    readonly timeoutMs?: number
    /** How often a call may be tried again; see `Tool`. */
    readonly retries?: number
  }

/** A tool whose types come from its schemas. Without `inputSchema` it takes no arguments. */
export type TypedToolSpec<In, Out, Context, Result, Background> = ToolFields & {
  readonly background?: Background
  readonly inputSchema?: In
  readonly outputSchema?: Out
  execute?(input: HandlerInput<In>, context: Context): Result
  extract?(data: ResultData<Out, Result>): ReturnType<NonNullable<Tool['extract']>>
}

/** A tool described by plain JSON Schema; its types are given, or `unknown`. */
export type PlainToolSpec<Input, Output, Context> = ToolFields & {
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  execute?(
    input: Input,
    context: Context,
  ): HandlerResult<Output> | Promise<HandlerResult<Output>> | StreamedResult<Output>
  extract?(data: Output): ReturnType<NonNullable<Tool['extract']>>
}

type NoArguments = Readonly<Record<string, never>>

/** What a caller passes to a tool with this input schema. */
export type CallInput<In> = In extends TypedSchema ? SchemaInput<In> : NoArguments

/** What the handler gets: the input once parsed. */
type HandlerInput<In> = In extends TypedSchema ? SchemaOutput<In> : NoArguments

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
type ResultData<Out, Result> = Out extends TypedSchema
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
interface DefineTool {
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
