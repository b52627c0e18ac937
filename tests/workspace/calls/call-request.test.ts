import { createCatalog, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { DEFAULT_CALL_LIMITS, settleCallLimits } from '../../../src/workspace/calls/call-request.ts'

test('what is not given, or given as undefined, is the default', () => {
  const unset: object = { timeoutMs: undefined, maxBytes: undefined, stream: { bytes: 10 } }
  expect(settleCallLimits()).toEqual(DEFAULT_CALL_LIMITS)
  expect(settleCallLimits({ ...unset, retries: 0, drainMs: 0, backgroundMs: Infinity })).toEqual({
    ...DEFAULT_CALL_LIMITS,
    stream: { outputs: 10_000, bytes: 10 },
    retries: 0,
    drainMs: 0,
    backgroundMs: Infinity,
  })
})

test.each<{ limits: object; message: string }>([
  { limits: { maxBytes: Number.NaN }, message: 'limits.maxBytes is NaN' },
  { limits: { depth: -1 }, message: 'limits.depth is -1' },
  { limits: { timeoutMs: 0 }, message: 'limits.timeoutMs is 0' },
  { limits: { timeoutMs: '100' }, message: 'limits.timeoutMs is "100"' },
  { limits: { stream: { outputs: Number.NaN } }, message: 'limits.stream.outputs is NaN' },
  { limits: { stream: 5 }, message: 'limits.stream is 5' },
  { limits: { timeOutMs: 5 }, message: 'limits.timeOutMs is not known' },
  { limits: { stream: { bites: 1 } }, message: 'limits.stream.bites is not known' },
  { limits: { toString: 5 }, message: 'limits.toString is not known' },
])('$message, so the workspace is not opened', async ({ limits, message }) => {
  const catalog = await createCatalog({})
  await expect(VirtualWorkspace.open({ catalog, limits })).rejects.toMatchObject({
    code: 'LIMITS_INVALID',
    message: expect.stringContaining(message),
  })
})
