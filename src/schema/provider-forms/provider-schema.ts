import type { JsonSchema } from '../../kernel/json-value.ts'
import { geminiSchema } from './gemini-schema.ts'
import { plainTop } from './plain-top.ts'
import { LossList, type SchemaLoss } from './schema-loss.ts'
import { strictSchema } from './strict-schema.ts'
import { shownSchema } from '../interpreter/shown-schema.ts'
import { keywordValue } from '../interpreter/subschemas.ts'

/** The forms of a tool's arguments. `gemini` is its native `Schema`, with types in capitals. */
export const SCHEMA_PROVIDERS = ['openai', 'openai-strict', 'gemini', 'anthropic', 'mcp'] as const

export type Provider = (typeof SCHEMA_PROVIDERS)[number]

/** The arguments of a tool in the form of one provider. */
export interface ProviderSchema {
  readonly schema: JsonSchema
  /** Keywords that this form cannot express; empty if it expresses everything. */
  readonly losses: readonly SchemaLoss[]
}

/** Keywords that are not allowed at the top, where arguments are always an object. */
const REFUSED_AT_TOP = { openai: ['enum', 'not'], anthropic: [] } as const

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', '$ref']

/**
 * Converts the canonical input schema of a tool. Pure and total: every checked schema gives a result that
 * can be sent, with a list of all lost keywords. MCP accepts JSON Schema completely. Hidden characters in
 * descriptions are shown.
 */
export function providerSchema(schema: JsonSchema, provider: Provider): ProviderSchema {
  const losses = new LossList()
  const converted = convert(shownSchema(schema), provider, losses)
  return { schema: converted, losses: losses.list }
}

function convert(schema: JsonSchema, provider: Provider, losses: LossList): JsonSchema {
  switch (provider) {
    case 'openai':
    case 'anthropic': {
      const refused = REFUSED_AT_TOP[provider]
      const isPlain = [...COMBINATORS, ...refused].every(
        (one) => keywordValue(schema, one) === undefined,
      )
      return isPlain ? schema : plainTop(schema, refused, losses)
    }
    case 'openai-strict':
      return strictSchema(schema, losses)
    case 'gemini':
      return geminiSchema(schema, losses)
    case 'mcp':
      return schema
  }
}
