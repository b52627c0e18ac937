import { withHash } from '../../kernel/content-hash.ts'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import {
  keywordValue,
  listOf,
  namedSchemas,
  pointerToken,
  pointerTokens,
  referencePath,
  schemaPlaces,
  schemasInPlace,
} from '../interpreter/subschemas.ts'

/** The characters of a key that Anthropic takes. */
const LIMIT = 64

const REFUSED = /[^a-zA-Z0-9_.-]/gu

/** The keys that are sent under other names, by their own names. */
export type SentKeys = ReadonlyMap<string, string>

const NONE: SentKeys = new Map()

const known = new WeakMap<JsonSchema, Readonly<Record<'anthropic' | 'openai', SentKeys>>>()

/**
 * Returns the keys of a schema's properties, at any depth, that a provider gets under other names. Anthropic takes
 * `^[a-zA-Z0-9_.-]{1,64}$`; no provider takes half of a surrogate pair. A key is written as its legal part, or with a
 * hash where another key of the schema has that name.
 *
 * Pure: the same schema has the same keys in every session. No two keys of a schema get one name.
 */
export function sentKeys(schema: JsonSchema, provider: string): SentKeys {
  if (provider === 'mcp') return NONE
  const found = known.get(schema) ?? findKeys(schema)
  known.set(schema, found)
  return found[provider === 'anthropic' ? provider : 'openai']
}

function findKeys(schema: JsonSchema): Readonly<Record<'anthropic' | 'openai', SentKeys>> {
  const places = schemaPlaces(schema).values().filter(isObject)
  const names = new Set(
    places.flatMap((one) => namedSchemas(one, 'properties')).map(([key]) => key),
  )
  const refused = [...names].filter((key) => legalPart(key) !== key)
  if (refused.length === 0) return { anthropic: NONE, openai: NONE }
  const claims = Map.groupBy(refused, legalPart)
  const anthropic = new Map(
    refused.map((key) => {
      const legal = legalPart(key)
      const isFree = claims.get(legal)?.length === 1 && !names.has(legal)
      return [key, isFree ? legal : withHash(legal, key, LIMIT)]
    }),
  )
  const openai = new Map([...anthropic].filter(([key]) => !key.isWellFormed()))
  return { anthropic, openai }
}

function legalPart(key: string): string {
  return key.replaceAll(REFUSED, '_').slice(0, LIMIT) || '_'
}

/** Keywords whose members have the names of properties. */
const BY_KEY: ReadonlySet<string> = new Set([
  'properties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
])

/** Keywords whose members have names of their own. */
const BY_NAME: ReadonlySet<string> = new Set(['patternProperties', '$defs', 'definitions'])

/** Keywords with a value, and with a list of values. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'example'])

const LISTS: ReadonlySet<string> = new Set(['enum', 'examples'])

/** Returns a schema with the keys to send. The description of a property that gets another key names its own. */
export function withSentKeys(schema: JsonSchema, keys: SentKeys): JsonSchema {
  if (keys.size === 0) return schema
  const sent = (key: unknown) => (typeof key === 'string' ? (keys.get(key) ?? key) : key)

  function within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(within)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([keyword, one]) => [keyword, member(keyword, one, value)]),
    )
  }

  function member(keyword: string, value: unknown, of: JsonSchema): unknown {
    if (LISTS.has(keyword) && Array.isArray(value)) {
      return value.map((one) => convertKeys(one, of, schema, keys))
    }
    if (VALUES.has(keyword)) return convertKeys(value, of, schema, keys)
    if (keyword === 'required') return Array.isArray(value) ? value.map(sent) : value
    if (typeof value === 'string') {
      return keyword === '$ref' || keyword === '$dynamicRef' ? sentReference(value, keys) : value
    }
    if (!isObject(value) || !(BY_KEY.has(keyword) || BY_NAME.has(keyword))) return within(value)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (BY_NAME.has(keyword)) return [key, within(one)]
        if (Array.isArray(one)) return [sent(key), one.map(sent)]
        const inner = within(one)
        return [sent(key), keyword === 'properties' && keys.has(key) ? named(inner, key) : inner]
      }),
    )
  }

  return within(schema) as JsonSchema
}

function named(schema: unknown, key: string): unknown {
  if (!isObject(schema)) return schema
  const { description } = schema
  const own = JSON.stringify(key.toWellFormed())
  return {
    ...schema,
    description: typeof description === 'string' ? `${own}: ${description}` : `${own}.`,
  }
}

/** Returns a reference to the same place of a schema with the keys to send. */
function sentReference(reference: string, keys: SentKeys): string {
  const path = referencePath(reference)
  if (!path.startsWith('/')) return reference
  let names: ReadonlySet<string> | null = null
  const tokens = pointerTokens(path).map((token) => {
    const isKey = names === BY_KEY
    const isSchema = names === null
    names = !isSchema ? null : BY_KEY.has(token) ? BY_KEY : BY_NAME.has(token) ? BY_NAME : null
    return pointerToken(isKey ? (keys.get(token) ?? token) : token)
  })
  return `#/${tokens.map(encodeURI).join('/')}`
}

/**
 * Converts the arguments that a model sent to those of the tool's own schema: under their own keys, at any depth. Keys
 * that the schema does not name are unchanged, and so are arguments that have their own keys.
 */
export function ownArguments(schema: JsonSchema, value: unknown): unknown {
  const keys = sentKeys(schema, 'anthropic')
  if (keys.size === 0) return value
  return convertKeys(value, schema, schema, new Map([...keys].map(([own, sent]) => [sent, own])))
}

/** Converts arguments of a tool to those that a provider gets, such as examples. */
export function sentArguments(schema: JsonSchema, value: unknown, provider: string): unknown {
  return convertKeys(value, schema, schema, sentKeys(schema, provider))
}

/** Replaces own names of keys in a text of a problem, and in its path, by those that a provider gets. */
export function inSentKeys<Issue extends { readonly path: string; readonly message: string }>(
  issue: Issue,
  schema: JsonSchema,
): Issue {
  const keys = sentKeys(schema, 'anthropic')
  if (keys.size === 0) return issue
  const path = pointerTokens(issue.path).map((one) => `/${pointerToken(keys.get(one) ?? one)}`)
  let { message } = issue
  for (const [own, sent] of keys) message = message.replaceAll(`"${own}"`, `"${sent}"`)
  return { ...issue, path: path.join(''), message }
}

/** Renames the keys of a value at each place whose schema names them. */
function convertKeys(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema,
  names: SentKeys,
): unknown {
  if (names.size === 0) return value
  const inPlace = (all: readonly unknown[]) => [
    ...new Set(all.filter(isObject).flatMap((one) => [...schemasInPlace(one, root)])),
  ]

  function convert(one: unknown, schemas: readonly JsonSchema[]): unknown {
    if (Array.isArray(one)) {
      const items = inPlace(schemas.flatMap(itemSchemas))
      return one.map((item) => convert(item, items))
    }
    if (!isObject(one)) return one
    const members = Object.entries(one).map(([key, member]): [string, unknown] => {
      const other = names.get(key)
      const isNamed = schemas.some((each) => namesKey(each, key) || namesKey(each, other))
      const name = other !== undefined && isNamed && !Object.hasOwn(one, other) ? other : key
      const below = schemas.flatMap((each) => memberSchemas(each, [key, other ?? key]))
      return [name, convert(member, inPlace(below))]
    })
    return Object.fromEntries(members)
  }

  return convert(value, inPlace([schema]))
}

function namesKey(schema: JsonSchema, key: string | undefined): boolean {
  if (key === undefined) return false
  const properties = keywordValue(schema, 'properties')
  const isRequired = listOf(schema, 'required').includes(key)
  return isRequired || (isObject(properties) && Object.hasOwn(properties, key))
}

function itemSchemas(schema: JsonSchema): readonly unknown[] {
  return ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'].flatMap(
    (keyword) => keywordValue(schema, keyword),
  )
}

function memberSchemas(schema: JsonSchema, keys: readonly string[]): readonly unknown[] {
  const properties = keywordValue(schema, 'properties')
  return [
    ...keys.flatMap((key) => (isObject(properties) ? keywordValue(properties, key) : [])),
    ...namedSchemas(schema, 'patternProperties').map(([, one]) => one),
    ...['additionalProperties', 'unevaluatedProperties'].map((one) => keywordValue(schema, one)),
  ]
}
