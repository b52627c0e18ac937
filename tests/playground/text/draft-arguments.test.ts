import { expect, test } from 'vitest'
import { draftArguments, readArguments } from '../../../src/playground/changes/make-call.ts'

test.each<[object | undefined, string]>([
  [undefined, '{|}'],
  [{ type: 'object', properties: { limit: { type: 'integer' } } }, '{|}'],
  [
    {
      required: ['n', 'file', 'sure', 'rows', 'where', 'how', 'always', 'nothing'],
      properties: {
        n: { type: 'integer' },
        file: { type: 'string' },
        sure: { type: 'boolean' },
        rows: { type: 'array' },
        where: { type: ['object', 'null'] },
        how: { enum: ['fast', 'slow'] },
        always: { const: 7 },
        nothing: { default: { a: 1 } },
      },
    },
    '{"n": 0, "file": "|", "sure": false, "rows": [], "where": {}, "how": "fast", "always": 7, "nothing": {"a":1}}',
  ],
  [
    { required: ['__proto__', 3], properties: { constructor: { type: 'string' } } },
    '{"__proto__": "|"}',
  ],
])('the draft for %j is %s', (schema, draft) => {
  const { text, cursor } = draftArguments(schema as never)
  expect(`${text.slice(0, cursor)}|${text.slice(cursor)}`).toBe(draft)
  expect(readArguments(text)).toMatchObject({ ok: true })
})
