import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  DEFAULT_CALL_LIMITS,
  settleCallLimits,
} from '../../../src/workspace/calls/request/call-limits.ts'

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

test('a handler gets the members of its arguments in their order, whose digest does not depend on it', async () => {
  const write = defineTool({
    name: 'write',
    description: 'Write a file of settings.',
    requiresConfirmation: true,
    inputSchema: z.object({ settings: z.record(z.string(), z.unknown()) }),
    execute: ({ settings }) => JSON.stringify(settings),
  })
  const catalog = await createCatalog({ tools: [write] })
  const workspace = await VirtualWorkspace.open({ catalog })
  const settings = { name: 'a', version: 1, bin: { z: 1, b: 2 } }
  await workspace.callTool('write', { settings })
  const { bin, ...others } = settings
  await workspace.callTool('write', { settings: { bin, ...others } })
  const [asked, ...more] = workspace.state.confirmations
  expect(more).toEqual([])
  await workspace.approve(String(asked?.id))
  const { data } = (await workspace.callTool('write', { settings })) as { readonly data?: unknown }
  expect(data).toBe('{"name":"a","version":1,"bin":{"z":1,"b":2}}')
})

test('arguments of call_tool that cannot be read are refused in an envelope', async () => {
  const catalog = await createCatalog({})
  const workspace = await VirtualWorkspace.open({ catalog, metaTools: ['call_tool'] })
  const input = {
    get name(): string {
      throw new Error('not now')
    },
  }
  const response = await workspace.callTool('call_tool', input, { caller: 'model' })
  expect(response).toMatchObject({ ok: false, error: { type: 'VALIDATION' } })
})
