import { expect, test } from 'vitest'
import { goodRequest } from '../faults/good-requests.ts'
import { ANTHROPIC_WIRES, type Wire, WIRES } from '../wire.ts'
import { compareBodies } from './compare-bodies.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faults are written into any place of a body
type Body = any

const listOf = (body: Body): Body[] => body.input ?? body.messages

const nameOf = (tool: Body) => tool.function ?? tool

/** Changes that keep all of the earlier body. */
const KEPT: readonly { change: string; wires: readonly Wire[]; make: (body: Body) => void }[] = [
  { change: 'nothing', wires: WIRES, make: () => {} },
  {
    change: 'a message at the end',
    wires: WIRES,
    make: (b) => {
      listOf(b).push({ role: 'user', content: 'And?' })
    },
  },
  {
    change: 'a cache breakpoint that moves',
    wires: ['anthropic'],
    make: (b) => {
      delete b.tools[0].cache_control
      b.tools[1].cache_control = { type: 'ephemeral' }
    },
  },
  {
    change: 'a text that becomes a block with a breakpoint',
    wires: ['anthropic-beta'],
    make: (b) => {
      b.messages[0].content = [
        { type: 'text', text: b.messages[0].content, cache_control: { type: 'ephemeral' } },
      ]
    },
  },
  {
    change: 'a block at the end of the last message',
    wires: ['anthropic'],
    make: (b) => {
      b.messages.at(-1).content.push({ type: 'text', text: 'And?' })
    },
  },
  {
    change: 'a message of the same role that is put apart',
    wires: ['anthropic'],
    make: (b) => {
      const [last] = b.messages.at(-1).content.splice(2)
      b.messages.push({ role: 'user', content: [last] })
    },
  },
  {
    change: 'a deferred tool',
    wires: ANTHROPIC_WIRES,
    make: (b) => {
      b.tools.push({ ...b.tools[1], name: 'new', defer_loading: true })
    },
  },
  {
    change: 'a deferred tool of a namespace',
    wires: ['openai-responses'],
    make: (b) => {
      b.tools[2].tools.push({ type: 'function', name: 'new', defer_loading: true })
    },
  },
  {
    change: 'a reference to a deferred tool at the end',
    wires: ['anthropic'],
    make: (b) => {
      b.messages.push({
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'x',
            content: [{ type: 'tool_reference', tool_name: 'later' }],
          },
        ],
      })
    },
  },
  {
    change: 'the parameters of a deferred tool',
    wires: ['openai-responses'],
    make: (b) => {
      b.tools[1].parameters = {}
    },
  },
  {
    change: 'additional tools at the end',
    wires: ['openai-responses'],
    make: (b) => {
      b.input.push({ type: 'additional_tools', role: 'developer', tools: [] })
    },
  },
]

/** Changes that do not, each with the place where the bodies differ. */
const CHANGED: readonly {
  change: string
  wire: Wire
  make: (body: Body) => void
  place: string
}[] = [
  ...WIRES.map((wire) => ({
    wire,
    change: 'a description',
    make: (b: Body) => {
      nameOf(b.tools[0]).description = 'New.'
    },
    place: 'tools refund changed',
  })),
  {
    wire: 'openai-responses',
    change: 'a tool at the end of the list',
    make: (b) => {
      b.tools.push({ type: 'function', name: 'new', parameters: {} })
    },
    place: 'tools new added',
  },
  {
    wire: 'openai-responses',
    change: 'a deferred tool, of which the name and the description are seen',
    make: (b) => {
      b.tools.push({ ...b.tools[1], name: 'new' })
    },
    place: 'tools new added',
  },
  {
    wire: 'openai-chat',
    change: 'a tool at the end of the list',
    make: (b) => {
      b.tools.push({ type: 'function', function: { name: 'new' } })
    },
    place: 'tools new added',
  },
  {
    wire: 'anthropic',
    change: 'a tool at the end of the list',
    make: (b) => {
      b.tools.push({ name: 'new', input_schema: { type: 'object' } })
    },
    place: 'tools new added',
  },
  {
    wire: 'anthropic',
    change: 'a tool in front',
    make: (b) => {
      b.tools.unshift({ name: 'new', input_schema: { type: 'object' } })
    },
    place: 'tools new added',
  },
  {
    wire: 'anthropic',
    change: 'a tool that is gone',
    make: (b) => {
      b.tools.splice(0, 1)
    },
    place: 'tools refund removed',
  },
  {
    wire: 'openai-chat',
    change: 'tools in another order',
    make: (b) => {
      b.tools.reverse()
    },
    place: 'tools look added',
  },
  {
    wire: 'openai-chat',
    change: 'the order of members',
    make: (b) => {
      b.tools[1] = { function: b.tools[1].function, type: 'function' }
    },
    place: 'tools look changed',
  },
  {
    wire: 'anthropic',
    change: 'a deferred tool that is loaded',
    make: (b) => {
      delete b.tools[2].defer_loading
    },
    place: 'tools later added',
  },
  {
    wire: 'openai-responses',
    change: 'a tool of a namespace',
    make: (b) => {
      b.tools[2].tools[0].description = 'New.'
    },
    place: 'tools mail changed',
  },
  {
    wire: 'openai-responses',
    change: 'instructions',
    make: (b) => {
      b.instructions = 'Be short.'
    },
    place: 'instructions instructions changed',
  },
  {
    wire: 'openai-chat',
    change: 'instructions and tools',
    make: (b) => {
      b.messages[0].content = 'Be short.'
      b.tools.pop()
    },
    place: 'instructions messages/0 changed',
  },
  {
    wire: 'anthropic',
    change: 'instructions',
    make: (b) => {
      b.system[0].text = 'Be short.'
    },
    place: 'instructions system/0 changed',
  },
  {
    wire: 'anthropic',
    change: 'more instructions',
    make: (b) => {
      b.system.push({ type: 'text', text: 'Be short.' })
    },
    place: 'instructions system/1 added',
  },
  {
    wire: 'anthropic-beta',
    change: 'instructions that are gone',
    make: (b) => {
      delete b.system
    },
    place: 'instructions system/0 removed',
  },
  {
    wire: 'openai-responses',
    change: 'an output that is trimmed',
    make: (b) => {
      b.input[4].output = ''
    },
    place: 'conversation input/4 changed',
  },
  {
    wire: 'openai-chat',
    change: 'a result that is trimmed',
    make: (b) => {
      b.messages[4].content = ''
    },
    place: 'conversation messages/4 changed',
  },
  {
    wire: 'anthropic',
    change: 'a result that is trimmed',
    make: (b) => {
      b.messages[2].content[1].content = 'cut'
    },
    place: 'conversation messages/2/content/1 changed',
  },
  {
    wire: 'openai-chat',
    change: 'an end that is gone',
    make: (b) => {
      b.messages.pop()
    },
    place: 'conversation messages/6 removed',
  },
  {
    wire: 'anthropic',
    change: 'the definition behind a reference',
    make: (b) => {
      b.tools[2].description = 'New.'
    },
    place: 'conversation messages/2/content/1 changed',
  },
  {
    wire: 'anthropic-beta',
    change: 'the definition behind an addition',
    make: (b) => {
      b.tools[1].description = 'New.'
    },
    place: 'conversation messages/1/content/0 changed',
  },
  {
    wire: 'anthropic',
    change: 'an input that has the name of a mark',
    make: (b) => {
      b.messages[1].content[1].input.cache_control = 1
    },
    place: 'conversation messages/1/content/1 changed',
  },
]

const kept = KEPT.flatMap(({ wires, ...row }) => wires.map((wire) => ({ ...row, wire })))

test.each(kept)('$wire: $change keeps what was sent', ({ wire, make }) => {
  const { body } = goodRequest(wire)
  const later = goodRequest(wire).body
  make(later)
  const { changed, keptParts, partsBefore, keptBytes, bytesBefore } = compareBodies(
    wire,
    body,
    later,
  )
  expect({ changed, keptParts, keptBytes }).toEqual({
    changed: null,
    keptParts: partsBefore,
    keptBytes: bytesBefore,
  })
  expect(keptParts).toBeGreaterThan(4)
})

test.each(CHANGED)('$wire: $change is found in $place', ({ wire, make, place }) => {
  const { body } = goodRequest(wire)
  const later = goodRequest(wire).body
  make(later)
  const { changed, keptBytes, bytesBefore } = compareBodies(wire, body, later)
  expect(`${changed?.segment} ${changed?.part} ${changed?.kind}`).toBe(place)
  expect(keptBytes).toBeLessThan(bytesBefore)
})

test('a history that lost its beginning differs at its first message', () => {
  const { body } = goodRequest('openai-chat')
  const later = { ...body, messages: [body.messages[0], ...body.messages.slice(5)] }
  expect(compareBodies('openai-chat', body, later)).toMatchInlineSnapshot(`
    {
      "bytesBefore": 838,
      "changed": {
        "excerpt": "assistant","content":"Both are refunded."}",
        "kind": "changed",
        "part": "messages/1",
        "segment": "conversation",
      },
      "keptBytes": 366,
      "keptParts": 3,
      "partsBefore": 9,
      "settings": [],
    }
  `)
})

test('settings that differ are named, and are no part of the prompt', () => {
  const { body } = goodRequest('anthropic')
  const later = { ...body, model: 'other', thinking: undefined, stream: true }
  expect(compareBodies('anthropic', body, later)).toMatchObject({
    changed: null,
    settings: ['model', 'thinking'],
  })
})

test('the order in which a provider reads can be given', () => {
  const { body } = goodRequest('openai-chat')
  const later = { ...body, tools: [], messages: [{ role: 'system', content: 'Be short.' }] }
  const order = ['tools', 'instructions', 'conversation'] as const
  expect(compareBodies('openai-chat', body, later).changed?.segment).toBe('instructions')
  expect(compareBodies('openai-chat', body, later, order).changed?.segment).toBe('tools')
})
