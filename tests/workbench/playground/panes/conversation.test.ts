import { renderToString } from 'ink'
import { defineTool } from 'loadout'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { promptPane } from '../../../../src/workbench/playground/panes/prompt-pane.tsx'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const SHOP = [
  {
    name: 'shop',
    description: 'Orders of a shop.',
    tools: [
      defineTool({
        name: 'find_order',
        description: 'Find an order.',
        inputSchema: { type: 'object', properties: { order: { type: 'string' } } },
        execute: () => ({ order: '4711', lines: [{ item: 'a lamp', paid: 89 }] }),
      }),
      defineTool({
        name: 'take_photo',
        description: 'Take a photo.',
        execute: () => ({ type: 'image', mediaType: 'image/png', data: PNG }),
      }),
    ],
  },
]

/** A session of a host that keeps its messages to itself, after a step whose calls ended. */
async function aSession() {
  const playground = await aPlayground(SHOP)
  const { context, workspace } = playground
  await workspace.activateSkill('shop')
  await workspace.beginTurn()
  await workspace.beginStep({ messageTokens: 2000 })
  await workspace.callTool('find_order', { order: '4711' }, { caller: 'model', call: 'call-1' })
  await workspace.callTool('take_photo', {}, { caller: 'model', call: 'call-2' })
  await workspace.beginStep({ messageTokens: 2100 })
  await context.readNext()
  const press = async (...strokes: string[]) => {
    for (const stroke of strokes) await handleStrokes([stroke], context, TABLE)
  }
  const pane = () => PANES.find(({ id }) => id === context.ui.getState().focus) ?? promptPane
  /** Draws the pane with the focus, when the texts that it asks for are there. */
  const draw = async (width = 70, height = 40) => {
    const theme = { ascii: false, colour: false }
    const tree = () =>
      renderToString(createElement(pane().View, { context, focused: true, width, height, theme }), {
        columns: width,
      })
    tree()
    await context.texts.reading()
    return tree().trimEnd()
  }
  return { ...playground, press, draw }
}

/** The keys to the row of the conversation so far, and the one that unfolds it. */
const UNFOLD = ['5', 'g', ...Array.from({ length: 5 }, () => 'j'), 'space']

test('the conversation unfolds to its requests, calls and results; what the host did not keep is said', async () => {
  const { press, draw } = await aSession()
  await press(...UNFOLD)
  expect((await draw(96)).split('\n').slice(7, 15).join('\n')).toMatchInlineSnapshot(`
    "❯ ▾ Conversation so far                                              2,126    2,126
      ▸ user: turn 1 (not kept)
      ▸ step 1, request 2,166 tokens
      ▸ call find_order (not kept)                                          (·)
      ▸ result find_order {"order":"4711","lines":[{"item":"a lamp",…       (2)
      ▸ call take_photo (not kept)                                          (·)
      ▸ result take_photo image, image/png, 70 bytes                        (1)
      ▸ step 2, request 2,266 tokens, kept 2,166 of 2,166"
  `)
})

test('Enter opens a result as a tree, m the bytes as sent, and Esc returns to its row', async () => {
  const { context, press, draw } = await aSession()
  await press(...UNFOLD, 'j', 'j', 'j', 'j')
  await draw()
  const { selected } = context.ui.getState().panes['prompt'] ?? {}
  await press('enter')
  expect(await draw()).toMatchInlineSnapshot(`
    "#6, 2 tokens, call call-1

    order: 4711
    lines (1)
      0
        item: a lamp
        paid: 89"
  `)
  await press('m')
  expect(await draw()).toContain('"order": "4711"')
  await press('m', 'esc')
  expect(context.ui.getState()).toMatchObject({ focus: 'prompt', opened: null })
  expect(context.ui.getState().panes['prompt']?.selected).toBe(selected)
})

test('an image is its type and size', async () => {
  const { press, draw } = await aSession()
  await press(...UNFOLD, 'j', 'j', 'j', 'j', 'j', 'j')
  await draw()
  await press('enter')
  const shown = await draw()
  expect(shown).toContain('image/png')
  expect(shown).not.toContain(PNG.slice(0, 20))
})

test('an entry of the timeline leads to the arguments and the result of its call, or says that they are not kept', async () => {
  const { context, press, draw } = await aSession()
  const seq = context.entries().findIndex(({ event }) => event.type === 'call.ended')
  await press('4', 'G', ...Array.from({ length: context.entries().length - 1 - seq }, () => 'k'))
  await context.look(seq)
  await press('enter')
  const lines = (await draw()).split('\n')
  expect(lines.slice(2, 14).join('\n')).toMatchInlineSnapshot(`
    "Arguments
      Not kept by the host: the log has the digest of the arguments alone.
      docs/approvals.md says how those of questions are kept.

    Result
      order: 4711
      lines (1)
        0
          item: a lamp
          paid: 89

    {"
  `)
})

test('in a text that is open, / searches, n and N go on, and y copies it', async () => {
  const { context, asked, press, draw } = await aSession()
  await press(...UNFOLD, 'j', 'j', 'j', 'j')
  await draw()
  await press('enter')
  await draw()
  const status = () => PANES.find(({ id }) => id === 'why')?.status(context)
  await press('/', 'e', 'enter')
  expect(status()).toBe('1 of 4 with "e"')
  await press('n', 'n')
  expect(status()).toBe('3 of 4 with "e"')
  await press('N')
  expect(status()).toBe('2 of 4 with "e"')
  expect(await draw()).toMatch(/^❯/mu)
  await press('y')
  expect(asked.copies.at(-1)).toContain('order: 4711')
  expect(context.ui.getState().banner).toMatchObject({ tone: 'done' })
  expect(context.ui.getState().banner?.text).toContain('copied')
})

test('a long text is copied to its limit, without half a letter, and the banner says so', async () => {
  const { context, asked, press } = await aPlayground([
    { name: 'long', description: 'Long.', instructions: 'é'.repeat(60_000) },
  ]).then(async (playground) => {
    const press = async (...strokes: string[]) => {
      for (const stroke of strokes) await handleStrokes([stroke], playground.context, TABLE)
    }
    await playground.workspace.activateSkill('long')
    await playground.context.readNext()
    return { ...playground, press }
  })
  await press('5', 'G', '/', 'é', 'é', 'enter', 'enter', 'y')
  const copied = asked.copies.at(-1) ?? ''
  expect(Buffer.byteLength(copied)).toBeGreaterThan(74_980)
  expect(Buffer.byteLength(copied)).toBeLessThanOrEqual(74_994)
  expect(copied).not.toContain('\uFFFD')
  expect(context.ui.getState().banner?.text).toMatch(/cut: the first 74,99\d of 1\d\d,\d{3} bytes/u)
})
