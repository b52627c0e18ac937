import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod/v3'
import { defineTool } from '../../../src/entries/index.ts'
import { readInputSchema } from '../../../src/schema/interpreter/read-schema.ts'

const point = z.object({ x: z.number().int().min(1).describe('From the left.'), y: z.number() })

const tree: z.ZodType<unknown> = z.lazy(() =>
  z.object({ name: z.string(), children: z.array(tree) }),
)

test('a schema of zod 3 is read like one of zod 4', async () => {
  const { jsonSchema, parse } = readInputSchema(
    z.object({
      from: point,
      to: point.optional(),
      kind: z.enum(['line', 'arc']).default('line'),
      size: z.tuple([z.number(), point]),
      again: z.array(z.tuple([z.string(), z.number()])).optional(),
      tree: tree.optional(),
    }),
  )
  expect(jsonSchema).toMatchObject({
    type: 'object',
    properties: {
      from: { properties: { x: { type: 'integer', minimum: 1, description: 'From the left.' } } },
      size: { type: 'array', prefixItems: [{ type: 'number' }, {}] },
    },
    required: ['from', 'size'],
    additionalProperties: false,
  })
  const at = { x: 1, y: 2 }
  expect(await parse({ from: at, size: [1, at] })).toEqual({
    ok: true,
    value: { from: at, kind: 'line', size: [1, at] },
  })
  expect(await parse({ from: { x: 0, y: 2 }, size: [1, at], more: 1 })).toMatchObject({
    ok: false,
    issues: [{ path: '/more' }, { path: '/from/x' }],
  })
  expect(
    await parse({ from: at, size: [1, at], tree: { name: 'a', children: [1] } }),
  ).toMatchObject({ ok: false, issues: [{ path: '/tree/children/0' }] })
})

test('its types are those of the arguments, and unknown arguments are left out where a tool says so', async () => {
  const tool = defineTool({
    name: 'move',
    description: 'Moves.',
    inputSchema: z.object({ by: z.number(), unit: z.enum(['cm', 'mm']).default('cm') }),
    unknownArguments: 'strip',
    execute: ({ by, unit }) => `${by.toFixed(1)} ${unit}`,
  })
  expect(await tool.parseInput({ by: 2, more: true } as never)).toMatchObject({
    ok: true,
    value: { by: 2, unit: 'cm' },
    leftOut: ['/more'],
  })
})

test('what JSON Schema of a zod 3 schema accepts, its own parser accepts', async () => {
  const leaf = fc.constantFrom(z.string(), z.number(), z.boolean(), z.null(), z.literal('a'))
  const schemas = fc.letrec<{ any: z.ZodTypeAny }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie('any').map((one) => z.array(one)),
      tie('any').map((one) => one.nullable()),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => z.union([a, b])),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => z.tuple([a, b])),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => z.object({ a, b: b.optional() })),
    ),
  })).any
  await fc.assert(
    fc.asyncProperty(schemas, fc.jsonValue({ maxDepth: 2 }), async (schema, value) => {
      const own = z.object({ given: schema })
      const { jsonSchema, parse } = readInputSchema(own)
      const plain = await readInputSchema(jsonSchema).parse({ given: value })
      expect(plain.ok).toBe(own.safeParse({ given: value }).success && plain.ok)
      expect((await parse({ given: value })).ok).toBe(plain.ok)
    }),
    { numRuns: 200 },
  )
})
