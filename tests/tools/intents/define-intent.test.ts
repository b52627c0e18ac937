import { defineIntent } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'

test.each<{ spec: object; code: string; message: string }>([
  {
    spec: { type: 'HAND_OFF', when: 'now', payload: z.string() },
    code: 'SCHEMA_INVALID',
    message: 'Intent "HAND_OFF", field "payload": This schema must describe an object, not string.',
  },
  {
    spec: { type: 'HAND_OFF', when: 'later' },
    code: 'INTENT_INVALID',
    message: 'Intent "HAND_OFF", field "when": must be one of now, after-turn, next-turn.',
  },
  {
    spec: { type: 'hand off', when: 'now' },
    code: 'INTENT_INVALID',
    message:
      'Intent "hand off", field "type": must be a name of letters, digits, "_", "-", "." and ":".',
  },
])('$message', ({ spec, code, message }) => {
  expect(() => defineIntent(spec as Parameters<typeof defineIntent>[0])).toThrow(
    expect.objectContaining({ code, message }),
  )
})

test.each<[field: string, meant: string]>([
  ['name', 'type'],
  ['moment', 'when'],
  ['schema', 'payload'],
  ['inputSchema', 'payload'],
  ['payloads', 'payload'],
])('the unknown field %s is refused: did you mean %s', (field, meant) => {
  const spec = { type: 'HAND_OFF', when: 'now', [field]: {} } as const
  expect(() => defineIntent(spec)).toThrow(
    expect.objectContaining({
      code: 'INTENT_INVALID',
      message: `Intent "HAND_OFF": "${field}" is not a field of an intent.`,
      hint: `Did you mean "${meant}"?`,
    }),
  )
})
