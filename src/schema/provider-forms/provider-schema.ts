import type { JsonSchema } from '../../kernel/json-value.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { describePatterns } from './describe-keywords.ts'
import { geminiJsonSchema, geminiSchema } from './gemini-schema.ts'
import { plainTop } from './plain-top.ts'
import { sentKeys, withSentKeys } from './sent-keys.ts'
import { LossList, type SchemaLoss } from './schema-loss.ts'
import { strictSchema } from './strict-schema.ts'
import { shownSchema } from '../interpreter/shown-schema.ts'
import { keywordValue, mapSubschemas, typesOf } from '../interpreter/subschemas.ts'

/** The forms of a tool's arguments. `gemini` is its native `Schema`, with types in capitals. */
export const SCHEMA_PROVIDERS = ['openai', 'openai-strict', 'gemini', 'anthropic', 'mcp'] as const

export type Provider = (typeof SCHEMA_PROVIDERS)[number]

/** The forms of a tool's arguments, with `gemini-json`: JSON Schema in the keywords that Gemini documents. */
export type SchemaForm = Provider | 'gemini-json'

/** The arguments of a tool in the form of one provider. */
export interface ProviderSchema {
  readonly schema: JsonSchema
  /** Keywords that this form cannot express; empty if it expresses everything. */
  readonly losses: readonly SchemaLoss[]
}

/** Keywords that OpenAI refuses at the top, where arguments are always an object. */
const REFUSED_AT_TOP = ['enum', 'not'] as const

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', '$ref']

const memo = identityMemo<ProviderSchema>()

/**
 * Converts the canonical input schema of a tool. Pure and total: every checked schema gives a result that
 * can be sent, with a list of all lost keywords and of the keys that are sent under other names: arguments come back
 * under their own keys by `ownArguments`. MCP accepts JSON Schema completely. Hidden characters in
 * descriptions are shown.
 */
export function providerSchema(schema: JsonSchema, provider: SchemaForm): ProviderSchema {
  return memo([schema], provider, () => {
    const losses = new LossList()
    const converted = convert(shownSchema(schema), provider, losses)
    const keys = sentKeys(schema, provider)
    for (const [own, sent] of keys) losses.add('', own, 'renamed', `it is sent as "${sent}"`)
    return { schema: withSentKeys(converted, keys), losses: losses.list }
  })
}

function convert(schema: JsonSchema, provider: SchemaForm, losses: LossList): JsonSchema {
  switch (provider) {
    case 'openai':
    case 'anthropic':
      return describePatterns(completeSchema(withPlainTop(schema, losses)), losses)
    case 'gemini-json':
      return geminiJsonSchema(completeSchema(withPlainTop(schema, losses)))
    case 'openai-strict':
      return strictSchema(schema, losses)
    case 'gemini':
      return geminiSchema(schema, losses)
    case 'mcp':
      return schema
  }
}

function withPlainTop(schema: JsonSchema, losses: LossList): JsonSchema {
  const isPlain = [...COMBINATORS, ...REFUSED_AT_TOP].every(
    (one) => keywordValue(schema, one) === undefined,
  )
  return isPlain ? schema : plainTop(schema, REFUSED_AT_TOP, losses)
}

/**
 * Writes the keywords that providers miss, at any depth: `properties` of an object, `items` of a list, and `prefixItems`
 * instead of the list of schemas that older drafts have in `items`. No meaning changes. A schema that has them is returned
 * itself.
 */
function completeSchema(schema: JsonSchema): JsonSchema {
  let isSame = true
  const inside = mapSubschemas(schema, (child) => {
    const complete = completeSchema(child)
    isSame &&= complete === child
    return complete
  })
  const types = typesOf(schema)
  const items = keywordValue(schema, 'items')
  const added = {
    ...(types.includes('object') && !Object.hasOwn(schema, 'properties') && { properties: {} }),
    ...(types.includes('array') && items === undefined && { items: {} }),
  }
  if (!Array.isArray(items)) {
    return isSame && Object.keys(added).length === 0 ? schema : { ...inside, ...added }
  }
  const { items: prefixItems, additionalItems = {}, ...rest } = inside
  return { ...rest, ...added, prefixItems, items: additionalItems }
}
