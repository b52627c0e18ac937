import { z } from 'zod'
import { canonicalJson } from '../kernel/canonical-json.ts'
import { deepFreeze, type JsonValue } from '../kernel/json-value.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import {
  type AllowedResult,
  type AnswerData,
  type CallInput,
  defineTool,
  type PlainToolSpec,
  type TypedToolSpec,
} from '../tools/define-tool.ts'
import { toolName } from '../tools/definition/parse-tool-reference.ts'
import type { ToolContext } from '../tools/definition/tool-context.ts'
import type { Tool } from '../tools/definition/tool.ts'
import type { TypedSchema } from '../tools/schema/schema-source.ts'

/** What a component shows the model: plain data, drawn by whoever reads it. */
export interface Panel {
  readonly title: string
  readonly lines: readonly string[]
}

/** A part of the workspace with state of its own, tools that act on it, and a panel. */
export interface ToolComponent<State extends JsonValue = JsonValue> {
  readonly key: string
  readonly displayName: string
  readonly description: string
  /** The state of a new session. */
  readonly initialState: State
  /** Its handlers reach the state through `context.state` and `context.update`. */
  readonly tools: readonly Tool[]
  /** What the model reads of the state. Must be pure: replay shows the same panel. */
  panel(state: State): Panel
  /** What leaves with an export; the state itself by default. */
  exportState(state: State): JsonValue
  /** The state from an export; throws when it is not one. */
  restoreState(exported: JsonValue): State
}

/** What an author says about a component; `ToolComponent` has what each member means. */
export interface ComponentSpec<State extends JsonValue> {
  readonly key: string
  readonly displayName?: string
  readonly description?: string
  readonly initialState: State
  /** A list, or a function that gets `defineTool` with the state's type in its handlers. */
  readonly tools: readonly Tool[] | ((tool: DefineComponentTool<State>) => readonly Tool[])
  panel(state: State): Panel
  exportState?(state: State): JsonValue
  restoreState?(exported: JsonValue): State
}

const aFunction = z.custom((value) => typeof value === 'function', 'must be a function')

const fields = z.strictObject({
  key: toolName,
  displayName: z.string().min(1).optional(),
  description: z.string().optional(),
  initialState: z.unknown().refine((state) => state !== undefined, 'is missing'),
  tools: z.union(
    [z.array(z.unknown()), aFunction],
    'must be a list of tools, or a function that makes one',
  ),
  panel: aFunction,
  exportState: aFunction.optional(),
  restoreState: aFunction.optional(),
})

/**
 * Define a component: state of its own, tools that act on it, and a panel the model reads.
 *
 *     const notes = defineComponent({
 *       key: 'notes',
 *       initialState: { lines: [] as readonly string[] },
 *       tools: (tool) => [tool({
 *         name: 'add_note', description: 'Keep a note.', inputSchema: z.object({ text: z.string() }),
 *         execute: ({ text }, context) =>
 *           context.update(({ lines }) => ({ lines: [...lines, text] })),
 *       })],
 *       panel: ({ lines }) => ({ title: 'Notes', lines }),
 *     })
 *
 * The state is JSON: a `type` alias, not an `interface`, which TypeScript keeps open. It is
 * frozen, so a handler replaces it and cannot change it in place. An export is the state
 * itself, and restoring takes any JSON, unless the component says otherwise.
 * Throws `COMPONENT_INVALID`, which names the field.
 */
export function defineComponent<State extends JsonValue>(
  spec: ComponentSpec<State>,
): ToolComponent<State> {
  const result = fields.safeParse(spec)
  if (!result.success) {
    const [issue] = result.error.issues
    throw invalid(spec.key, issue?.path.join('.') ?? '', issue?.message ?? 'is wrong')
  }
  const { key, displayName = key, description = '', tools } = spec
  const list = typeof tools === 'function' ? tools(componentTool<State>()) : tools
  const names = list.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(key, 'tools', `"${twice}" is in it twice`)
  const exporter = spec.exportState?.bind(spec)
  const restorer = spec.restoreState?.bind(spec)
  return Object.freeze({
    key,
    displayName,
    description,
    initialState: jsonClone(spec.initialState, key, 'initialState'),
    tools: Object.freeze([...list]),
    panel: spec.panel.bind(spec),
    exportState: exporter ?? ((state: State) => state),
    restoreState: (exported: JsonValue) =>
      jsonClone(
        restorer === undefined ? exported : restorer(exported),
        key,
        'restoreState',
      ) as State,
  })
}

/** A frozen copy, which also proves that the state can be logged. */
function jsonClone<T extends JsonValue>(state: T, key: string, field: string): T {
  try {
    return deepFreeze(JSON.parse(canonicalJson(state)) as T)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw invalid(key, field, `the log keeps state as JSON; ${reason}`)
  }
}

function invalid(component: string, field: string, what: string): WorkspaceError {
  return new WorkspaceError(
    'COMPONENT_INVALID',
    `Component "${component}", field "${field}": ${what}.`,
    { facts: { component, field }, hint: 'See ComponentSpec for what each field takes.' },
  )
}

/** What the handler of a component's tool gets: its state is always there. */
export interface ComponentToolContext<State extends JsonValue, S = unknown> extends ToolContext<
  S,
  State
> {
  readonly state: State
}

/** `defineTool` for the tools of one component: handlers know the type of its state. */
interface DefineComponentTool<State extends JsonValue> {
  <
    In extends TypedSchema | undefined = undefined,
    Out extends TypedSchema | undefined = undefined,
    S = unknown,
    Result extends AllowedResult<Out> = AllowedResult<Out>,
    Background extends boolean = false,
  >(
    spec: TypedToolSpec<In, Out, ComponentToolContext<State, S>, Result, Background>,
  ): Tool<CallInput<In>, AnswerData<Out, Result, Background>, S>
  <Input = unknown, Output = unknown, S = unknown>(
    spec: PlainToolSpec<Input, Output, ComponentToolContext<State, S>>,
  ): Tool<Input, Output, S>
}

/** The same function under the type of one component's state, which only the host can promise. */
function componentTool<State extends JsonValue>(): DefineComponentTool<State> {
  return defineTool as unknown as DefineComponentTool<State>
}
