import type { JsonValue } from '../kernel/json.ts'
import { defineTool } from '../tools/define-tool.ts'
import type { TypedSchema } from '../tools/schema/schema-source.ts'
import type { ToolContext } from '../tools/definition/tool-context.ts'
import type {
  AllowedResult,
  AnswerData,
  CallInput,
  PlainToolSpec,
  TypedToolSpec,
} from '../tools/tool-spec.ts'
import type { Tool } from '../tools/definition/tool.ts'

/** What the handler of a component's tool gets: its state is always there. */
export interface ComponentToolContext<State extends JsonValue, S = unknown> extends ToolContext<
  S,
  State
> {
  readonly state: State
}

/** `defineTool` for the tools of one component: handlers know the type of its state. */
export interface DefineComponentTool<State extends JsonValue> {
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
export function componentTool<State extends JsonValue>(): DefineComponentTool<State> {
  return defineTool as unknown as DefineComponentTool<State>
}
