import { WorkspaceError } from '../kernel/workspace-error.ts'
import { firstSentence } from '../kernel/first-sentence.ts'
import { makeTool } from './definition/make-tool.ts'
import type { SchemaSource } from './schema/schema-source.ts'
import type { DefineTool, ToolFields } from './tool-spec.ts'
import type { RiskLevel, Tool, ToolCategory } from './definition/tool.ts'

interface LooseSpec extends Partial<ToolFields> {
  readonly input?: SchemaSource
  readonly output?: SchemaSource
  readonly run?: NonNullable<Tool['run']>
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
 *       input: z.object({ order: z.string() }),
 *       run: ({ order }, context: ToolContext<Services>) => context.services.shop.refund(order),
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
  const { input = NO_ARGUMENTS, output, run, extract, timeoutMs, retries, ...fields } = spec
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
    input,
    output,
    functions: present({ run, extract, timeoutMs, retries }),
  })
}) as DefineTool

const NO_ARGUMENTS: SchemaSource = { type: 'object', properties: {}, additionalProperties: false }

/** What the schema of a definition cannot say, since functions are not part of it. */
function checkFunctions(spec: LooseSpec): void {
  const { name, run, extract, extraction, timeoutMs, retries } = spec
  const wrong = (field: string, what: string, hint: string) =>
    new WorkspaceError('TOOL_INVALID', `Tool "${String(name)}", field "${field}": ${what}.`, {
      facts: { tool: name, field },
      hint,
    })
  if (extract !== undefined && extraction !== undefined) {
    throw wrong('extract', 'entities are extracted by schema and by function', 'Keep one of them.')
  }
  for (const [field, value] of Object.entries({ run, extract })) {
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
