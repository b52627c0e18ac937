import fc from 'fast-check'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import { expect, test } from 'vitest'
import { CHAT_MESSAGES } from '../../../src/connections/wires/openai/chat-messages.ts'
import { groupHistory } from '../../../src/workspace/conversation/group-history.ts'

/** Few ids, so that some come again, and results come without their calls. */
const id = fc.constantFrom('a', 'b', 'c')

const text = fc.constantFrom('One.', 'Two.', 'Three.')

const called = (name: string) => ({
  id: name,
  type: 'function' as const,
  function: { name: 'look', arguments: '{}' },
})

const message: fc.Arbitrary<ChatCompletionMessageParam> = fc.oneof(
  { weight: 3, arbitrary: text.map((content) => ({ role: 'user' as const, content })) },
  text.map((content) => ({ role: 'assistant' as const, content })),
  { weight: 1, arbitrary: text.map((content) => ({ role: 'system' as const, content })) },
  fc.uniqueArray(id, { minLength: 1 }).map((ids) => ({
    role: 'assistant' as const,
    content: null,
    tool_calls: ids.map(called),
  })),
  {
    weight: 3,
    arbitrary: fc.tuple(id, text).map(([call, content]) => ({
      role: 'tool' as const,
      tool_call_id: call,
      content,
    })),
  },
)

const act = fc.oneof(
  { weight: 6, arbitrary: message.map((push) => ({ push })) },
  fc.record({ replace: fc.nat({ max: 20 }), by: message }),
  fc.record({ change: fc.nat({ max: 20 }), to: text }),
  fc.record({ recall: fc.nat({ max: 20 }), as: id }),
  fc.record({ keepFrom: fc.nat({ max: 3 }) }),
  fc.record({ drop: fc.nat({ max: 3 }) }),
)

test('a history that goes on, is cut or is edited is grouped as one that was never seen', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      let items: ChatCompletionMessageParam[] = []
      for (const one of acts) {
        if ('push' in one) items.push(structuredClone(one.push))
        else if ('replace' in one) {
          if (one.replace < items.length) items[one.replace] = structuredClone(one.by)
        } else if ('change' in one) Object.assign(items[one.change] ?? {}, { content: one.to })
        else if ('recall' in one) replaceCall(items[one.recall], one.as)
        else if ('keepFrom' in one) items = items.slice(one.keepFrom)
        else items = items.slice(0, Math.max(0, items.length - one.drop))
        const fresh = groupHistory(structuredClone(items), CHAT_MESSAGES)
        expect(groupHistory(items, CHAT_MESSAGES)).toEqual(fresh)
      }
    }),
    { numRuns: 1_000 },
  )
})

/** Replaces the first call of a message in its list. */
function replaceCall(item: ChatCompletionMessageParam | undefined, as: string): void {
  if (item?.role === 'assistant' && item.tool_calls) item.tool_calls[0] = called(as)
}

type Message = ChatCompletionMessageParam

const look: Message = { role: 'assistant', content: null, tool_calls: [called('a')] }

const next: Message = { role: 'user', content: 'And?' }

const found: Message = { role: 'tool', tool_call_id: 'a', content: 'Found.' }

test('a call is open again when its result, which came after another message, is cut', () => {
  const items = [structuredClone(look), structuredClone(next), structuredClone(found)]
  expect(groupHistory(items, CHAT_MESSAGES).open).toEqual([])
  expect(groupHistory(items.slice(0, 2), CHAT_MESSAGES).open).toMatchObject([{ id: 'a' }])
})

test('a result belongs to the call before it when a later call has the same id', () => {
  const items = structuredClone([look, found, next])
  groupHistory(items, CHAT_MESSAGES)
  items.push({ role: 'tool', tool_call_id: 'a', content: 'Found again.' }, structuredClone(look))
  const fresh = groupHistory(structuredClone(items), CHAT_MESSAGES)
  expect(groupHistory(items, CHAT_MESSAGES)).toEqual(fresh)
  expect(fresh.groups[1]?.items).toMatchObject([{ content: 'Found again.' }])
})

/** A history of turns with a call in each. */
function turns(count: number): ChatCompletionMessageParam[] {
  return Array.from({ length: count }, (_, turn): ChatCompletionMessageParam[] => [
    { role: 'user', content: `Question ${turn}` },
    { role: 'assistant', content: null, tool_calls: [called(`c${turn}`)] },
    { role: 'tool', tool_call_id: `c${turn}`, content: 'Found.' },
    { role: 'assistant', content: `Answer ${turn}` },
  ]).flat()
}

test.each([10, 150])('the groups of earlier turns are the same objects in turn %s', (count) => {
  const items = turns(count)
  const { groups } = groupHistory(items, CHAT_MESSAGES)
  items.push(...turns(1))
  const later = groupHistory(items, CHAT_MESSAGES).groups
  expect(later).toHaveLength(groups.length + 4)
  expect(groups.every((group, at) => group === later[at])).toBe(true)
})
