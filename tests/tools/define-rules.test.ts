import { expect, test } from 'vitest'
import { defineRules, type RulesSpec } from '../../src/tools/define-rules.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'

test('rules are the same wherever they were read', () => {
  const rules = defineRules({
    topic: 'pages',
    text: 'Look before you leap.',
    path: 'rules/pages.md',
  })
  const again = defineRules({ topic: 'pages', text: 'Look before you leap.' })
  expect(rules.hash).toBe(again.hash)
  expect(defineRules({ topic: 'pages', text: 'Leap.' }).hash).not.toBe(rules.hash)
  expect(defineRules({ topic: 'images', text: rules.text }).hash).not.toBe(rules.hash)
  expect(Object.isFrozen(rules)).toBe(true)
})

test.each<{ spec: unknown; field: string }>([
  { spec: { topic: '', text: 'x' }, field: 'topic' },
  { spec: { topic: 'pages', text: ' ' }, field: 'text' },
  { spec: { topic: 'pages' }, field: 'text' },
  { spec: { topic: 'pages', text: 'x', path: 1 }, field: 'path' },
  { spec: null, field: '' },
])('rules like $spec are refused at "$field"', ({ spec, field }) => {
  try {
    defineRules(spec as RulesSpec)
    expect.unreachable()
  } catch (error) {
    expect(WorkspaceError.is(error) && [error.code, error.facts.field]).toEqual([
      'RULES_INVALID',
      field,
    ])
  }
})

test.each<[field: string, meant: string]>([
  ['name', 'topic'],
  ['rules', 'text'],
  ['instructions', 'text'],
  ['content', 'text'],
  ['topics', 'topic'],
])('the unknown field %s is refused: did you mean %s', (field, meant) => {
  const spec = { topic: 'pages', text: 'Look.', [field]: 'x' }
  expect(() => defineRules(spec)).toThrow(
    expect.objectContaining({
      code: 'RULES_INVALID',
      message: `Rules for "pages": "${field}" is not a field of rules.`,
      hint: `Did you mean "${meant}"?`,
    }),
  )
})
