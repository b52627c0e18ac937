import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { describeEvent } from '../../../src/engine/explain/describe-event.ts'
import type { JsonValue } from '../../../src/kernel/json-value.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { fail, succeed } from '../../../src/tools/response/tool-response.ts'
import { cutJson } from '../../../src/workspace/calls/handlers/cut-result.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import type { WorkspaceOptions } from '../../../src/workspace/open/workspace-options.ts'

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

describe('cutting JSON', () => {
  const values = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>

  test('leaves what fits as it is', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(cutJson(value, bytesOf(value))).toEqual(value)
      }),
    )
  })

  test('never leaves more bytes than may be left', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 4, max: 200 }), (value, most) => {
        expect(bytesOf(cutJson(value, most))).toBeLessThanOrEqual(most)
      }),
    )
  })

  test.each<{ what: string; value: JsonValue; kept: object }>([
    {
      what: 'an object keeps its members, and its long text is cut',
      value: { before: 1, stdout: 'x'.repeat(5_000), exitCode: 3 },
      kept: { before: 1, stdout: expect.stringMatching(/^x{200,}…$/u), exitCode: 3 },
    },
    {
      what: 'a list keeps its beginning',
      value: { rows: Array.from({ length: 900 }, (_, index) => index), total: 900 },
      kept: { rows: expect.arrayContaining([0, 1, 2, 50]), total: 900 },
    },
    {
      what: 'escapes count by their bytes',
      value: { text: '\u0000'.repeat(500) },
      kept: { text: expect.stringMatching(/…$/u) },
    },
  ])('$what', ({ value, kept }) => {
    const cut = cutJson(value, 1_000)
    expect(cut).toMatchObject(kept)
    expect(bytesOf(cut)).toBeLessThanOrEqual(1_000)
  })

  test('a text keeps whole characters', () => {
    const cut = cutJson('😀'.repeat(100), 50) as string
    expect(cut.isWellFormed()).toBe(true)
    expect(cut).toMatch(/^(?:😀|\uFFFD)+…$/u)
  })
})

type Options = Partial<WorkspaceOptions>

async function called(execute: () => unknown, options: Options = {}, more: object = {}) {
  const build = defineTool({ name: 'build', description: 'Build it.', execute, ...more })
  const catalog = await createCatalog({ tools: [build] })
  const limits = { maxBytes: 1_000, contentBytes: 10_000, ...options.limits }
  const workspace = await VirtualWorkspace.open({ catalog, ...options, limits })
  const outputs: unknown[] = []
  const onOutput = ({ output }: { output: unknown }) => void outputs.push(output)
  const response = await workspace.callTool('build', {}, { onOutput })
  const entries = await workspace.entries()
  return { response, outputs, last: entries.at(-1)?.event }
}

const long = 'line\n'.repeat(1_000)

describe('a result over the limit', () => {
  test('is cut with a note for the model, after the tool has done its work', async () => {
    const { response, last } = await called(() => ({ stdout: long, exitCode: 0 }))
    expect(response).toMatchObject({
      ok: true,
      data: { stdout: expect.stringMatching(/^line\n[^]*…$/u), exitCode: 0 },
      content: [
        { type: 'text', text: expect.stringContaining('"exitCode":0') },
        {
          type: 'text',
          text: 'The result was cut, because it has 6026 bytes. The tool has done its work.',
        },
      ],
      meta: { warnings: [expect.stringContaining('The result was cut')] },
    })
    expect(response.ok && bytesOf(response.data)).toBeLessThanOrEqual(1_000)
    expect(last).toMatchObject({ type: 'call.ended', ok: true, cut: { bytes: 6026 } })
    expect(last && describeEvent(last)).toContain('cut from 6026 bytes')
  })

  test.each([
    { what: 'a text', result: long, mediaType: 'text/plain', whole: long },
    {
      what: 'an object',
      result: { long },
      mediaType: 'application/json',
      whole: JSON.stringify({ long }),
    },
  ])('is stored whole where the host has a store: $what', async ({ result, mediaType, whole }) => {
    const stored: { digest: string; mediaType: string; text: string }[] = []
    const blobs: Options['blobs'] = {
      put: ({ bytes, ...blob }) => void stored.push({ ...blob, text: String(Buffer.from(bytes)) }),
    }
    const { response, last } = await called(() => result, { blobs })
    const digest = `sha256:${createHash('sha256').update(whole).digest('hex')}`
    expect(stored).toEqual([{ digest, mediaType, text: whole }])
    expect(JSON.stringify(response)).toContain(`All of it is stored as ${digest}.`)
    expect(last).toMatchObject({ cut: { digest } })
  })

  test('is not said to be stored when the store fails', async () => {
    const blobs = { put: () => Promise.reject(new Error('full')) }
    const { response, last } = await called(() => long, { blobs })
    expect(response).toMatchObject({ ok: true, meta: { warnings: expect.anything() } })
    expect(JSON.stringify(response)).not.toContain('is stored as')
    expect(last).not.toHaveProperty('cut.digest')
  })

  test('that is too large to be read is left out', async () => {
    const { response } = await called(() => 'x'.repeat(20_000))
    expect(response).toMatchObject({
      ok: true,
      data: null,
      content: [{ text: expect.stringContaining('more than 10000 bytes, so it was left out') }],
    })
  })

  test('is checked by its schema before it is cut', async () => {
    const outputSchema = z.object({ long: z.string().length(5_000) })
    const fine = await called(() => ({ long }), {}, { outputSchema })
    expect(fine.response).toMatchObject({ ok: true })
    const wrong = await called(() => ({ long: `${long}x` }), {}, { outputSchema })
    expect(wrong.response).toMatchObject({ ok: false, error: { type: 'BAD_OUTPUT' } })
  })

  test('with parts keeps them: they are what the model reads', async () => {
    const content = [{ type: 'text', text: 'Built 12 files.' } as const]
    const { response } = await called(() => succeed({ long }, { content }))
    expect(response).toMatchObject({
      ok: true,
      content: [content[0], { text: expect.stringContaining('was cut') }],
    })
  })

  test('of a part with data is a sentence', async () => {
    const data = Buffer.alloc(20_000)
    const chart = { type: 'image', mediaType: 'image/png', name: 'a.png', data } as const
    const { response } = await called(() => succeed({ n: 1 }, { content: [chart] }))
    expect(response).toMatchObject({
      ok: true,
      data: { n: 1 },
      content: [
        {
          type: 'text',
          text: 'A part of the type image was left out, a.png, image/png: the parts of a result may have 10000 bytes of data.',
        },
      ],
    })
  })

  test('of a failure is still that failure', async () => {
    const { response } = await called(() => fail('CONFLICT', 'No.', { details: { long, id: 7 } }))
    expect(response).toMatchObject({
      ok: false,
      error: { type: 'CONFLICT', message: 'No.', details: { id: 7 } },
    })
    expect(bytesOf(response)).toBeLessThan(1_500)
  })

  test.each([() => long, () => ({ long })])('fails where the host says so', async (execute) => {
    const { response } = await called(execute, { limits: { oversized: 'fail' } })
    expect(response).toMatchObject({ ok: false, error: { type: 'BAD_OUTPUT' } })
  })

  test('a wrong value of the option is refused', async () => {
    const wrong = called(() => 1, { limits: { oversized: 'trim' } } as unknown as Options)
    await expect(wrong).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  })
})

describe('outputs over the limits of a stream', () => {
  test('are not reported, and the result counts', async () => {
    async function* execute() {
      for (let n = 0; n < 9; n += 1) yield { n, log: 'x'.repeat(n === 4 ? 2_000 : 10) }
      return { done: true }
    }
    const limits = { stream: { outputs: 7, bytes: 100_000 } }
    const { response, outputs } = await called(execute, { limits })
    expect(outputs.map((one) => (one as { n: number }).n)).toEqual([0, 1, 2, 3, 5, 6])
    expect(response).toMatchObject({ ok: true, data: { done: true } })
  })

  test('the last of them is the result, and cut like any other', async () => {
    async function* execute() {
      yield { n: 1 }
      yield { n: 2, long }
    }
    const { response, outputs } = await called(execute)
    expect(outputs).toEqual([{ n: 1 }])
    expect(response).toMatchObject({ ok: true, data: { n: 2, long: expect.stringMatching(/…$/u) } })
  })

  test('an endless stream ends at the time limit', async () => {
    async function* execute() {
      for (;;) yield await Promise.resolve(1)
    }
    const limits = { timeoutMs: 100, stream: { outputs: 5, bytes: 100 } }
    const { response } = await called(execute, { limits })
    expect(response).toMatchObject({ ok: false, error: { type: 'TIMEOUT' } })
  })
})
