import type { JsonSchema } from '../../../kernel/json.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { RiskLevel, Tool, ToolCategory } from '../../../tools/definition/tool.ts'
import type { MetaHost } from './meta-host.ts'
import type { MetaToolName } from './meta-tool-name.ts'

interface MetaToolSpec<Input> {
  readonly name: MetaToolName
  readonly description: string
  /** Arguments by name, as advertised; what they say may follow from `loadable` and `variant` only. */
  readonly arguments: Readonly<Record<string, JsonSchema>>
  /** Those that may be left out. */
  readonly optional?: readonly string[]
  /** What is taken for an argument; a text that is not empty unless told otherwise. */
  readonly accepted?: Readonly<Record<string, JsonSchema>>
  readonly output?: JsonSchema
  /** `utility` when absent. */
  readonly category?: ToolCategory
  readonly risk?: RiskLevel
  readonly requiresConfirmation?: boolean
  /** The limit of a call in milliseconds, when it is not that of all calls. */
  readonly timeoutMs?: number
  /** What else the definition follows from. */
  readonly variant?: string
  run(input: Input, context: ToolContext): unknown
}

/** Definitions by the skills they name: the sessions of an agent share them, and bind handlers. */
const definitions = new WeakMap<MetaHost['loadable'], Map<string, Tool>>()

/**
 * A meta-tool. What is taken is wider than what is advertised: a text whatever enum there is, so
 * that a display name or a near miss gets an answer instead of a schema error.
 */
export function metaTool<Input = Readonly<Record<string, string>>>(
  { loadable }: Pick<MetaHost, 'loadable'>,
  { run, timeoutMs, variant = '', ...spec }: MetaToolSpec<Input>,
): Tool {
  const known = definitions.get(loadable) ?? new Map<string, Tool>()
  definitions.set(loadable, known)
  const key = `${spec.name} ${variant}`
  const definition = known.get(key) ?? define(spec)
  known.set(key, definition)
  return Object.freeze({
    ...definition,
    run: run as NonNullable<Tool['run']>,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

function define({
  name,
  description,
  arguments: advertised,
  optional = [],
  accepted = {},
  output,
  ...traits
}: Omit<MetaToolSpec<never>, 'run' | 'timeoutMs' | 'variant'>): Tool {
  const schema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((key) => !optional.includes(key)),
    additionalProperties: false,
  })
  const text = { type: 'string', minLength: 1 }
  const wide = Object.fromEntries(
    Object.keys(advertised).map((key) => [key, accepted[key] ?? text]),
  )
  const shared = {
    name,
    description,
    category: 'utility',
    topic: 'skills',
    ...traits,
    ...(output !== undefined && { output }),
  } as const
  const tool = defineTool({ ...shared, input: schema(advertised) })
  const { parseInput } = defineTool({ ...shared, input: schema(wide) })
  return { ...tool, parseInput }
}
