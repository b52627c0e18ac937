import { expect, test } from 'vitest'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { diffCatalogs } from '../../src/catalog/diff-fields.ts'
import { defineRules } from '../../src/tools/define-rules.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { defineSkill, type SkillDefinition } from '../../src/skills/definition/define-skill.ts'
import { toolNamed } from '../skills/tool-named.ts'

const refund = (amount: object) =>
  defineTool({
    name: 'refund',
    description: 'Pays back.',
    inputSchema: { type: 'object', properties: { amount }, required: ['amount'] },
  })
const catalogOf = (skill: Partial<SkillDefinition>, more = {}) =>
  createCatalog({
    skills: [defineSkill({ name: 'refunds', description: 'Pays.', ...skill })],
    ...more,
  })

test('a catalog does not differ from itself, nor from one read elsewhere', async () => {
  const one = await catalogOf({ path: '/a/SKILL.md', baseDirectory: '/a' })
  const other = await catalogOf({ path: '/b/SKILL.md', baseDirectory: '/b' })
  expect(diffCatalogs(one, one)).toEqual([])
  expect(diffCatalogs(one, other)).toEqual([])
})

test('definitions of every kind are added, removed and changed', async () => {
  const before = await catalogOf(
    {},
    { tools: [toolNamed('old')], agents: [defineAgent({ name: 'a' })], rules: [] },
  )
  const after = await createCatalog({
    tools: [toolNamed('new'), toolNamed('new', { version: '2.0.0' })],
    agents: [defineAgent({ name: 'a', mode: 'voice' })],
    rules: [defineRules({ topic: 'orders', text: 'Careful.' })],
  })
  expect(
    diffCatalogs(before, after).map(({ what, kind, name }) => `${what} ${kind} ${name}`),
  ).toEqual([
    'removed skill refunds',
    'added tool new@1.0.0',
    'added tool new@2.0.0',
    'removed tool old',
    'changed agent a',
    'added rules orders',
  ])
})

test('changes are listed by field: texts as a diff, schemas by place, members by name', async () => {
  const before = await catalogOf({
    instructions: 'One.\nTwo.\nThree.',
    tags: ['money'],
    tools: [refund({ type: 'string' })],
    files: [
      { path: 'a.md', text: 'A' },
      { path: 'b.md', text: 'B' },
    ],
  })
  const after = await catalogOf({
    instructions: 'One.\n2.\nThree.',
    tags: ['money', 'shop'],
    tools: [refund({ type: 'number', minimum: 0 }), toolNamed('clock')],
    files: [
      { path: 'b.md', text: 'B!' },
      { path: 'c.md', text: 'C' },
    ],
  })
  expect(diffCatalogs(before, after)).toMatchInlineSnapshot(`
    [
      {
        "fields": [
          {
            "added": [
              "c.md",
            ],
            "changed": [
              "b.md",
            ],
            "field": "files",
            "removed": [
              "a.md",
            ],
            "what": "members",
          },
          {
            "diff": "@@ -1,3 +1,3 @@
     One.
    -Two.
    +2.
     Three.",
            "field": "instructions",
            "what": "text",
          },
          {
            "after": [
              "money",
              "shop",
            ],
            "before": [
              "money",
            ],
            "field": "tags",
            "what": "value",
          },
          {
            "added": [
              "clock",
            ],
            "changed": [
              "refund",
            ],
            "field": "tools",
            "removed": [],
            "what": "members",
          },
        ],
        "kind": "skill",
        "name": "refunds",
        "what": "changed",
      },
      {
        "fields": [],
        "kind": "tool",
        "name": "refunds/clock",
        "what": "added",
      },
      {
        "fields": [
          {
            "field": "inputSchema",
            "parts": [
              {
                "after": "number",
                "before": "string",
                "path": "/properties/amount/type",
              },
              {
                "after": 0,
                "path": "/properties/amount/minimum",
              },
            ],
            "what": "parts",
          },
        ],
        "kind": "tool",
        "name": "refunds/refund",
        "what": "changed",
      },
    ]
  `)
})

test('a text with too many changes is shown as replaced', async () => {
  const lines = (word: string) =>
    Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join('\n')
  const [change] = diffCatalogs(
    await catalogOf({ instructions: lines('a') }),
    await catalogOf({ instructions: lines('b') }),
  )
  expect(change?.fields).toMatchObject([{ diff: expect.stringContaining('too many changes') }])
})
