import type { RequestToCheck } from '../check-request.ts'
import { ANTHROPIC_WIRES, isObject, type JsonObject, OPENAI_WIRES, WIRES } from '../wire.ts'
import type { RequestRule } from './request-rule.ts'
import { addedTools, toolsOf } from './tools-of.ts'

/** A schema in the arguments of a tool. */
interface Place {
  readonly at: string
  readonly schema: JsonObject
  readonly root: JsonObject
  /** True for a strict tool. */
  readonly strict: boolean
}

/** Rules for the schemas of tools, at any depth. */
export const SCHEMA_RULES: readonly RequestRule[] = [
  {
    name: 'objects-have-properties',
    wires: OPENAI_WIRES,
    source:
      'OpenAI answers 400 "In context=(), object schema missing properties" (xpzouying/xiaohongshu-mcp#677, ' +
      'containers/kubernetes-mcp-server#340)',
    faults: (request) =>
      placesOf(request)
        .filter(({ schema }) => hasType(schema, 'object') && !isObject(schema.properties))
        .map(({ at }) => `${at} is an object without properties.`),
  },
  {
    name: 'arrays-have-items',
    wires: OPENAI_WIRES,
    source:
      'OpenAI answers 400 "In context=(…), array schema missing items" (nocobase/nocobase#9411, ' +
      'NousResearch/hermes-agent#54290)',
    faults: (request) =>
      placesOf(request)
        .filter(({ schema }) => hasType(schema, 'array') && schema.items === undefined)
        .map(({ at }) => `${at} is an array without items.`),
  },
  {
    name: 'items-is-one-schema',
    wires: WIRES,
    source:
      'Anthropic answers 400 "JSON schema is invalid. It must match JSON Schema draft 2020-12"; ' +
      'json-schema.org/draft/2020-12/meta/applicator: `items` is a schema',
    faults: (request) =>
      placesOf(request)
        .filter(({ schema }) => Array.isArray(schema.items))
        .map(({ at }) => `${at} has a list in items.`),
  },
  {
    name: 'property-keys',
    wires: ANTHROPIC_WIRES,
    source:
      'Anthropic answers 400 "input_schema.properties: Property keys should match pattern ' +
      "'^[a-zA-Z0-9_.-]{1,64}$'\" (ComposioHQ/composio#3500, n8n-io/n8n#30590)",
    faults: (request) =>
      placesOf(request).flatMap(({ at, schema }) =>
        (isObject(schema.properties) ? Object.keys(schema.properties) : [])
          .filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
          .map((key) => `${at} has the property ${JSON.stringify(key)}.`),
      ),
  },
  {
    name: 'references-lead-somewhere',
    wires: WIRES,
    source:
      'OpenAI answers 400 "reference can only point to definitions defined at the top level of the schema"; Anthropic ' +
      '400 "JSON schema is invalid" (PointerToNowhere)',
    faults: (request) =>
      placesOf(request)
        .filter(({ schema, root }) => {
          const { $ref } = schema
          return typeof $ref === 'string' && $ref.startsWith('#/') && !isThere($ref, root)
        })
        .map(({ at, schema }) => `${at} refers to ${String(schema.$ref)}, which is not there.`),
  },
  {
    name: 'strict-keywords',
    wires: ANTHROPIC_WIRES,
    source:
      'platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations": no numerical and no ' +
      'string constraints, no `minItems` above 1, no lookaround and no backreferences in a pattern',
    faults: (request) =>
      placesOf(request, ({ strict }) => strict).flatMap(({ at, schema }) =>
        ANTHROPIC_STRICT.filter((keyword) => keyword in schema).map(
          (keyword) => `${at} has ${keyword} in a strict tool.`,
        ),
      ),
  },
  {
    name: 'patterns',
    wires: OPENAI_WIRES,
    source:
      '@ai-sdk/openai 4.0.118: "OpenAI does not support regex lookaround in JSON Schema patterns"; OpenAI answers 400 ' +
      '"regex parse error: look-around, including look-ahead and look-behind, is not supported"',
    faults: (request) =>
      placesOf(request)
        .filter(({ schema }) => hasLookaround(schema))
        .map(({ at }) => `${at} has a pattern with lookaround or a backreference.`),
  },
  {
    name: 'strict-patterns',
    wires: ANTHROPIC_WIRES,
    source:
      'platform.claude.com/docs/en/build-with-claude/structured-outputs, "Pattern support": no backreferences, no ' +
      'lookahead and no lookbehind',
    faults: (request) =>
      placesOf(request, ({ strict }) => strict)
        .filter(({ schema }) => hasLookaround(schema))
        .map(
          ({ at }) => `${at} has a pattern with lookaround or a backreference in a strict tool.`,
        ),
  },
]

const ANTHROPIC_STRICT = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
]

const hasLookaround = ({ pattern }: JsonObject) =>
  typeof pattern === 'string' && /\(\?<?[=!]|\\[1-9]/.test(pattern)

const hasType = ({ type }: JsonObject, wanted: string) => [type].flat().includes(wanted)

/** Each rule reads all schemas of a request. */
const known = new WeakMap<RequestToCheck, readonly Place[]>()

function placesOf(
  request: RequestToCheck,
  counts: (tool: Pick<Place, 'strict'>) => boolean = () => true,
): readonly Place[] {
  const places =
    known.get(request) ??
    [...toolsOf(request), ...addedTools(request)].flatMap(({ at, parameters, strict }) =>
      isObject(parameters)
        ? placesIn(parameters, `${at}/parameters`, { root: parameters, strict })
        : [],
    )
  known.set(request, places)
  return places.filter(counts)
}

const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']

const SINGLE = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]

function placesIn(
  schema: unknown,
  at: string,
  tool: Pick<Place, 'root' | 'strict'>,
): readonly Place[] {
  if (!isObject(schema)) return []
  const named = BY_NAME.flatMap((keyword) =>
    isObject(schema[keyword])
      ? Object.entries(schema[keyword]).map(([name, one]) => [`${keyword}/${name}`, one] as const)
      : [],
  )
  const listed = LISTS.flatMap((keyword) =>
    Array.isArray(schema[keyword])
      ? schema[keyword].map((one, index) => [`${keyword}/${index}`, one] as const)
      : [],
  )
  const single = SINGLE.map((keyword) => [keyword, schema[keyword]] as const)
  const inner = [...named, ...listed, ...single]
  return [
    { at, schema, ...tool },
    ...inner.flatMap(([way, one]) => placesIn(one, `${at}/${way}`, tool)),
  ]
}

function isThere(reference: string, root: JsonObject): boolean {
  let place: unknown = root
  for (const step of decodeURIComponent(reference).slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const isInside = typeof place === 'object' && place !== null && Object.hasOwn(place, name)
    if (!isInside) return false
    place = (place as JsonObject)[name]
  }
  return true
}
