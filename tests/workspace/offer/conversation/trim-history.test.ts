import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryMessage } from '../../../../src/workspace/offer/conversation/history-message.ts'
import {
  trimHistory,
  type TrimOptions,
} from '../../../../src/workspace/offer/conversation/trim-history.ts'

/** Returns the messages that stay. */
function trim(messages: readonly HistoryMessage[], options: TrimOptions) {
  const { opening, from } = trimHistory(messages, options)
  return messages.filter((_, index) => index === opening || index >= from)
}

/** A conversation of turns, each a question, some rounds of calls, and an answer. */
const conversation = fc
  .array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((turns) => {
    let at = 0
    return turns.flatMap((rounds, turn): HistoryMessage[] => [
      { role: 'user', content: `Question ${turn}` },
      ...rounds.flatMap((calls): HistoryMessage[] => {
        const ids = Array.from({ length: calls }, () => `c${(at += 1)}`)
        return [
          { role: 'assistant', content: '', calls: ids },
          { role: 'results', content: '12:00', results: ids.map((call) => ({ call })) },
        ]
      }),
      { role: 'assistant', content: `Answer ${turn}` },
    ])
  })

const callsOf = (messages: readonly HistoryMessage[]) => messages.flatMap(({ calls = [] }) => calls)

const answered = (messages: readonly HistoryMessage[]) =>
  messages.flatMap(({ results = [] }) => results.map(({ call }) => call))

const sizes = fc.tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 19 }))

test('no call is separated from its result, the first question stays, and so does the end', () => {
  fc.assert(
    fc.property(conversation, sizes, (messages, [above, keep]) => {
      const kept = trim(messages, { above, keep: Math.min(keep, above - 1) })
      expect(kept[0]).toBe(messages[0])
      expect(kept.at(-1)).toBe(messages.at(-1))
      expect(callsOf(kept)).toEqual(answered(kept))
      const rest = kept.slice(1)
      expect(rest).toEqual(rest.length === 0 ? [] : messages.slice(-rest.length))
    }),
  )
})

test('a conversation that is short enough is not changed', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      expect(trim(messages, { above: messages.length, keep: 1 })).toEqual(messages)
    }),
  )
})

test('the cut moves in blocks', () => {
  const messages = Array.from({ length: 40 }, (_, at): HistoryMessage => {
    return { role: at % 2 === 0 ? 'user' : 'assistant', content: `${at}` }
  })
  const cuts = [12, 13, 14, 18, 19, 20, 24, 25].map(
    (length) => trim(messages.slice(0, length), { above: 12, keep: 6 })[1]?.content,
  )
  expect(cuts).toEqual(['1', '6', '6', '6', '12', '12', '12', '18'])
})

test('a call that nobody answered yet keeps what is before it', () => {
  const open: HistoryMessage = {
    role: 'assistant',
    content: '',
    calls: ['c1'],
  }
  const rest = Array.from({ length: 9 }, (): HistoryMessage => ({ role: 'user', content: 'So?' }))
  const messages = [{ role: 'user', content: 'First.' } satisfies HistoryMessage, open, ...rest]
  expect(trim(messages, { above: 4, keep: 2 })).toContain(open)
})
