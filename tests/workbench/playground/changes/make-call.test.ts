import { defineTool, type SkillDefinition } from 'loadout'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readArguments } from '../../../../src/workbench/playground/changes/make-call.ts'
import { focusPane } from '../../../../src/workbench/playground/context/screen-pane.ts'
import { changePane } from '../../../../src/workbench/playground/context/ui-state.ts'
import { currentDialog } from '../../../../src/workbench/playground/context/current-dialog.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { waitingPane } from '../../../../src/workbench/playground/panes/waiting-pane.tsx'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'

describe('call tool', () => {
  const started = Promise.withResolvers<AbortSignal>()

  const SHOP: SkillDefinition = {
    name: 'shop',
    description: 'Sell things.',
    tools: [
      defineTool({
        name: 'find_order',
        description: 'Find an order.',
        inputSchema: z.object({ order: z.string().describe('Its number.') }),
        execute: ({ order }) => ({ order, note: 'paid \u001B[31min red\u001B[0m' }),
      }),
      defineTool({
        name: 'refund',
        description: 'Pay back.',
        category: 'action',
        requiresConfirmation: true,
        execute: () => 'paid back',
      }),
      defineTool({
        name: 'wait',
        description: 'Wait for ever.',
        execute: (_input: unknown, { signal }) => {
          started.resolve(signal)
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          })
        },
      }),
    ],
  }

  async function aShop(tool: string, text: string, edit = NO_TERMINAL.edit) {
    const playground = await aPlayground([SHOP], { terminal: { ...NO_TERMINAL, edit } })
    const { context, workspace } = playground
    await workspace.activateSkill('shop')
    const dialog = { kind: 'call', tool, text, cursor: text.length, problem: '' } as const
    context.ui.setState({ dialog })
    return { ...playground, press: (...keys: string[]) => handleStrokes(keys, context, TABLE) }
  }

  const events = (context: Awaited<ReturnType<typeof aShop>>['context']) =>
    context.entries().map(({ event, cause }) => `${cause.by} ${event.type}`)

  test('what a running call asks is answered in a form, and declined with Esc', async () => {
    const people = { type: 'integer' }
    const schema = { type: 'object', properties: { people }, required: ['people'] }
    const book = defineTool({
      name: 'book',
      description: 'Book a table.',
      execute: async (_input: unknown, { elicit }) => ({
        table: await elicit({ message: 'For how many \u001B[31mpeople?', schema }),
        deposit: await elicit({ message: 'Pay.', url: 'https://pay.example/x' }),
      }),
    })
    const client = { elicit: () => new Promise<never>(() => undefined) }
    const skill = { name: 'tables', description: 'Book tables.', tools: [book] }
    const { context, workspace } = await aPlayground([skill], {}, [], { client })
    await workspace.activateSkill('tables')
    const dialog = { kind: 'call', tool: 'book', text: '{}', cursor: 2, problem: '' } as const
    context.ui.setState({ dialog })
    const press = (...keys: string[]) => handleStrokes(keys, context, TABLE)
    const question = () => currentDialog(context, 'call')?.question
    const called = press('enter')
    await expect.poll(question).toBeDefined()
    const first = question()
    const tree = createElement(Screen, {
      context,
      table: TABLE,
      theme: { ascii: false, colour: false },
    })
    const { screen } = await realScreen(tree, 80, 16)
    expect(screen()).toContain('The running call asks: For how many <U+001B>[31mpeople?')
    await press('enter')
    expect(currentDialog(context, 'call')?.problem).toMatch(/\/people is required/u)
    await press('4', 'enter')
    await expect.poll(() => [undefined, first].includes(question())).toBe(false)
    await press('esc')
    await called
    expect(currentDialog(context, 'answer')).toMatchObject({
      response: {
        data: { table: { content: { people: 4 } }, deposit: { action: 'decline' } },
      },
    })
    expect(events(context).slice(-6)).toEqual([
      'user call.started',
      'user confirmation.asked',
      'user confirmation.approved',
      'user confirmation.asked',
      'user confirmation.denied',
      'user call.ended',
    ])
  })

  test('a call is made as the user, and its envelope shown', async () => {
    const { context, press } = await aShop('find_order', '{"order": "')
    await press('7', '"', '}', 'enter')
    expect(currentDialog(context, 'answer')).toMatchObject({
      tool: 'find_order',
      response: { ok: true, data: { order: '7' } },
    })
    expect(events(context)).toContain('user call.started')
  })

  test('invalid JSON stays in the field to be fixed; nothing is called', async () => {
    const { context, press } = await aShop('find_order', '{"order": ')
    await press('enter')
    expect(currentDialog(context, 'call')?.problem).toMatch(/^Not valid JSON: /u)
    expect(events(context)).not.toContain('user call.started')
    await press('backspace')
    expect(currentDialog(context, 'call')?.problem).toBe('')
  })

  test('arguments that the schema refuses stay, with the problem', async () => {
    const { context, press } = await aShop('find_order', '{"number": 7}')
    await press('enter')
    expect(currentDialog(context, 'call')).toMatchObject({ text: '{"number": 7}' })
    expect(currentDialog(context, 'call')?.problem).toContain('order')
  })

  test('a form takes the arguments, and the next one has them again; a dot repeats the call', async () => {
    const { context, press, workspace } = await aShop('find_order', '')
    context.ui.setState((state) => ({
      ...focusPane({ ...state, dialog: null }, TABLE.panes, 'tools'),
    }))
    context.ui.setState((state) => changePane(state, 'tools', { selected: 'find_order' }))
    await press('c', '4', '2', 'enter')
    expect(currentDialog(context, 'answer')?.response).toMatchObject({ data: { order: '42' } })
    await press('enter', 'c')
    expect(currentDialog(context, 'call')).toMatchObject({
      text: '{"order":"42"}',
      form: { at: 0, text: '42', cursor: 2 },
    })
    await press('esc')
    const calls = () => events(context).filter((one) => one === 'user call.ended').length
    expect(calls()).toBe(1)
    await press('.')
    expect(calls()).toBe(2)
    expect(currentDialog(context, 'answer')?.response).toMatchObject({ data: { order: '42' } })
    expect(workspace.state.calls).toEqual([])
  })

  test('a dot without a call says how to make one', async () => {
    const { context, press } = await aShop('find_order', '')
    await press('esc', '.')
    expect(context.ui.getState().banner?.text).toContain('No call was made on this screen')
  })

  test('form and JSON are two ways to the same arguments', async () => {
    const { context, press } = await aShop('find_order', '{"order": "7"}')
    await press('ctrl+t')
    expect(currentDialog(context, 'call')?.form).toEqual({ at: 0, text: '7', cursor: 1 })
    await press('8', 'ctrl+t')
    expect(currentDialog(context, 'call')).toMatchObject({ text: '{"order":"78"}', cursor: 14 })
    await press('backspace', 'ctrl+t')
    expect(currentDialog(context, 'call')?.problem).toMatch(/^Not valid JSON/v)
  })

  test('a call that asks runs once it is approved', async () => {
    const { context, press } = await aShop('refund', '{}')
    await press('enter')
    expect(context.ui.getState()).toMatchObject({ dialog: null, focus: 'waiting', list: 'waiting' })
    await press('y')
    expect(currentDialog(context, 'answer')?.response).toMatchObject({
      ok: true,
      data: 'paid back',
    })
    expect(events(context)).toContain('user confirmation.approved')
  })

  test('a call that asks does not run once it is denied', async () => {
    const { context, press } = await aShop('refund', '{}')
    await press('enter')
    await press('n')
    expect(context.ui.getState()).toMatchObject({
      dialog: null,
      banner: { text: 'The call of refund was denied' },
    })
    expect(events(context)).toContain('user confirmation.denied')
    expect(events(context)).not.toContain('user call.started')
  })

  test('a question of this screen keeps the arguments, also when its host does not', async () => {
    const { context, press } = await aShop('refund', '{}')
    await press('enter')
    expect(context.ui.getState().list).toBe('waiting')
    expect(waitingPane.about?.(context)?.lines).toContain('{}')
  })

  test('esc leaves a question open, and never approves', async () => {
    const { context, workspace, press } = await aShop('refund', '{}')
    await press('enter')
    await press('esc')
    expect(context.ui.getState().dialog).toBeNull()
    expect(workspace.state.confirmations).toMatchObject([{ consent: 'pending' }])
  })

  test('esc aborts a call that runs, and only then closes', async () => {
    const { context, press } = await aShop('wait', '{}')
    const calling = press('enter')
    const signal = await started.promise
    expect(context.ui.getState().busy).toBe('calling wait, Esc aborts')
    await press('enter')
    await press('esc')
    expect(signal.aborted).toBe(true)
    await calling
    expect(currentDialog(context, 'answer')?.response).toMatchObject({ ok: false })
    expect(events(context).filter((one) => one === 'user call.started')).toHaveLength(1)
    await press('esc')
    expect(context.ui.getState()).toMatchObject({ dialog: null, busy: null })
  })

  test('a call that changes the tools says what it changed', async () => {
    const { context, press } = await aShop('unloadSkill', '{"skillName": "shop"}')
    await press('enter')
    expect(currentDialog(context, 'answer')?.response).toMatchObject({ ok: true })
    expect(context.ui.getState().banner).toMatchObject({
      text: 'unloadSkill changed the available tools',
      difference: { added: [], removed: ['find_order', 'refund', 'wait'] },
    })
  })

  test('arguments are edited in $EDITOR over lines, and come back on one', async () => {
    const given: string[] = []
    const { context, press } = await aShop('find_order', '{"order":"7"}', (text, suffix) => {
      given.push(text, suffix)
      return Promise.resolve('{\n  "order": "8"\n}\n')
    })
    await press('ctrl+e')
    expect(given).toEqual(['{\n  "order": "7"\n}\n', '.json'])
    expect(currentDialog(context, 'call')).toMatchObject({ text: '{"order":"8"}', cursor: 13 })
  })

  test('without an editor the arguments stay, and the dialog says so', async () => {
    const { context, press } = await aShop('find_order', '{"order":"7"}')
    await press('ctrl+e')
    expect(currentDialog(context, 'call')).toMatchObject({
      text: '{"order":"7"}',
      problem: 'The editor returned nothing. Is $EDITOR set?',
    })
  })

  test('the JSON line and the response on the screen', async () => {
    const { context } = await aShop('find_order', '{"order": "7"}')
    const theme = { ascii: false, colour: false }
    const tree = createElement(Screen, { context, table: TABLE, theme })
    const { screen, press, waitFor } = await realScreen(tree, 60, 16)
    expect(screen()).toMatchInlineSnapshot(`
      "now #2 | request 173 tokens (words) | compatible, active | …
      ╭─[Call find_order]────────────────────────────────────────╮
      │{"order": "7"}|                                           │
      │Enter calls, Ctrl-T shows the form, Ctrl-E opens $EDITOR,…│
      │                                                          │
      │order: string, Its number.                                │
      │                                                          │
      │{                                                         │
      │  "type": "object",                                       │
      │  "properties": {                                         │
      │    "order": {                                            │
      │      "type": "string",                                   │
      │▼ 8 more                                                  │
      ╰──────────────────────────────────────────────────────────╯
      4 Timeline  5 Prompt  6 Why  7 Chat  8 Diff  9 Ledger  0 Me…
      Enter Call  Esc Close  Ctrl-T Form or JSON  PgDn Next page"
    `)
    await press('\r')
    await waitFor('DONE')
    // The handler's escape sequence is text.
    expect(screen()).toContain(String.raw`\u001b[31min red`)
  })
})

describe('read arguments', () => {
  test('invalid JSON is reported without control characters', () => {
    expect(readArguments('  ')).toEqual({ ok: true, value: {} })
    expect(readArguments('{"a": [1, null]}')).toEqual({ ok: true, value: { a: [1, null] } })
    const bad = readArguments('{"a": \u001B}')
    expect(bad.ok).toBe(false)
    expect(JSON.stringify(bad)).toMatch(/Not valid JSON: /u)
    expect(bad.ok ? '' : bad.problem).not.toContain('\u001B')
  })
})
