import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  argumentIssues,
  textOfField,
  formFields,
  initialArguments,
  fieldIssue,
  nextChoice,
  withField,
} from '../../../../src/workbench/playground/changes/form-fields.ts'

const MAIL = {
  type: 'object',
  required: ['to', 'subject'],
  additionalProperties: false,
  properties: {
    to: { type: 'array', items: { type: 'string' }, minItems: 1 },
    subject: { type: 'string', description: 'One line.', minLength: 3 },
    priority: { enum: ['low', 'normal', 'high'], default: 'normal' },
    draft: { type: 'boolean' },
    copies: { type: ['integer', 'null'] },
    options: {
      type: 'object',
      required: ['retry'],
      properties: { retry: { type: 'integer' }, tags: { $ref: '#/$defs/tags' } },
    },
    raw: {},
  },
  $defs: { tags: { type: 'array', items: { type: 'string' } } },
} as const

const field = (value: unknown, label: string) => {
  const found = formFields(MAIL, value).find((one) => one.label === label)
  if (found === undefined) throw new Error(label)
  return found
}

test('a form has a field for each property, the parts of objects, and one more item of an array', () => {
  const fields = formFields(MAIL, { to: ['ada'] })
  expect(fields.map(({ label, kind, required }) => [label, kind, required])).toEqual([
    ['to[0]', 'text', false],
    ['to[1]', 'text', false],
    ['subject', 'text', true],
    ['priority', 'choice', false],
    ['draft', 'choice', false],
    ['copies', 'number', false],
    ['options.retry', 'number', true],
    ['options.tags[0]', 'text', false],
    ['raw', 'json', false],
  ])
})

test('defaults and constants are filled in', () => {
  expect(initialArguments(MAIL)).toEqual({ priority: 'normal' })
  const nested = { properties: { where: { properties: { how: { const: 7 } } } } }
  expect(initialArguments(nested)).toEqual({ where: { how: 7 } })
  expect(initialArguments({})).toEqual({})
})

describe('typing', () => {
  test.each([
    ['subject', 'Hello', { subject: 'Hello' }],
    ['to[0]', 'ada', { to: ['ada'] }],
    ['draft', 'true', { draft: true }],
    ['priority', 'high', { priority: 'high' }],
    ['copies', '3', { copies: 3 }],
    ['copies', '1.', { copies: '1.' }],
    ['copies', 'x', { copies: 'x' }],
    ['options.retry', '2', { options: { retry: 2 } }],
    ['raw', '{"a": [1]}', { raw: { a: [1] } }],
    ['raw', '{"a": ', { raw: '{"a": ' }],
  ])('%s as %s', (label, text, value) => {
    expect(withField({}, field({}, label), text)).toEqual(value)
  })

  test('an empty text removes the value, and what it leaves empty', () => {
    const value = { to: ['ada', 'bob'], options: { retry: 2 }, subject: 'x' }
    const without = withField(value, field(value, 'options.retry'), '')
    expect(without).toEqual({ to: ['ada', 'bob'], subject: 'x' })
    expect(withField(value, field(value, 'to[0]'), '')).toMatchObject({ to: ['bob'] })
  })

  test('what was typed is shown again, and other fields keep their values', () => {
    const labels = formFields(MAIL, {}).map(({ label }) => label)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...labels), fc.string({ minLength: 1 })), {
          maxLength: 8,
        }),
        (typed) => {
          let value: unknown = {}
          const last = new Map<string, string>()
          for (const [label, text] of typed) {
            value = withField(value, field(value, label), text)
            last.set(label, text)
          }
          for (const [label, text] of last) {
            const one = field(value, label)
            if (one.kind === 'text') expect(textOfField(value, one)).toBe(text)
          }
          expect(JSON.parse(JSON.stringify(value))).toEqual(value)
        },
      ),
    )
  })
})

test('each field shows its own problem while it is typed', () => {
  const value = { to: ['ada'], subject: 'x', copies: 'many', options: {} }
  const issues = argumentIssues(MAIL, value)
  expect(fieldIssue(field(value, 'subject'), issues)).toContain('3')
  expect(fieldIssue(field(value, 'copies'), issues)).toContain('integer')
  expect(fieldIssue(field(value, 'options.retry'), issues)).toBe('is required')
  expect(fieldIssue(field(value, 'to[0]'), issues)).toBeNull()
  expect(argumentIssues(MAIL, { to: ['ada'], subject: 'Hello' })).toEqual([])
})

test('choices go round, and an optional one can be empty', () => {
  const priority = field({}, 'priority')
  expect(nextChoice(priority, 'high', 1)).toBe('')
  expect(nextChoice(priority, '', 1)).toBe('low')
  expect(nextChoice(priority, '', -1)).toBe('high')
  expect(nextChoice({ ...priority, required: true }, 'high', 1)).toBe('low')
})

test.each([
  { format: 'email', says: 'must be an e-mail address, such as ada@example.org' },
  { format: 'other', says: 'must match the pattern "^x$"' },
])('a value that is no $format is told so, not by its pattern', ({ format, says }) => {
  const schema = { type: 'object', properties: { to: { type: 'string', format, pattern: '^x$' } } }
  const value = { to: 'ada' }
  const [to] = formFields(schema, value)
  expect(to && fieldIssue(to, argumentIssues(schema, value))).toBe(says)
})
