import { describe, expect, test } from 'vitest'
import { ERROR_TRAITS, ErrorType, ToolError } from '../../../src/tools/response/error-type.ts'
import {
  fail,
  isToolResponse,
  responseError,
  succeed,
} from '../../../src/tools/response/tool-response.ts'

const intent = { type: 'END_VOICE_SESSION', when: 'after-turn' } as const
const error = { type: 'CONFLICT', message: 'Taken.' }

describe('envelopes', () => {
  test.each<{ value: unknown }>([
    { value: succeed({ id: 1 }) },
    { value: succeed(null, { intents: [intent], meta: { cached: true } }) },
    { value: succeed(null, { content: [{ type: 'text', text: 'Read this.' }] }) },
    { value: fail('CONFLICT', 'Taken.') },
    { value: { ok: true, data: undefined, intents: [] } },
    { value: { ok: true, data: 1, intents: [{ type: 'X', when: 'toString' }, null] } },
    { value: { ok: false, error } },
    { value: { ok: false, error: { type: 'TYPE_OF_THEIR_OWN', message: 'No.' }, meta: {} } },
  ])('$value', ({ value }) => {
    expect(isToolResponse(value)).toBe(true)
  })
})

describe('plain data', () => {
  test.each<{ value: unknown }>([
    { value: undefined },
    { value: null },
    { value: 'ok' },
    { value: [succeed(1)] },
    { value: { ok: true } },
    { value: { ok: true, count: 3 } },
    { value: { ok: true, data: 1, count: 3 } },
    { value: { ok: true, data: 1, meta: 'none' } },
    { value: { ok: true, data: 1, content: 'text' } },
    { value: { ok: true, data: 1, content: [null] } },
    { value: { ok: true, data: 1, content: [{ type: 'video', mediaType: 'a/b', data: '' }] } },
    { value: { ok: true, data: 1, content: [{ type: 'image', mediaType: 'a/b' }] } },
    { value: { ok: true, data: 1, content: [{ type: 'resource', uri: 'a:b', data: 1 }] } },
    { value: { ok: false, error: 'no' } },
    { value: { ok: false, error: { message: 'no' } } },
    { value: { ok: false, error, data: 1 } },
    { value: { ok: 'true', data: 1 } },
    { value: Object.create({ ok: true, data: 1 }) },
  ])('$value', ({ value }) => {
    expect(isToolResponse(value)).toBe(false)
  })
})

describe('what follows from the type of an error', () => {
  test.each(Object.values(ErrorType))('%s: the same however it is made', (type) => {
    const traits = ERROR_TRAITS[type]
    expect(fail(type, 'No.').error).toEqual({ type, message: 'No.', ...traits, details: {} })
    expect(responseError(type, 'No.')).toEqual(fail(type, 'No.').error)
    expect(new ToolError(type, 'No.')).toMatchObject({ type, message: 'No.', ...traits })
  })

  test('can be overruled by a handler', () => {
    const options = { retryable: true, details: { after: 5 } }
    expect(fail('CONFLICT', 'Taken.', options).error).toMatchObject(options)
    expect(new ToolError('CONFLICT', 'Taken.', options)).toMatchObject(options)
  })

  test('a tool error is known by its shape, not by its class', () => {
    const copy = Object.assign(new Error('Taken.'), { name: 'ToolError', type: 'CONFLICT' })
    expect([ToolError.is(copy), ToolError.is(new Error('Taken.')), ToolError.is('no')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
