import { firstSentence } from '../kernel/first-sentence.ts'
import { checkFields, definitionError } from '../kernel/check-fields.ts'
import { type JsonSchema, withoutUndefined } from '../kernel/json-value.ts'
import { makeTool, TOOL } from './definition/make-tool.ts'
import type { CheckContext, RunningCall, ToolContext } from './definition/tool-context.ts'
import type {
  ConfirmationCondition,
  DefaultField,
  HandlerResult,
  RiskLevel,
  StreamedResult,
  Tool,
  ToolCategory,
  ToolDefinition,
} from './definition/tool.ts'
import type { HandlerFailure, HandlerSuccess } from './response/tool-response.ts'
import type { UnknownArguments } from '../schema/interpreter/read-schema.ts'
import type {
  SchemaInput,
  SchemaOutput,
  SchemaSource,
  TypedSchema,
} from '../schema/interpreter/schema-source.ts'

/** A definition without its types. */
interface LooseSpec extends Partial<Omit<ToolFields, 'requiresConfirmation'>> {
  readonly requiresConfirmation?: boolean | NonNullable<Tool['confirms']>
  readonly inputSchema?: SchemaSource
  readonly outputSchema?: SchemaSource
  readonly execute?: NonNullable<Tool['execute']>
  readonly client?: true
  readonly extract?: NonNullable<Tool['extract']>
  readonly paths?: NonNullable<Tool['paths']>
  readonly preview?: NonNullable<Tool['preview']>
}

/** The fields of an action that a tool without a category has, unless it says otherwise. */
const BY_DEFAULT: readonly DefaultField[] = ['category', 'risk', 'idempotent']

/** Defaults of each category. */
const BY_CATEGORY: Readonly<
  Record<ToolCategory, { readonly risk: RiskLevel; readonly idempotent: boolean }>
> = {
  retrieval: { risk: 'safe', idempotent: true },
  utility: { risk: 'safe', idempotent: true },
  action: { risk: 'moderate', idempotent: false },
}

/**
 * Defines a tool.
 *
 *     const refund = defineTool({
 *       name: 'refund', description: 'Pay an order back.', category: 'action',
 *       inputSchema: z.object({ order: z.string() }),
 *       execute: ({ order }, context: ToolContext<Services>) => context.services.shop.refund(order),
 *     })
 *
 * Types come from the schemas: callers pass the input of `inputSchema`, the handler gets its output, and
 * the handler's result is checked with `outputSchema`. With plain JSON Schema the input is `unknown`, unless
 * the handler's parameter or a type argument has a type.
 *
 * The schema's own parser checks the arguments: it may coerce them, and its messages are used unchanged.
 * Unknown arguments are refused at every depth, and never dropped silently. With `unknownArguments: 'strip'` they are
 * left out, and the result's `meta.warnings` names them.
 *
 * `requiresConfirmation` may be a condition: a function of the arguments that decides whether a person is asked before
 * that call.
 *
 * By default, the version is 1.0.0, and the summary the first sentence of the description. A tool without a
 * category is an action. Retrieval and utility tools are safe and idempotent, unless they say otherwise; actions
 * are of moderate risk and not idempotent, so they are never retried. A person is asked before a model calls a
 * destructive tool, unless a rule of the host allows it.
 * A tool without `execute` is unbound: it can be listed and not called. With `client: true` its calls are answered
 * outside, such as by a form in the host's UI. Throws `TOOL_INVALID`, which names
 * the field, or one of the `SCHEMA_` codes.
 */
export const defineTool: DefineTool = ((spec: LooseSpec): Tool => {
  checkFields(spec, TOOL)
  checkFunctions(spec)
  const {
    inputSchema = NO_ARGUMENTS,
    outputSchema,
    execute,
    client,
    extract,
    paths,
    preview,
    timeoutMs,
    resultTokens,
    repairArguments,
    retries,
    requiresConfirmation = false,
    unknownArguments,
    ...fields
  } = spec
  const { category, description } = fields
  const isConditional = typeof requiresConfirmation === 'function'
  return makeTool({
    fields: {
      version: '1.0.0',
      phrases: [],
      related: [],
      summary: typeof description === 'string' ? firstSentence(description) : undefined,
      requiresConfirmation: isConditional || requiresConfirmation,
      ...(category === undefined
        ? { byDefault: BY_DEFAULT.filter((field) => fields[field] === undefined) }
        : Object.hasOwn(BY_CATEGORY, category)
          ? BY_CATEGORY[category]
          : BY_CATEGORY.action),
      ...withoutUndefined(fields),
    },
    inputSchema,
    outputSchema,
    functions: withoutUndefined({
      execute,
      client,
      extract,
      paths,
      preview,
      timeoutMs,
      resultTokens,
      repairArguments,
      retries,
      confirms: isConditional ? requiresConfirmation : undefined,
    }),
    unknownArguments,
  })
}) as DefineTool

const NO_ARGUMENTS: SchemaSource = { type: 'object', properties: {}, additionalProperties: false }

/** Checks the fields that are not part of the stored definition: functions and limits of calls. */
function checkFunctions(spec: LooseSpec): void {
  const { execute, client, extract, paths, preview, extraction, timeoutMs, retries } = spec
  const { unknownArguments, resultTokens = 1, repairArguments = false } = spec
  const wrong = (field: string, what: string, hint: string) =>
    definitionError(spec, field, what, TOOL, hint)
  if (extract !== undefined && extraction !== undefined) {
    throw wrong('extract', 'cannot be used together with "extraction"', 'Keep one of them.')
  }
  if (client !== undefined && (client !== true || execute !== undefined)) {
    const what = 'must be true, for a tool without "execute"'
    throw wrong('client', what, 'Leave it out for a tool with a handler.')
  }
  for (const [field, value] of Object.entries({ execute, extract, paths, preview })) {
    if (value !== undefined && typeof value !== 'function') {
      throw wrong(field, 'must be a function', `Leave "${field}" out for a tool without it.`)
    }
  }
  const isTime = timeoutMs === Infinity || Number.isInteger(timeoutMs)
  if (timeoutMs !== undefined && !(isTime && timeoutMs > 0)) {
    const hint = 'Use at least 1, or Infinity for no limit.'
    throw wrong('timeoutMs', 'must be a whole number of milliseconds', hint)
  }
  if (!(resultTokens > 0)) {
    throw wrong('resultTokens', 'must be tokens, more than 0', 'Use Infinity for no limit.')
  }
  if (typeof repairArguments !== 'boolean') {
    throw wrong('repairArguments', 'must be true or false', 'Leave it out for that of the session.')
  }
  if (!['refuse', 'strip', undefined].includes(unknownArguments)) {
    throw wrong('unknownArguments', 'must be "refuse" or "strip"', 'Leave it out to refuse them.')
  }
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) {
    throw wrong('retries', 'must be a whole number', 'Use 0 for a tool that is never retried.')
  }
}

/** The fields of a tool except its schemas and functions; see `ToolDefinition`. */
export type ToolFields = Pick<ToolDefinition, 'name' | 'description'> &
  Partial<
    Omit<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema' | 'byDefault'>
  > & {
    /** The time limit of one call in milliseconds, `Infinity` for none; by default, the limit of the session. */
    readonly timeoutMs?: number
    /** Tokens that a model reads of one result, `Infinity` for all; by default, the limit of the session. */
    readonly resultTokens?: number
    /** True or false for a tool whose arguments are repaired, or not, whatever the session does; see `WorkspaceOptions`. */
    readonly repairArguments?: boolean
    /** Retries of one call; see `Tool`. */
    readonly retries?: number
    /** The treatment of arguments that the input schema does not know: refused by default. */
    readonly unknownArguments?: UnknownArguments
    /** True for a tool whose calls are answered outside; it has no `execute`. */
    readonly client?: true
  }

type SpecFields = Omit<ToolFields, 'requiresConfirmation'>

/** Asked about always, never, or by a condition. */
type Confirmed<Input, Context> =
  | boolean
  | ConfirmationCondition<Input, Context extends ToolContext<infer Services> ? Services : unknown>

/** A tool whose types come from its schemas. Without `inputSchema` it takes no arguments. */
export type TypedToolSpec<In, Out, Context, Result, Background> = SpecFields & {
  readonly requiresConfirmation?: Confirmed<HandlerInput<In>, Context>
  readonly background?: Background
  readonly inputSchema?: In
  readonly outputSchema?: Out
  execute?(input: HandlerInput<In>, context: Context): Result
  extract?(data: ResultData<Out, Result>): ReturnType<NonNullable<Tool['extract']>>
  paths?(input: HandlerInput<In>): ReturnType<NonNullable<Tool['paths']>>
  preview?(input: HandlerInput<In>, context: CheckOf<Context>): ReturnType<Previewer>
}

/** A tool with plain JSON Schemas. Its types are given, or else `unknown`. */
export type PlainToolSpec<Input, Output, Context> = SpecFields & {
  readonly requiresConfirmation?: Confirmed<Input, Context>
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  execute?(
    input: Input,
    context: Context,
  ): HandlerResult<Output> | Promise<HandlerResult<Output>> | StreamedResult<Output>
  extract?(data: Output): ReturnType<NonNullable<Tool['extract']>>
  paths?(input: Input): ReturnType<NonNullable<Tool['paths']>>
  preview?(input: Input, context: CheckOf<Context>): ReturnType<Previewer>
}

type Previewer = NonNullable<Tool['preview']>

type CheckOf<Context> = CheckContext<
  Context extends ToolContext<infer Services> ? Services : unknown
>

type NoArguments = Readonly<Record<string, never>>

/** The arguments that callers pass to a tool with this input schema. */
export type CallInput<In> = In extends TypedSchema ? SchemaInput<In> : NoArguments

/** The arguments that the handler gets: the parsed input. */
type HandlerInput<In> = In extends TypedSchema ? SchemaOutput<In> : NoArguments

/** The values that a handler may return: any value, unless there is an output schema. */
export type AllowedResult<Out> = Out extends TypedSchema
  ? | HandlerResult<SchemaInput<Out>>
    | Promise<HandlerResult<SchemaInput<Out>>>
    | StreamedResult<SchemaInput<Out>>
  : unknown

/** The data of a call's result: the data of the handler, unless the call runs in the background. */
export type AnswerData<Out, Result, Background> = Background extends true
  ? RunningCall
  : ResultData<Out, Result>

/** The data after parsing with the output schema, or else the data of the handler. */
type ResultData<Out, Result> = Out extends TypedSchema
  ? SchemaOutput<Out>
  : DataOf<ResultOf<Awaited<Result>>>

/** The result of a stream: its returned value, or else the last one that it yields. */
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
