import { createElement } from 'react'
import { createCatalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openChatStore } from '../../../../src/workbench/playground/chat/chat-store.ts'
import { playScenario } from '../../../../src/workbench/playground/chat/play-scenario.ts'
import { openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import { openModel } from '../../../../src/workbench/playground/chat/open-model.ts'
import type { Scenario } from '../../../../src/workbench/project/scenarios/read-scenario.ts'
import type { ChatOpener } from '../../../../src/workbench/playground/chat/open-chat.ts'
import { handlePaste } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { TABLE, WORDS } from '../a-playground.ts'
import { openShop, workbenchCatalog } from '../chat/open-shop.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { realScreen } from '../real-screen.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'

const workbench = await workbenchCatalog()

const search = modelAt('scripted')

/** Plays a scenario with these steps. */
function player(...steps: Scenario['steps']): ChatOpener {
  const scenario: Scenario = { scenario: 1, name: 'a talk', steps }
  return async ({ workspace, ask, store = openChatStore(null, 'talk') }) => {
    const model = playScenario(scenario, workspace, () => store.messages)
    return openChat({ workspace, ask, store, model })
  }
}

const FILE = { file: 'data/sales.csv' }

const SALES = player(
  {
    user: 'total quantity by region in data/sales.csv',
    model: [
      { call: 'loadSkill', with: { skillName: 'data-analysis' } },
      { call: 'describe_table', with: { ...FILE, table: 'sales' } },
      { call: 'query_table', with: { ...FILE, sql: 'SELECT sum(quantity) FROM sales' } },
      { text: 'It is 190.' },
    ],
  },
  { user: 'what can you do?', model: [{ text: 'I read tables.' }] },
)

function modelAt(address: string): ChatOpener {
  return async (parts) => {
    const { store = openChatStore(null, 'talk') } = parts
    return openChat({ ...parts, store, model: await openModel({ address }) })
  }
}

/** A screen on a session of the workbench, in which tables ask before they are read. */
async function aConversation({
  rows = 40,
  ...parts
}: { openChat?: ChatOpener; live?: boolean; rows?: number } = {}) {
  const shop = await openShop()
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({
    catalog: workbench,
    log,
    session: 'talk',
    services: shop.services,
    tokenCounter: WORDS,
    confirmations: { keepArguments: true },
    policy: { permissions: { ask: [{ tool: 'query_table' }] } },
  })
  const { context, replace, close } = await createContext({
    workspace,
    ui: createUiStore('skills'),
    counter: WORDS,
    live: true,
    openChat: SALES,
    accept: async () => {},
    terminal: NO_TERMINAL,
    ...parts,
  })
  onTestFinished(async () => {
    close()
    await context.workspace().close()
    shop.close()
  })
  const theme = { ascii: false, colour: false }
  const tree = createElement(Screen, { context, table: TABLE, theme })
  const shown = await realScreen(tree, 160, rows)
  /** Opens the field, writes a message, and sends it. */
  const say = async (text: string) => {
    await shown.press('>')
    await shown.press(text)
    await shown.press('\r')
  }
  return { ...shown, say, context, workspace, log, replace, services: shop.services }
}

test('without a model, a message finds and loads a skill, which lights up in the list, and the answer says how to add a model', async () => {
  const { say, waitFor, screen, workspace } = await aConversation({ openChat: search })
  await say('which region sold most?')
  await waitFor(/turn 1 ended/u)
  expect(screen()).toContain('the search (no model)')
  expect(screen()).toMatch(/●\s+data-analysis/u)
  expect(screen()).toContain('+ skill data-analysis')
  expect(screen()).toContain('finds the tool query_table of the skill data-analysis by "region"')
  expect(screen()).toContain('No model answers here. Give one with --model http')
  expect(workspace.explainSkill('data-analysis').because[0]?.text).toContain('by the model')
})

test('a scenario is played: Enter makes the next move, which brings a skill, which lights up in the list; its call asks, is approved in the list, and the answer comes', async () => {
  const { waitFor, press, screen, workspace } = await aConversation()
  await press('>')
  await waitFor('Enter makes the next move of the scenario.')
  await press('\r')
  await waitFor('? query_table')
  expect(screen()).toContain('> total quantity by region in data/sales.csv')
  expect(screen()).toContain('+ skill data-analysis')
  expect(screen()).toContain('the scenario "a talk"')
  expect(screen()).toMatch(/●\s+data-analysis/u)
  expect(screen()).toMatch(/step 2 {2}request [\d,]+ tokens, nothing cached below 1,024/u)
  await press('\t')
  expect(screen()).toContain('Asked by the rule: "query_table"')
  await press('y')
  await waitFor('It is 190.')
  await waitFor(/turn 1 ended/u)
  const entries = await workspace.entries()
  const called = entries.filter(({ event }) => event.type === 'call.started')
  expect(called.map(({ event }) => 'tool' in event && event.tool)).toEqual([
    'loadSkill',
    'describe_table',
    'query_table',
  ])
})

test('the last line says that the model waits, while a question waits for a person', async () => {
  const { say, screen, press, waitFor, context } = await aConversation()
  await say('next')
  await waitFor('WAITING')
  await waitFor('... the model waits for your answer')
  expect(screen()).toContain('Tab goes to it')
  expect(screen()).not.toContain('the model answers')
  await press('\t')
  // The name of the tool comes first: the border cuts the end.
  expect(screen()).toMatch(/\[6 Why\]|\(6 Why\).* query_table: approve/)
  await press('y')
  await waitFor(/turn 1 ended/u)
  expect(context.ui.getState().busy).toBeNull()
})

test('a question that is denied in the list reaches the model as a denial', async () => {
  const { say, waitFor, press, workspace } = await aConversation()
  await say('next')
  await waitFor('? query_table')
  await press('\t')
  await press('n')
  await waitFor('query_table: denied')
  await waitFor(/turn 1 ended/u)
  const started = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'call.started' ? event.tool : [],
  )
  expect(started).not.toContain('query_table')
})

test('Esc interrupts the turn, and the next message begins another one', async () => {
  const { say, waitFor, press, screen, workspace } = await aConversation()
  await say('next')
  await waitFor('? query_table')
  await press('\x1b')
  await waitFor('The turn was interrupted.')
  expect(workspace.state.stepCalls.calls.map(({ tool }) => tool)).not.toContain('query_table')
  await press('what can you do?\r')
  await waitFor(/turn 2 ended/u)
  await press('\x1b')
  expect(screen()).toContain('press Enter to write to the model')
})

test('a question that comes while somebody writes takes no letter for an answer', async () => {
  const { say, waitFor, press, screen, workspace } = await aConversation()
  await say('next')
  await press('yes, y')
  await waitFor('? query_table')
  await press('ny')
  expect(screen()).toContain('> yes, yny')
  expect(workspace.state.confirmations).toMatchObject([{ consent: 'pending' }])
})

test('keys are letters while a message is written, and a paste keeps its lines', async () => {
  const { press, screen, input, context } = await aConversation()
  await press('>')
  await press('quit? 3 j ')
  input.push('\x1b[200~two\nlines\x1b[201~')
  await press('!')
  expect(screen()).toContain('> quit? 3 j two')
  expect(screen()).toContain('  lines!')
  expect(context.ui.getState().focus).toBe('chat')
  await press('\x1b')
  await press('1')
  expect(context.ui.getState().focus).toBe('skills')
})

test('a message goes on in a session that was opened again after changes on disk', async () => {
  const { say, waitFor, press, workspace, log, replace, services, context } = await aConversation({
    openChat: search,
  })
  await say('what can you do?')
  await waitFor(/turn 1 ended/u)
  await workspace.close()
  const again = await VirtualWorkspace.open({
    catalog: workbench,
    log,
    session: 'talk',
    services,
    tokenCounter: WORDS,
  })
  await replace(again, again.state.seq)
  await press('what can you do?\r')
  await waitFor(/turn 2 ended/u)
  const saidBefore = context.ui.getState().chat.lines.filter(({ kind }) => kind === 'person')
  expect(saidBefore).toHaveLength(2)
})

test('nobody talks in a session that is read-only, or at an earlier moment', async () => {
  const readOnly = await aConversation({ live: false })
  await readOnly.press('>')
  expect(readOnly.screen()).toContain('open read-only')
  const live = await aConversation()
  await live.press('b')
  live.context.ui.setState({ moment: 0 })
  await live.press('>')
  expect(live.screen()).toContain('An earlier moment is shown')
  expect(live.context.ui.getState().writing).toBeNull()
})

test('a conversation that cannot be opened says why', async () => {
  const { press, waitFor, context } = await aConversation({
    openChat: modelAt('nonsense'),
  })
  await press('>')
  await waitFor('"nonsense" is not the address of a model.')
  expect(context.ui.getState().chat.model).toBeNull()
})

test('a step and a turn begin without a model, with the price of the request', async () => {
  const { press, screen, workspace, waitFor } = await aConversation()
  await press('b')
  await waitFor('step 1 began')
  expect(screen()).toMatch(/step 1 began {3}request [\d,]+, no request before/u)
  await press('b')
  await waitFor('step 2 began')
  expect(screen()).toContain('nothing cached below 1,024')
  await press('B')
  await waitFor('turn 1 began')
  expect(workspace.state).toMatchObject({ step: 2, turn: 1 })
})

test('text of a model and of tools cannot move the cursor', async () => {
  const evil = defineTool({
    name: 'evil_echo',
    description: 'Say the evil words.',
    inputSchema: z.object({}),
    execute: () => 'one \x1b[2Jtwo\u202Ethree',
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [evil] }),
    tokenCounter: WORDS,
  })
  const { context, close } = await createContext({
    workspace,
    ui: createUiStore('skills'),
    counter: WORDS,
    live: true,
    openChat: player({ user: 'say it', model: [{ call: 'evil_echo' }, { text: 'b\x1b[2Jad' }] }),
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  onTestFinished(async () => {
    close()
    await workspace.close()
  })
  const theme = { ascii: false, colour: false }
  const shown = await realScreen(createElement(Screen, { context, table: TABLE, theme }), 140, 40)
  await shown.press('>')
  await shown.press('next\r')
  await shown.waitFor(/turn 1 ended/u)
  expect(shown.screen()).toContain('evil_echo')
  expect(shown.screen()).not.toMatch(/[\u202E]/u)
  expect(shown.output.written).not.toContain('\x1b[2Jtwo')
  expect(shown.output.written).not.toContain('\x1b[2Jad')
})

test('a long answer comes in pieces, whole lines stay, and keys type meanwhile', async () => {
  const words = Array.from({ length: 600 }, (_, at) => (at % 20 === 19 ? 'end.\n' : `word${at} `))
  const server = await openWireServer({ answers: [words.join('')] })
  onTestFinished(() => server.close())
  const { press, waitFor, screen, context } = await aConversation({
    openChat: modelAt(`${server.url}/v1#local`),
  })
  await press('>')
  await press('tell me a story\r')
  await press('and then?')
  await waitFor(/turn 1 ended/u)
  await waitFor('word598')
  expect(screen()).toContain('> and then?')
  const { lines, answer } = context.ui.getState().chat
  const said = lines.filter(({ kind }) => kind === 'model').map(({ text }) => text)
  expect([answer, ...said].join('\n').trim()).toBe(words.join('').trim())
})

test('a message that is typed faster than the conversation opens is one message, and the next letters stay', async () => {
  const { press, waitFor, screen, context } = await aConversation({ openChat: search })
  await press('>what can you do?\rand then')
  await waitFor(/turn 1 ended/u)
  expect(screen()).toContain('> and then')
  const { lines } = context.ui.getState().chat
  expect(lines.filter(({ kind }) => kind === 'person')).toEqual([
    { kind: 'person', text: '> what can you do?' },
  ])
})

test('a message that could not be sent stays in the field', async () => {
  const { press, waitFor, screen } = await aConversation({
    openChat: modelAt('nonsense'),
  })
  await press('>')
  await press('hello\r')
  await waitFor('"nonsense" is not the address of a model.')
  expect(screen()).toContain('> hello')
})

test('what was scrolled back stands still while more comes, which is counted, and sending goes to the end', async () => {
  const { press, waitFor, screen, context } = await aConversation({
    openChat: search,
    rows: 30,
  })
  await press('>')
  /** More of an answer, as it comes. */
  const add = (count: number) =>
    context.ui.setState(({ chat }) => ({
      chat: {
        ...chat,
        lines: [
          ...chat.lines,
          ...Array.from({ length: count }, (_, at) => ({
            kind: 'model' as const,
            text: `line ${chat.lines.length + at}`,
          })),
        ],
      },
    }))
  const first = () => /(line \d+)/u.exec(screen())?.[1]
  add(60)
  await waitFor('line 59')
  await press('\x1b[5~')
  const top = first()
  add(12)
  await waitFor('12 new')
  expect(first()).toBe(top)
  for (let page = 0; page < 3; page += 1) await press('\x1b[6~')
  await waitFor('line 71')
  expect(screen()).not.toMatch(/\d new/u)
  await press('\x1b[5~')
  await press('which region sold most?')
  await press('\r')
  await waitFor('No model answers here')
  expect(context.ui.getState().chat.held).toBeNull()
})

test('a message has several lines, and earlier messages come back with the arrows', async () => {
  const { say, press, waitFor, screen, context } = await aConversation({ openChat: search })
  const field = () => context.ui.getState().writing?.text
  await say('which region sold most?')
  await press('\x1b[A')
  expect(field()).toBe('which region sold most?')
  await press('\x1b[B')
  expect(field()).toBe('')
  handlePaste('two\r\nlines', context, TABLE)
  await waitFor('  lines')
  expect(screen()).toMatch(/> two .*\n.* {2}lines/u)
  await press('\x1b[A')
  await press('!')
  expect(field()).toBe('two!\nlines')
  await press('\x1b[A')
  expect(field()).toBe('which region sold most?')
  await press('\x1b[B')
  expect(field()).toBe('two!\nlines')
})

test('a message that begins with a skill activates it, and its name is completed', async () => {
  const { press, waitFor, screen, workspace } = await aConversation({ openChat: search })
  await press('>')
  await press('/data')
  expect(screen()).toContain('Tab: /data-analysis')
  await press('\t')
  await press('which region sold most?')
  expect(screen()).toContain('> /data-analysis which region sold most?')
  await press('\r')
  await waitFor(/turn 1 ended/u)
  expect(workspace.explainSkill('data-analysis').because[0]?.text).toContain('by the user')
  expect(screen()).toContain('+ skill data-analysis')
})

test('what was written is there again after the field was left, by Esc and by Tab', async () => {
  const { press, context } = await aConversation({ openChat: search })
  const field = () => context.ui.getState().writing?.text
  await press('>')
  await press('half a mess')
  await press('\x1b')
  expect(field()).toBeUndefined()
  await press('>')
  expect(field()).toBe('half a mess')
  await press('\t')
  expect(field()).toBeUndefined()
  await press('>')
  await press('age @no/such/file')
  await press('\t')
  expect(field()).toBe('half a message @no/such/file')
})

test('in the chat a line is chosen with the arrows, and Enter opens its result in full; without one, Enter writes', async () => {
  const { press, screen, waitFor } = await aConversation()
  await press('>')
  await waitFor('Enter makes the next move of the scenario.')
  await press('\r')
  await waitFor('? query_table')
  await press('\t')
  await press('y')
  await waitFor(/turn 1 ended/u)
  await press('\x1b')
  await waitFor('press Enter to write')
  for (let times = 0; times < 30 && !/❯ .*✓ loadSkill/u.test(screen()); times += 1) await press('k')
  await press('\r')
  await waitFor('instructions:')
  expect(screen()).toContain('[6 Why]')
  await press('\x1b')
  await waitFor('[7 Chat]')
  expect(screen()).toMatch(/❯ .*✓ loadSkill/u)
  await press('\x1b')
  await press('\r')
  await waitFor('Enter send')
})
