import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { dropDeadReferences } from '../../../../src/connections/wires/ai-sdk/model-output.ts'

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
  for (const message of [resultOf('read'), resultOf()]) {
    expect(dropDeadReferences(message, new Set(['read']))).toBe(message)
  }
})

test('references to other tools go, and nothing else', () => {
  const message = resultOf('read', 'shred')
  expect(dropDeadReferences(message, new Set(['read']))).toEqual(resultOf('read'))
})
