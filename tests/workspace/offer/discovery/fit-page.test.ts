import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineSkill, defineTool } from 'loadout'
import type { FoundItem } from '../../../../src/workspace/offer/discovery/search-page.ts'
import { fitPage, pageTokens } from '../../../../src/workspace/offer/discovery/fit-page.ts'
import { o200kCounter } from '../../../../src/workspace/open/o200k-counter.ts'
import type { Tool } from '../../../../src/tools/definition/tool.ts'

const counter = await o200kCounter()
const actions = { callTool: true, loadTool: true, loadSkill: true }

function aTool(name: string, description: string, parameters = 1): Tool {
  const properties = Object.fromEntries(
    Array.from({ length: parameters }, (_, at) => [
      `parameter_${at}`,
      { type: 'string', description: `What parameter ${at} of ${name} is about.` },
    ]),
  )
  const input = { type: 'object', properties, required: ['parameter_0'] }
  return defineTool({ name, description, inputSchema: input }) as Tool
}

function found(tool: Tool, more: Partial<Extract<FoundItem, { kind: 'tool' }>> = {}): FoundItem {
  const { name } = tool
  const plain = { sentAs: name, source: 'global', owner: 'global', callable: 'now' } as const
  return { kind: 'tool', name, tool, ...plain, ...more }
}

const findImage = aTool('cms_findImage', 'Find one image. Takes a description. Never makes one.')
const images = defineSkill({ name: 'cms-images', description: 'For images of the site.' })

const pageOf = (items: readonly FoundItem[], budget = 450) =>
  fitPage({ items, confidence: 0.876, actions }, budget, counter).page

test('with room enough everything is on the page', () => {
  const items: FoundItem[] = [
    found(findImage, { source: 'skill', owner: 'cms-images', callable: 'on-call' }),
    { kind: 'skill', name: 'cms-images', skill: images, loaded: false },
  ]
  expect(pageOf(items)).toMatchInlineSnapshot(`
    {
      "confidence": 0.88,
      "instruction": "Call these by call_tool. Calling an on-call tool loads its skill. Load a skill with loadSkill. Search again for other needs.",
      "rules": "",
      "shortened": [],
      "skills": [
        {
          "description": "For images of the site.",
          "id": "cms-images",
          "loaded": false,
        },
      ],
      "tools": [
        {
          "callable": "on-call",
          "description": "Find one image. Takes a description. Never makes one.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "parameter_0": {
                "description": "What parameter 0 of cms_findImage is about.",
                "type": "string",
              },
            },
            "required": [
              "parameter_0",
            ],
            "type": "object",
          },
          "name": "cms_findImage",
          "signature": "cms_findImage(parameter_0: string)",
          "skill": "cms-images",
        },
      ],
    }
  `)
})

test('what does not fit is shortened from the end, and named', () => {
  const items = Array.from({ length: 5 }, (_, at) =>
    found(aTool(`tool_number_${at}`, `Does ${at}. ${'And more of it. '.repeat(20)}`, 6)),
  )
  const { tools, shortened, instruction } = pageOf(items)
  expect(tools.map(({ name }) => name)).toEqual(items.map(({ name }) => name))
  expect(tools.some(({ inputSchema }) => inputSchema !== undefined)).toBe(false)
  expect(shortened).toEqual(items.slice(1).map(({ name }) => name))
  expect(instruction).toContain('loadTool gives full schemas and documentation.')
  expect(tools.at(-1)?.description).toMatch(/^Does 4\./u)
})

test('one of several that lost something is named', () => {
  const items = [
    found(aTool('first', 'Does it.')),
    found(aTool('second', `Does it. ${'And more of it. '.repeat(60)}`)),
  ]
  expect(pageOf(items, 200).shortened).toEqual(['second'])
})

test('room that is left goes to the first: its description, then its schema', () => {
  const items = [
    found(aTool('first', 'Does it. In one way.', 2)),
    found(aTool('second', 'Does it. In another.', 12)),
  ]
  const { tools, shortened } = pageOf(items, 320)
  expect(tools.map(({ inputSchema }) => inputSchema !== undefined)).toEqual([true, false])
  expect(tools.map(({ description }) => description)).toEqual([
    'Does it. In one way.',
    'Does it. In another.',
  ])
  expect(shortened).toEqual([])
})

test('a page has no schemas where the next request carries what was found', () => {
  const items = [found(aTool('first', 'Does it. In one way.', 2))]
  const byName = { ...actions, callTool: false }
  const { page } = fitPage({ items, confidence: 1, actions: byName }, 450, counter)
  expect(page.tools).toEqual([
    {
      name: 'first',
      signature: 'first(parameter_0: string, parameter_1?: string)',
      description: 'Does it. In one way.',
    },
  ])
  expect(page.instruction).not.toContain('loadTool')
})

test('a budget that holds not even the names leaves the last ones out, and says how many', () => {
  const items = Array.from({ length: 25 }, (_, at) => found(aTool(`tool_number_${at}`, 'Does.')))
  const { page, shown } = fitPage({ items, confidence: 1, actions }, 150, counter)
  expect(page.tools.length).toBeGreaterThan(0)
  expect(page.tools.length).toBeLessThan(25)
  expect(shown).toEqual(items.slice(0, page.tools.length))
  expect(page.instruction).toContain(`${25 - page.tools.length} more did not fit`)
})

test('a schema with characters that a reader would not see is shown by its signature alone', () => {
  const input = { type: 'object', properties: { a: { type: 'string', title: '\u202E' } } }
  const [tool] = pageOf([
    found(defineTool({ name: 'f', description: 'F.', inputSchema: input }) as Tool),
  ]).tools
  expect(tool).toEqual({
    name: 'f',
    signature: 'f(a?: string)',
    description: 'F.',
  })
})

test.each<[string, Partial<typeof actions>, Partial<Extract<FoundItem, { kind: 'tool' }>>, string]>(
  [
    ['a tool of the request', { callTool: false }, {}, 'Call these by name.'],
    ['a tool behind a bridge', { callTool: true }, {}, 'Call these by call_tool.'],
    [
      'a tool that loads its skill',
      {},
      { callable: 'on-call' },
      'Calling an on-call tool loads its skill.',
    ],
    [
      'a tool to load first',
      {},
      { callable: 'load-first' },
      'Before a load-first tool, call loadSkill with its skill.',
    ],
    [
      'a tool to load first, with nothing to load it',
      { loadSkill: false },
      { callable: 'load-first' },
      'A load-first tool needs its skill loaded first.',
    ],
    [
      'a tool whose calls are spent',
      {},
      { callable: 'next-turn' },
      'A next-turn tool has no calls left in this turn.',
    ],
  ],
)('the instruction says how to call %s', (_, can, more, sentence) => {
  const items = [found(findImage, more)]
  const finding = { items, confidence: 1, actions: { ...actions, ...can } }
  expect(fitPage(finding, 450, counter).page.instruction).toContain(sentence)
})

const anItem = fc
  .record({
    name: fc.stringMatching(/^[a-z_]{1,40}$/u),
    description: fc.lorem({ mode: 'sentences', maxCount: 8 }),
    parameters: fc.integer({ min: 1, max: 30 }),
    callable: fc.constantFrom('now', 'on-call', 'load-first'),
  })
  .map(({ name, description, parameters, callable }) =>
    found(aTool(name, description, parameters), { callable: callable as 'now' }),
  )

test('no page is over its budget, and nothing is cut without being named', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anItem, { maxLength: 12, selector: ({ name }) => name }),
      fc.integer({ min: 120, max: 900 }),
      (items, budget) => {
        const { page, shown } = fitPage({ items, confidence: 1, actions }, budget, counter)
        expect(pageTokens(page, counter)).toBeLessThanOrEqual(budget)
        expect(shown).toEqual(items.slice(0, shown.length))
        for (const { name, description } of page.tools) {
          const item = items.find((one) => one.name === name)
          const whole = item?.kind === 'tool' ? item.tool.description : ''
          const isNamed = page.shortened.some((one) => one === name || one === '*')
          if (!isNamed) expect(description).toBe(whole)
        }
        if (shown.length < items.length) expect(page.instruction).toContain('did not fit')
      },
    ),
    { numRuns: 60 },
  )
})
