import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import {
  CLOSING_KEYWORDS,
  keywordValue,
  listOf,
  namedSchemas,
  schemaPlaces,
  typesOf,
} from '../interpreter/subschemas.ts'
import { REFUSED_PATTERN } from './describe-keywords.ts'
import type { Provider } from './provider-schema.ts'
import { LossList } from './schema-loss.ts'
import { STRICT_FORMATS, strictSchema } from './strict-schema.ts'

/** The place in a schema that a provider refuses in a strict tool, and the reason. */
interface StrictFault {
  /** A JSON Pointer; empty for the top. */
  readonly path: string
  /** The end of a sentence that begins with the place. */
  readonly reason: string
}

/**
 * Keywords that Anthropic does not take in a strict tool: "JSON Schema limitations" in its guide
 * platform.claude.com/docs/en/build-with-claude/structured-outputs.
 */
const REFUSED_BY_ANTHROPIC = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'prefixItems',
  'contains',
] as const

/** Returns why a provider refuses a schema in a strict tool; empty for a schema that is strict. */
export function strictFaults(schema: JsonSchema, provider: Provider): readonly StrictFault[] {
  const faults = [...schemaPlaces(schema)].flatMap(([path, one]) =>
    isObject(one) && isPlace(path)
      ? findFaults(one, provider).map((reason) => ({ path, reason }))
      : [],
  )
  if (provider === 'anthropic' || faults.length > 0) return faults
  const losses = new LossList()
  strictSchema(schema, losses)
  return losses.list
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(({ path, keyword }) => ({ path, reason: `has "${keyword}"` }))
}

/** Anchors are names of places that are listed, too. */
const isPlace = (path: string) => path === '' || path.startsWith('/')

function findFaults(schema: JsonSchema, provider: Provider): readonly string[] {
  const members = namedSchemas(schema, 'properties').map(([name]) => name)
  const required = new Set(listOf(schema, 'required'))
  const optional = members.find((name) => !required.has(name))
  const isObjectType = typesOf(schema).includes('object')
  const isOpen =
    isObjectType && CLOSING_KEYWORDS.every((one) => keywordValue(schema, one) !== false)
  const pattern = keywordValue(schema, 'pattern')
  const format = keywordValue(schema, 'format')
  const formats = provider === 'anthropic' ? ['uri', ...STRICT_FORMATS] : STRICT_FORMATS
  const isAnthropic = provider === 'anthropic'
  const refused = isAnthropic
    ? REFUSED_BY_ANTHROPIC.filter((keyword) => Object.hasOwn(schema, keyword))
    : []
  const least = isAnthropic && Number(keywordValue(schema, 'minItems') ?? 0) > 1
  return [
    ...(isOpen ? ['allows further members ("additionalProperties" must be false)'] : []),
    ...(optional !== undefined && !isAnthropic
      ? [`does not require "${optional}" (require it, and let it be null)`]
      : []),
    ...refused.map((keyword) => `has "${keyword}"`),
    ...(least ? ['has "minItems" above 1'] : []),
    ...(typeof pattern === 'string' && REFUSED_PATTERN.test(pattern)
      ? ['has a pattern with an assertion or a reference back']
      : []),
    ...(format !== undefined && !formats.includes(String(format))
      ? [`has the format ${JSON.stringify(format)}`]
      : []),
  ]
}
