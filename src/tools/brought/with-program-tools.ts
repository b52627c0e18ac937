import type { AiSdkTool } from '../definition/ai-sdk-tool.ts'
import type { ToolContext } from '../definition/tool-context.ts'
import { providerName } from '../../schema/provider-forms/provider-name.ts'
import { shownSchema } from '../../schema/interpreter/shown-schema.ts'

/**
 * Returns a tool of the AI SDK that runs programs, such as code mode, with a description that never changes and an
 * `execute` whose programs call the tools of the workspace. Returns other tools unchanged.
 *
 * The calls of a program are calls within its call: the gate judges each as a call of the model. A program has exactly
 * the tools that the model can call at that time. Their definitions are in the request, so the description of
 * the tool has one example instead of them, and stays the same when tools come and go.
 */
export function withProgramTools(tool: AiSdkTool): AiSdkTool {
  const { experimental_toolCaller: caller } = tool
  if (caller?.type !== 'local' || caller.bind === undefined) return tool
  const { bind, prepareModelMessage } = caller
  const refuse = () => Promise.reject(new Error(`"${EXAMPLE.name}" is only an example.`))
  const example = { [EXAMPLE.name]: programTool(EXAMPLE, refuse) } as Record<string, never>
  const bound = bind(example)
  const message = prepareModelMessage?.(example)
  const text = typeof bound.description === 'string' ? bound.description : ''
  return {
    ...bound,
    description: [text, message ?? ''].filter((one) => one !== '').join('\n\n'),
    execute: (input: unknown, options: object, context: ToolContext) =>
      bind(programTools(context) as Record<string, never>).execute?.(input, options),
  }
}

type ShownTool = ReturnType<ToolContext['callableTools']>[number]

const EXAMPLE: ShownTool = {
  name: 'name_of_a_tool',
  description:
    'Any tool that you can call yourself, under its own name and with its own arguments. Returns its data, and throws ' +
    'an error when the call is refused or fails.',
  inputSchema: { type: 'object', additionalProperties: true },
}

/** Returns the tools that a program can call, by the names that the model may know them by. */
function programTools(context: ToolContext): Readonly<Record<string, AiSdkTool>> {
  const tools = context.callableTools().flatMap((tool) => {
    const made = programTool(tool, async (input) => {
      const response = await context.callTool(tool.name, input)
      if (response.ok) return response.data
      // No error of a tool: the program goes on after it, and its own call is no question to a person.
      throw new Error(`${response.error.type}: ${response.error.message}`)
    })
    const names = new Set([tool.name, providerName(tool.name, 'openai')])
    return [...names].map((name) => [name, made] as const)
  })
  return Object.fromEntries(tools)
}

/** Makes a tool of the SDK. The gate checks arguments. */
function programTool(
  { description, inputSchema, outputSchema, inputExamples }: ShownTool,
  execute: (input: unknown) => Promise<unknown>,
): AiSdkTool {
  return {
    description,
    inputSchema: () => ({ jsonSchema: inputSchema }),
    ...(outputSchema && { outputSchema: () => ({ jsonSchema: shownSchema(outputSchema) }) }),
    ...(inputExamples && { inputExamples }),
    execute,
  }
}
