import fc from 'fast-check'
import type { JsonValue } from 'loadout'

type Schema = { readonly [keyword: string]: unknown }

/** A value whose members have the ids of properties, so that it can be written under any keys. */
type Sample =
  | { readonly leaf: JsonValue }
  | { readonly list: readonly Sample[] }
  | { readonly members: readonly (readonly [string, Sample])[] }
  | { readonly free: readonly (readonly [string, Sample])[] }

interface Node {
  readonly schema: Schema
  readonly sample: Sample
}

/** The schema of a tool, and arguments that fit it. Each property has an id of its own as its title. */
export interface RandomTool {
  readonly schema: Schema
  readonly sample: Sample
  readonly strict: boolean
}

/** Keys that a provider takes, that none takes, and that become alike when they are made to fit. */
const KEYS = [
  'ok',
  'ok.then-2',
  '$top',
  '_top',
  '@top',
  '@odata.filter',
  'filter[name]',
  'two words',
  '',
  '日本語',
  '中国語',
  '😀',
  'constructor',
  `${'long'.repeat(20)}a`,
  `${'long'.repeat(20)}b`,
  'a/b',
  '~1',
  'properties',
  'items',
  '"quoted"',
]

const leaf: fc.Arbitrary<Node> = fc.constantFrom<Node>(
  { schema: { type: 'string' }, sample: { leaf: 's' } },
  { schema: { type: 'string', format: 'uri-reference' }, sample: { leaf: 'a' } },
  { schema: { type: 'string', pattern: '^(?=a)' }, sample: { leaf: 'a' } },
  { schema: { type: ['integer', 'null'], minimum: 1 }, sample: { leaf: 2 } },
  { schema: { enum: ['a', { $top: 1 }] }, sample: { leaf: { $top: 1 } } },
  { schema: { type: 'object' }, sample: { leaf: { $top: 1, 'free key': [] } } },
  { schema: { type: ['object', 'null'], additionalProperties: {} }, sample: { leaf: { a: 1 } } },
  { schema: { type: 'array' }, sample: { leaf: [1, { $top: 2 }] } },
  { schema: { type: ['null', 'array'], minItems: 1 }, sample: { leaf: [null] } },
  { schema: {}, sample: { leaf: 7 } },
)

/** Counts up, so that each property has another id. */
type NextId = () => string

function tree(id: NextId): {
  readonly node: fc.Arbitrary<Node>
  readonly object: fc.Arbitrary<Node>
} {
  const { node, object } = fc.letrec<{ node: Node; object: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('object'),
      tie('node').map(({ schema, sample }) => ({
        schema: { type: 'array', items: schema },
        sample: { list: [sample, sample] },
      })),
      fc.tuple(tie('node'), tie('node'), fc.boolean()).map(([one, two, isOld]) => ({
        schema: {
          type: 'array',
          ...(isOld
            ? { items: [one.schema, two.schema], additionalItems: {} }
            : { prefixItems: [one.schema, two.schema] }),
        },
        sample: { list: [one.sample, two.sample] },
      })),
      fc.tuple(tie('object'), fc.constantFrom('anyOf', 'oneOf')).map(([one, keyword]) => ({
        schema: { [keyword]: [one.schema, { type: 'null' }] },
        sample: one.sample,
      })),
      fc.tuple(tie('object'), tie('object')).map(([one, two]) => ({
        schema: { anyOf: [{ allOf: [{ anyOf: [one.schema, two.schema] }, {}] }] },
        sample: one.sample,
      })),
      tie('node').map(({ schema, sample }) => ({
        schema: { type: 'object', additionalProperties: schema },
        sample: {
          free: [
            ['$any', sample],
            ['any', sample],
          ] as const,
        },
      })),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }),
        fc.array(tie('node'), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
      )
      .map(([keys, nodes, isRequired, isClosed]) => {
        const members = keys.map((key, index) => {
          return { key, id: id(), node: nodes[index] as Node }
        })
        return {
          schema: {
            type: 'object',
            properties: Object.fromEntries(
              members.map((one) => [one.key, { ...one.node.schema, title: one.id }]),
            ),
            ...(isRequired && { required: keys }),
            ...(isClosed && { additionalProperties: false }),
          },
          sample: { members: members.map((one) => [one.id, one.node.sample] as const) },
        }
      }),
  }))
  return { node: node as fc.Arbitrary<Node>, object: object as fc.Arbitrary<Node> }
}

/** Tools whose schemas have what providers refuse, at any depth. */
export function randomTools(count: number, seed: number): readonly RandomTool[] {
  let last = 0
  const { node, object } = tree(() => `p${(last += 1)}`)
  const open = object.map(({ schema, sample }) => {
    const { type, properties, required = [] } = schema
    return { schema: { type, properties, required }, sample }
  })
  const root = fc.oneof(
    object,
    object,
    fc.tuple(open, open).map(([one, two]) => ({
      schema: {
        type: 'object',
        anyOf: [{ anyOf: [one.schema, { required: ['no'] }] }, two.schema],
      },
      sample: one.sample,
    })),
    open.map(({ schema, sample }) => ({ schema: { allOf: [{}, schema] }, sample })),
    fc.tuple(object, node, fc.constantFrom('a/b', '$d', 'plain')).map(([one, two, name]) => {
      const [$defs, $ref] = [{ [name]: two.schema }, `#/$defs/${name.replaceAll('/', '~1')}`]
      const { properties, ...rest } = one.schema
      const id = `p${(last += 1)}`
      return {
        schema: {
          ...rest,
          properties: { ...(properties as Schema), 'by $ref': { title: id, $ref } },
          $defs,
        },
        sample: {
          members: [...(one.sample as { members: [] }).members, [id, two.sample] as const],
        },
      }
    }),
  )
  const tool = fc.record({ made: root, strict: fc.boolean() })
  return fc
    .sample(tool, { numRuns: count, seed })
    .map(({ made, strict }) => ({ ...(made as Node), strict }))
}

/** Writes a sample under the keys that a schema has at the properties with its ids. */
export function written(sample: Sample, keys: ReadonlyMap<string, string>): JsonValue {
  if ('leaf' in sample) return sample.leaf
  if ('list' in sample) return sample.list.map((one) => written(one, keys))
  const members = 'free' in sample ? sample.free : sample.members
  return Object.fromEntries(
    members.map(([id, one]) => [
      'free' in sample ? id : (keys.get(id) ?? `no key for ${id}`),
      written(one, keys),
    ]),
  )
}

/** The keys of a schema's properties by their titles, at any depth. */
export function keysByTitle(schema: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, one] of Object.entries(value)) {
      const isProperty = name === 'properties' && typeof one === 'object' && one !== null
      const title: unknown = isProperty ? (one as Schema)['title'] : undefined
      if (typeof title === 'string') found.set(title, key)
      visit(one, name === 'properties' ? '' : key)
    }
  }
  visit(schema, '')
  return found
}
