import type { JsonSchema } from '../../kernel/json.ts'
import { shownSchema } from '../schema/shown-schema.ts'
import { geminiSchema } from './gemini-schema.ts'
import { LossList } from './loss-list.ts'
import { plainTop } from './plain-top.ts'
import type { Provider } from './provider.ts'
import type { SchemaLoss } from './schema-loss.ts'
import { own } from '../schema/members.ts'
import { strictSchema } from './strict-schema.ts'

/** The arguments of a tool as one provider takes them. */
export interface ProviderSchema {
  readonly schema: JsonSchema
  /** Every keyword it cannot carry; empty when the whole meaning arrives. */
  readonly losses: readonly SchemaLoss[]
}

/** What may not stand at the top, where arguments are always an object. */
const REFUSED_AT_TOP = { openai: ['enum', 'not'], anthropic: [] } as const
const COMBINATORS = ['allOf', 'anyOf', 'oneOf', '$ref']

/**
 * Convert the canonical input schema of a tool. Pure and total: whatever a checked schema holds, the
 * result can be sent, and every keyword lost on the way is listed. MCP carries JSON Schema whole. What a
 * reader would not see in its descriptions is shown.
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
      const isPlain = [...COMBINATORS, ...refused].every((one) => own(schema, one) === undefined)
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
