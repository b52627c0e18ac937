import { createElement } from 'react'
import {
  createCatalog,
  defineTool,
  type Diagnostic,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { drawn } from '../../../render/ink/drawn.ts'
import { waitingPane } from '../../../../src/workbench/playground/panes/waiting-pane.tsx'
import { aPlayground, TABLE, WORDS } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'

const send = defineTool({
  name: 'send',
  description: 'Sends mail.',
  requiresConfirmation: true,
  inputSchema: z.object({ to: z.string(), password: z.string().optional() }),
  execute: ({ to }) => to,
})

const KEPT = { confirmations: { keepArguments: true } }
const MAIL = { to: 'ada@shop.example', password: 'hunter2-hunter2' }

/** Opens one session again and again, each time with a log of its own, as other processes do. */
async function aSession() {
  const folder = await temporaryFolder({})
  return async (options: Omit<WorkspaceOptions, 'catalog'> = {}) => {
    const log = await openSqliteLog(`${folder}/sessions.sqlite`, { followMs: 5 })
    const catalog = await createCatalog({})
    const shared = { catalog, log, session: 's', tokenCounter: WORDS }
    const workspace = await VirtualWorkspace.open({ ...shared, ...options })
    const close = async () => {
      await workspace.close()
      await log.close()
    }
    onTestFinished(close)
    return { workspace, close }
  }
}

/** The model of a host calls `send` with each of the inputs; then the host is gone. */
async function asked(
  options: Omit<WorkspaceOptions, 'catalog'> = KEPT,
  inputs: readonly unknown[] = [MAIL],
) {
  const open = await aSession()
  const host = await open({ tools: [send], ...options })
  for (const input of inputs) await host.workspace.callTool('send', input, { caller: 'model' })
  await host.close()
  return { open, restart: async () => (await open({ tools: [send] })).workspace }
}

/** The playground of another process, drawn. */
async function aScreen(workspace: VirtualWorkspace, live = true) {
  const { context, close } = await createContext({
    workspace,
    ui: createUiStore('skills'),
    counter: WORDS,
    live,
    followed: true,
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  onTestFinished(close)
  const theme = { ascii: false, colour: false }
  return realScreen(createElement(Screen, { context, table: TABLE, theme }), 120, 24)
}

test('a person sees the redacted arguments in another process, approves, and the host runs the call', async () => {
  const { open, restart } = await asked()
  const { workspace } = await open({ follow: true })
  const { screen, press, waitFor } = await aScreen(workspace)
  expect(screen()).toContain('WAITING for an answer to a call of send: press 3')
  await press('3')
  const text = screen()
  expect(text).toMatch(/\[3 Waiting\]─+ 1 question ─/v)
  expect(text).toMatch(/❯ \? send {2}.*no time limit/v)
  for (const line of ['Time: ', '"password": "[redacted]"', '"to": "ada@shop.example"']) {
    expect(text).toContain(line)
  }
  await press('y')
  await waitFor('DONE The call of send was approved')
  expect(screen()).not.toContain('WAITING')
  const host = await restart()
  expect(await host.callTool('send', MAIL, { caller: 'model' })).toMatchObject({
    ok: true,
    data: MAIL.to,
  })
})

test('a call that is denied there is refused to the model', async () => {
  const { open, restart } = await asked()
  const { press, waitFor } = await aScreen((await open({ follow: true })).workspace)
  await press('3')
  await press('n')
  await waitFor('DONE The call of send was denied')
  const host = await restart()
  expect(await host.callTool('send', MAIL, { caller: 'model' })).toMatchObject({ ok: false })
})

test('a call is approved with other arguments, which are typed over those that were asked about', async () => {
  const plain = { to: 'ada@shop.example' }
  const { open, restart } = await asked(KEPT, [plain])
  const { workspace } = await open({ tools: [send], follow: true })
  const { screen, press, waitFor } = await aScreen(workspace)
  await press('3')
  await press('o')
  await waitFor('Approve send with other arguments')
  expect(screen()).toContain('ada@shop.example')
  for (let times = 0; times < 'ada@shop.example'.length; times += 1) await press('\x7f')
  for (const letter of 'bob') await press(letter)
  await press('\r')
  await expect.poll(() => workspace.state.confirmations).toEqual([])
  const host = await restart()
  expect(await host.callTool('send', plain, { caller: 'model' })).toMatchObject({
    ok: true,
    data: 'bob',
  })
})

test('a call is denied there with words for the model', async () => {
  const { open, restart } = await asked()
  const { workspace } = await open({ follow: true })
  const { press, waitFor } = await aScreen(workspace)
  await press('3')
  await press('N')
  await waitFor('Deny the call of send')
  for (const letter of 'ask ada') await press(letter)
  await press('\r')
  await expect.poll(() => workspace.state.confirmations).toEqual([])
  const host = await restart()
  expect(await host.callTool('send', MAIL, { caller: 'model' })).toMatchObject({
    error: { message: expect.stringContaining('ask ada') },
  })
})

test('the rule that asks, its reason and what the call would do are above the arguments', async () => {
  const isAbroad = () => 'it goes abroad'
  const previewed = defineTool({
    name: 'send',
    description: 'Sends mail.',
    inputSchema: z.object({ to: z.string() }),
    execute: ({ to }) => to,
    preview: ({ to }) => `Sends one mail to ${to}.`,
  })
  const policy = { permissions: { ask: [{ tool: 'send', when: isAbroad }] } }
  const { open } = await asked({ ...KEPT, tools: [previewed], policy }, [{ to: 'bob' }])
  const { screen, press } = await aScreen((await open()).workspace)
  await press('3')
  expect(screen()).toContain('Asked by the rule: "send" when isAbroad says so: it goes abroad')
  expect(screen()).toContain('Sends one mail to bob.')
})

test('a confirmation without arguments says so in one line', async () => {
  const { open } = await asked({})
  const { screen, press } = await aScreen((await open()).workspace)
  await press('3')
  expect(screen()).toContain('│The host did not keep the arguments.  ')
})

test('arguments that were too long are left out, with their size', async () => {
  const { open } = await asked(KEPT, [{ to: 'x'.repeat(20_000) }])
  const { screen, press } = await aScreen((await open()).workspace)
  await press('3')
  expect(screen()).toContain('The arguments were too long to keep: 20,009 bytes.')
})

test('each of several questions is a row, and Esc leaves all of them open', async () => {
  const { open } = await asked(KEPT, [{ to: 'ada' }, { to: 'bob' }])
  const { workspace } = await open()
  const { screen, press } = await aScreen(workspace)
  expect(screen()).toContain('a call of send (and 1 more): press 3')
  await press('3')
  expect(screen()).toContain('"to": "ada"')
  await press('j')
  expect(screen()).toContain('"to": "bob"')
  await press('\x1b')
  expect(workspace.state.confirmations.map(({ consent }) => consent)).toEqual([
    'pending',
    'pending',
  ])
})

test('an approval for the session holds for the next call', async () => {
  const { open, restart } = await asked()
  const { press, waitFor } = await aScreen((await open({ follow: true })).workspace)
  await press('3')
  await press('s')
  await waitFor('DONE The call of send was approved')
  const host = await restart()
  const another = { to: 'bob@shop.example' }
  expect(await host.callTool('send', another, { caller: 'model' })).toMatchObject({ ok: true })
})

test('a session that is open read-only shows what is asked, and says that it cannot be answered', async () => {
  const { open } = await asked()
  const { workspace } = await open({ readOnly: true })
  const { screen, press } = await aScreen(workspace, false)
  await press('3')
  expect(screen()).toContain('"to": "ada@shop.example"')
  await press('y')
  expect(screen()).toContain('NOTE Read-only. Answer in the host')
  expect(workspace.state.confirmations).toMatchObject([{ consent: 'pending' }])
})

test('a question that another process answers leaves the list', async () => {
  const { open, restart } = await asked()
  const { screen, press, waitFor } = await aScreen((await open({ follow: true })).workspace)
  await press('3')
  const host = await restart()
  await host.approve(host.state.confirmations[0]?.id ?? '', { by: 'user' })
  await waitFor('No question and no change waits.')
  expect(screen()).not.toContain('WAITING')
})

test('without a confirmation there is nothing to answer', async () => {
  const open = await aSession()
  const { screen, press } = await aScreen((await open()).workspace)
  await press('3')
  expect(screen()).toContain('No question and no change waits.')
})

test('findings have paths that tell them apart', async () => {
  const finding = (folder: string): Diagnostic => ({
    code: 'skill-name',
    severity: 'warning',
    message: 'The name differs.',
    hint: 'Rename it.',
    file: `/skills/${folder}/SKILL.md`,
    line: 2,
  })
  const { context } = await aPlayground([], {}, [finding('owls'), finding('mice')])
  const theme = { ascii: true, colour: false }
  const props = { context, focused: true, width: 60, height: 4, theme }
  expect(drawn(createElement(waitingPane.View, props), 60)).toMatchInlineSnapshot(`
    "> ! owls/SKILL.md:2 The name differs.
      ! mice/SKILL.md:2 The name differs.

    "
  `)
  expect(waitingPane.status(context)).toBe('2 findings')
})
