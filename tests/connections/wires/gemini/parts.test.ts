import { createCatalog, defineTool, succeed } from 'loadout'
import { forGemini } from 'loadout/gemini'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contentsOf, MODEL, openModel, openStore, question } from './a-model.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

async function openStudio() {
  const draw = defineTool({
    name: 'draw',
    description: 'Draw a chart.',
    inputSchema: z.object({}),
    execute: () =>
      succeed(
        { rows: 3 },
        {
          content: [
            { type: 'text', text: 'Three rows.' },
            { type: 'image', mediaType: 'image/png', data: PNG, name: 'chart.png' },
            { type: 'image', mediaType: 'image/gif', data: Buffer.from('GIF89a') },
            { type: 'file', mediaType: 'application/pdf', data: Buffer.from('%PDF-1') },
            { type: 'audio', mediaType: 'audio/mpeg', data: Buffer.from('ID3') },
          ],
        },
      ),
  })
  const catalog = await createCatalog({ tools: [draw] })
  return openStore([], { catalog, agent: undefined as never })
}

const FILES = [
  { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } },
  { inlineData: { mimeType: 'application/pdf', data: Buffer.from('%PDF-1').toString('base64') } },
]

test('images and PDF files are parts of the result, whose text describes all files', async () => {
  const { client, server } = await openModel([[{ name: 'draw' }], 'Done.'])
  const contents = [question('Draw it.')]
  await forGemini(await openStudio(), { model: MODEL }).run(client, { contents })
  const [result] = contentsOf(server.requests[1]?.body).at(-1)?.parts ?? []
  expect(result?.functionResponse?.parts).toEqual(FILES)
  const output = result?.functionResponse?.response?.['output']
  for (const text of ['Three rows.', 'chart.png', 'image/gif', 'application/pdf', 'audio/mpeg']) {
    expect(output).toContain(text)
  }
  expect(server.violations).toEqual([])
})

test('where the model takes no files in results, the step is made again and results only describe them', async () => {
  const message =
    'Unable to submit request because `function_response.parts` is not supported for this model.'
  const { client, server } = await openModel([
    [{ name: 'draw' }],
    { status: 400, message },
    [{ name: 'draw' }],
    'Done.',
  ])
  const gemini = forGemini(await openStudio(), { model: 'gemini-2.5-pro' })
  const contents = [question('Draw it.')]
  expect((await gemini.run(client, { contents })).status).toBe('done')
  expect(gemini.fellBack).toBe(true)
  const [, refused, again, last] = server.requests.map(({ body }) => JSON.stringify(body))
  expect(refused).toContain('inlineData')
  for (const text of [again, last]) {
    expect(text).not.toContain('inlineData')
    expect(text).toContain('chart.png')
  }
  expect(JSON.stringify(contents)).toContain('inlineData')
  expect(server.violations).toEqual([])
})

test('another error of the provider does not take files out of results', async () => {
  const { client } = await openModel([[{ name: 'draw' }], { status: 400, message: 'Too long.' }])
  const gemini = forGemini(await openStudio(), { model: MODEL })
  await expect(gemini.run(client, { contents: [question()] })).rejects.toThrow('Too long.')
  expect(gemini.fellBack).toBe(false)
})
