import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { dropDeadReferences } from '../../../src/adapters/ai-sdk/prepare-step.ts'

const referenceTo = (toolName: string) => ({
  type: 'custom' as const,
  providerOptions: { anthropic: { type: 'tool-reference', toolName } },
})

function resultOf(...names: string[]): ModelMessage {
  const value = [{ type: 'text' as const, text: '{}' }, ...names.map(referenceTo)]
  const output = { type: 'content' as const, value }
  const result = { type: 'tool-result' as const, toolCallId: 'c1', toolName: 'tool_search', output }
  return { role: 'tool', content: [result] }
}

test('references to tools of the request stay, and their messages with them', () => {
  const messages = [resultOf('read'), resultOf()]
  const kept = dropDeadReferences(messages, new Set(['read']))
  expect(kept[0]).toBe(messages[0])
  expect(kept[1]).toBe(messages[1])
})

test('references to other tools go, and nothing else', () => {
  expect(dropDeadReferences([resultOf('read', 'shred')], new Set(['read']))).toEqual([
    resultOf('read'),
  ])
})
