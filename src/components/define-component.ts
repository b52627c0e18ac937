import * as z from 'zod'
import { canonicalJson } from '../kernel/canonical-json.ts'
import {
  checkFields,
  checkParsed,
  definitionError,
  type FieldRules,
} from '../kernel/check-fields.ts'
import { deepFreeze, isObject, type JsonValue } from '../kernel/json-value.ts'
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
import type { TypedSchema } from '../schema/interpreter/schema-source.ts'

/** The panel of a component, which the model reads: plain data without a form. */
export interface Panel {
  readonly title: string
  readonly lines: readonly string[]
}

/** A part of the workspace with its own state, tools that act on it, and a panel. */
export interface ToolComponent<State extends JsonValue = JsonValue> {
  readonly key: string
  readonly displayName: string
  readonly description: string
  /** Panels with a lower number come first; 0 by default, and then in the order of registration. */
  readonly priority: number
  /** The state of a new session. */
  readonly initialState: State
  /** Handlers read and change the state with `context.state` and `context.update`. */
  readonly tools: readonly Tool[]
  /** Returns the panel that the model reads. Must be pure, so that a replay shows the same panel. */
  panel(state: State): Panel
  /** Returns the state in the form of an export; the state itself by default. */
  exportState(state: State): JsonValue
  /** Restores the state from an export. Throws if the value is not an export. */
  restoreState(exported: JsonValue): State
}

/** The definition of a component. `ToolComponent` describes each member. */
export interface ComponentSpec<State extends JsonValue> {
  readonly key: string
  readonly displayName?: string
  readonly description?: string
  readonly priority?: number
  readonly initialState: State
  /** A list, or a function that gets a `defineTool` whose handlers know the type of the state. */
  readonly tools: readonly Tool[] | ((tool: DefineComponentTool<State>) => readonly Tool[])
  panel(state: State): Panel
  exportState?(state: State): JsonValue
  restoreState?(exported: JsonValue): State
}

const aFunction = z.custom((value) => typeof value === 'function', 'must be a function')

const componentSchema = z.object({
  key: toolName,
  displayName: z.string().min(1).optional(),
  description: z.string().optional(),
  priority: z.number('must be a number').optional(),
  initialState: z.unknown().refine((state) => state !== undefined, 'is missing'),
  tools: z.union(
    [z.array(z.unknown()), aFunction],
    'must be a list of tools, or a function that makes one',
  ),
  panel: aFunction,
  exportState: aFunction.optional(),
  restoreState: aFunction.optional(),
})

const COMPONENT: FieldRules = {
  kind: 'a component',
  subject: 'Component',
  code: 'COMPONENT_INVALID',
  name: { field: 'key', fact: 'component' },
  fields: Object.keys(componentSchema.shape),
  synonyms: {
    name: 'key',
    id: 'key',
    title: 'displayName',
    state: 'initialState',
    render: 'panel',
  },
  hint: 'See ComponentSpec for the values of each field.',
}

/**
 * Defines a component: its own state, tools that act on it, and a panel that the model reads.
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
 * The state is JSON. Its type must be a `type` alias, because TypeScript does not accept an `interface` as
 * JSON. The state is frozen: a handler replaces it and cannot change it in place. By default an export is
 * the state itself, and restoring accepts any JSON.
 * Throws `COMPONENT_INVALID`, which names the field.
 */
export function defineComponent<State extends JsonValue>(
  spec: ComponentSpec<State>,
): ToolComponent<State> {
  checkFields(spec, COMPONENT)
  checkParsed(spec, componentSchema.safeParse(spec), COMPONENT)
  const { key, displayName = key, description = '', priority = 0, tools } = spec
  // The host guarantees the type of the state.
  const componentTool = defineTool as unknown as DefineComponentTool<State>
  const list = typeof tools === 'function' ? tools(componentTool) : tools
  const names = list.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw definitionError(spec, 'tools', `"${twice}" is in it twice`, COMPONENT)
  }
  const exporter = spec.exportState?.bind(spec)
  const restorer = spec.restoreState?.bind(spec)
  return Object.freeze({
    key,
    displayName,
    description,
    priority,
    initialState: jsonClone(spec.initialState, spec, 'initialState'),
    tools: Object.freeze([...list]),
    panel: spec.panel.bind(spec),
    exportState: exporter ?? ((state: State) => state),
    restoreState: (exported: JsonValue) =>
      jsonClone(
        restorer === undefined ? exported : restorer(exported),
        spec,
        'restoreState',
      ) as State,
  })
}

/** Copies and freezes a state. Throws if the state is not JSON, since the log could not store it. */
function jsonClone<T extends JsonValue>(state: T, spec: object, field: string): T {
  try {
    return deepFreeze(JSON.parse(canonicalJson(state)) as T)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw definitionError(spec, field, `the log stores state as JSON; ${reason}`, COMPONENT)
  }
}

/** The context of the handlers of a component's tools, which always has a state. */
export interface ComponentToolContext<State extends JsonValue, S = unknown> extends ToolContext<
  S,
  State
> {
  readonly state: State
}

/** The signature of `defineTool` for the tools of a component: handlers know the type of its state. */
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

/** Throws `COMPONENT_INVALID` for a value that `defineComponent` did not make. */
export function assertComponent(value: unknown): asserts value is ToolComponent {
  if (isObject(value) && typeof value['key'] === 'string' && Array.isArray(value['tools'])) return
  throw new WorkspaceError('COMPONENT_INVALID', 'A value is not a component.', {
    hint: 'Make it with defineComponent.',
  })
}
