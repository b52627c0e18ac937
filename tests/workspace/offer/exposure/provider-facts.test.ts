import { expect, test } from 'vitest'
import { factsOfModel } from '../../../../src/workspace/offer/exposure/provider-facts.ts'

test.each([
  { model: 'claude-opus-4-7', adds: false },
  { model: 'claude-opus-4-20250514', adds: false },
  { model: 'claude-opus-4-8', adds: true },
  { model: 'claude-opus-4-8-20260528', adds: true },
  { model: 'claude-opus-5', adds: true },
  { model: 'claude-opus-5-5', adds: true },
  { model: 'claude-sonnet-5', adds: false },
  { model: 'claude-sonnet-5-20260801', adds: false },
  { model: 'claude-sonnet-5-5', adds: true },
  { model: 'claude-haiku-4-5', adds: false },
  { model: 'claude-haiku-5-5', adds: true },
  { model: 'claude-fable-5', adds: true },
  { model: 'claude-mythos-5-1', adds: true },
  { model: 'anthropic.claude-opus-4-8', adds: false },
  { model: 'constructor', adds: false },
])('$model takes tools in the conversation: $adds', ({ model, adds }) => {
  const facts = factsOfModel('anthropic', model)
  expect([facts.adds, facts.removes]).toEqual([adds, adds])
})
