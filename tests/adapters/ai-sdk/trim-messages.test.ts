import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trimMessages } from '../../../src/adapters/ai-sdk/trim-messages.ts'

/** A conversation of turns, each a question, some rounds of calls, and an answer. */
const conversation = fc
  .array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((turns) => {
    let at = 0
    return turns.flatMap((rounds, turn): ModelMessage[] => [
      { role: 'user', content: `Question ${turn}` },
      ...rounds.flatMap((calls): ModelMessage[] => {
        const ids = Array.from({ length: calls }, () => `c${(at += 1)}`)
        return [
          {
            role: 'assistant',
            content: ids.map((id) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: 'clock',
              input: {},
            })),
          },
          {
            role: 'tool',
            content: ids.map((id) => ({
              type: 'tool-result' as const,
              toolCallId: id,
              toolName: 'clock',
              output: { type: 'text' as const, value: '12:00' },
            })),
          },
        ]
      }),
      { role: 'assistant', content: `Answer ${turn}` },
    ])
  })

function idsOf(messages: readonly ModelMessage[], type: 'tool-call' | 'tool-result') {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === type ? part.toolCallId : [])),
  )
}

const sizes = fc.tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 19 }))

test('no call is separated from its result, the first question stays, and so does the end', () => {
  fc.assert(
    fc.property(conversation, sizes, (messages, [above, keep]) => {
      const kept = trimMessages(messages, { above, keep: Math.min(keep, above - 1) })
      expect(kept[0]).toBe(messages[0])
      expect(kept.at(-1)).toBe(messages.at(-1))
      expect(idsOf(kept, 'tool-call')).toEqual(idsOf(kept, 'tool-result'))
      const rest = kept.slice(1)
      expect(rest).toEqual(rest.length === 0 ? [] : messages.slice(-rest.length))
    }),
  )
})

test('a conversation that is short enough is not changed', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      expect(trimMessages(messages, { above: messages.length, keep: 1 })).toBe(messages)
    }),
  )
})

test('the cut moves in blocks', () => {
  const messages = Array.from({ length: 40 }, (_, at): ModelMessage => {
    return { role: at % 2 === 0 ? 'user' : 'assistant', content: `${at}` }
  })
  const cuts = [12, 13, 14, 18, 19, 20, 24, 25].map(
    (length) => trimMessages(messages.slice(0, length), { above: 12, keep: 6 })[1]?.content,
  )
  expect(cuts).toEqual(['1', '6', '6', '6', '12', '12', '12', '18'])
})

test('a call that nobody answered yet keeps what is before it', () => {
  const open: ModelMessage = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'clock', input: {} }],
  }
  const rest = Array.from({ length: 9 }, (): ModelMessage => ({ role: 'user', content: 'So?' }))
  const messages = [{ role: 'user', content: 'First.' } satisfies ModelMessage, open, ...rest]
  expect(trimMessages(messages, { above: 4, keep: 2 })).toContain(open)
})
