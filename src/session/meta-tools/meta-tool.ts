import type { JsonSchema } from '../../kernel/json.ts'
import { defineTool } from '../../registry/define-tool.ts'
import type { ToolContext } from '../../registry/tool-context.ts'
import type { Tool } from '../../registry/tool.ts'
import type { MetaHost } from './meta-host.ts'
import type { MetaToolName } from './meta-tool-name.ts'

interface MetaToolSpec {
  readonly name: MetaToolName
  readonly description: string
  /** Text arguments by name, all of them required; what they say may follow from `loadable` only. */
  readonly arguments: Readonly<Record<string, JsonSchema>>
  run(input: Readonly<Record<string, string>>, context: ToolContext): unknown
}

/** Definitions by the skills they name: the sessions of an agent share them, and bind handlers. */
const definitions = new WeakMap<MetaHost['loadable'], Map<MetaToolName, Tool>>()

/**
 * A meta-tool: every argument is a text, and is taken as one whatever enum is advertised, so
 * that a display name or a near miss gets an answer instead of a schema error.
 */
export function metaTool({ loadable }: MetaHost, { run, ...spec }: MetaToolSpec): Tool {
  const known = definitions.get(loadable) ?? new Map<MetaToolName, Tool>()
  definitions.set(loadable, known)
  const definition = known.get(spec.name) ?? define(spec)
  known.set(spec.name, definition)
  return Object.freeze({ ...definition, run: run as NonNullable<Tool['run']> })
}

function define({ name, description, arguments: properties }: Omit<MetaToolSpec, 'run'>): Tool {
  const schema = (members: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
    type: 'object',
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  })
  const bare = Object.fromEntries(
    Object.keys(properties).map((key) => [key, { type: 'string', minLength: 1 }]),
  )
  const shared = { name, description, category: 'utility', topic: 'skills' } as const
  const advertised = defineTool({ ...shared, input: schema(properties) })
  const { parseInput } = defineTool({ ...shared, input: schema(bare) })
  return { ...advertised, parseInput }
}
