import { type HandlerError, ToolError } from 'loadout'
import { expect, test } from 'vitest'
import { aTool, aWorkspace } from '../a-workspace.ts'

async function told(error: unknown, redact?: { readonly secrets: readonly string[] }) {
  const given: HandlerError[] = []
  const throwing = aTool('ask', {
    execute: () => {
      throw error
    },
  })
  const workspace = await aWorkspace(
    {},
    {
      tools: [throwing],
      onHandlerError: (thrown) => given.push(thrown),
      ...(redact && { redact }),
    },
  )
  const response = await workspace.callTool('ask', {}, { call: 'c1' })
  return { error: response.ok ? null : response.error, given }
}

test.each<{ thrown: unknown; message: string }>([
  {
    thrown: new Error('db down: password=hunter2'),
    message: 'The handler threw: db down: password=[redacted]',
  },
  {
    thrown: new TypeError('no "x"\n    at secret.ts:3'),
    message: 'The handler threw: TypeError: no "x"',
  },
  {
    thrown: new Error('cannot reach postgres://ada:s3cret@db/shop'),
    message: 'The handler threw: cannot reach postgres://[redacted]@db/shop',
  },
  {
    thrown: new Error('401 for Bearer abcdefgh12345678'),
    message: 'The handler threw: 401 for [redacted]',
  },
  {
    thrown: new Error('API_KEY: "a b c", retry later'),
    message: 'The handler threw: API_KEY: [redacted], retry later',
  },
  { thrown: new Error('no tokens left: 3'), message: 'The handler threw: no tokens left: 3' },
  { thrown: 'a text', message: 'The handler threw: a text' },
])('a model reads "$message"', async ({ thrown, message }) => {
  const { error, given } = await told(thrown)
  expect(error).toMatchObject({ type: 'INTERNAL', message })
  expect(given).toEqual([{ call: 'c1', tool: 'ask', attempt: 1, error: thrown }])
})

test('the rules of the host hide its own secrets, too', async () => {
  const { error } = await told(new Error('no horse-battery here'), { secrets: ['horse-battery'] })
  expect(error?.message).toBe('The handler threw: no [redacted] here')
})

test('a ToolError is meant for the model, and no exception', async () => {
  const { error, given } = await told(new ToolError('CONFLICT', 'Taken.\nTry another name.'))
  expect(error).toMatchObject({ type: 'CONFLICT', message: 'Taken.\nTry another name.' })
  expect(given).toEqual([])
})

test('a listener that throws does no harm, and a message of a million letters is cut', async () => {
  const workspace = await aWorkspace(
    {},
    {
      tools: [aTool('ask', { execute: () => Promise.reject(new Error('a='.repeat(500_000))) })],
    },
  )
  const response = await workspace.callTool('ask', {})
  expect(response.ok ? '' : response.error.message.length).toBeLessThan(2_100)
})
