import { createElement } from 'react'
import {
  createCatalog,
  defineTool,
  type EventLog,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { openPostgresLog } from 'loadout/postgres'
import { openSqliteLog } from 'loadout/sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startPostgres, type PostgresServer } from '../../../../scripts/start-postgres.ts'
import { attachToSession } from '../../../../src/workbench/cli/opening/attach-to-session.ts'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { TABLE, WORDS } from '../../playground/a-playground.ts'
import { realScreen } from '../../playground/real-screen.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { handClock, pass } from '../../../workspace/consent/a-shop.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

type ClosableLog = EventLog & { close(): Promise<void> }

/** Opens the same log again and again, each time with a connection of its own, as other processes do. */
type OpenAgain = () => Promise<ClosableLog>

async function aFile(): Promise<OpenAgain> {
  const folder = await temporaryFolder({})
  return () => openSqliteLog(`${folder}/sessions.sqlite`, { followMs: 5 })
}

async function aServer(): Promise<OpenAgain> {
  return () => openPostgresLog(server.url)
}

describe.each([
  { kind: 'SQLite', aLog: aFile },
  { kind: 'PostgreSQL', aLog: aServer },
])('in $kind', ({ aLog }) => {
  /** The model of a host has called `send`, which asks a person. */
  async function anAsk(options: Partial<WorkspaceOptions> = {}) {
    const openAgain = await aLog()
    const connect = async () => {
      const log = await openAgain()
      onTestFinished(() => log.close())
      return log
    }
    const sent: string[] = []
    const send = defineTool({
      name: 'send',
      description: 'Sends mail.',
      requiresConfirmation: true,
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => void sent.push(to),
    })
    const log = await connect()
    const host = await VirtualWorkspace.open({
      catalog: await createCatalog({}),
      tools: [send],
      log,
      tokenCounter: WORDS,
      ...options,
    })
    onTestFinished(() => host.close())
    const { session } = host
    const call = async () => {
      const response = await host.callTool('send', { to: 'ada' }, { caller: 'model' })
      return response.ok ? 'ran' : response.error.details['code']
    }
    expect(await call()).toBe('confirmation-required')
    const answers = async () =>
      (await log.read(session))
        .map(({ event }) => event.type)
        .filter((type) => type === 'confirmation.approved' || type === 'confirmation.denied')
    return { connect, session, call, sent, answers }
  }

  /** The screen of `loadout attach` in another process. */
  async function attached(
    { connect, session }: Awaited<ReturnType<typeof anAsk>>,
    { follow = true } = {},
  ) {
    const view = await VirtualWorkspace.open({
      catalog: await createCatalog({}),
      log: await connect(),
      session,
      tokenCounter: WORDS,
      readOnly: true,
      follow,
    })
    onTestFinished(() => view.close())
    const writing = await connect()
    const log = { log: writing, recorded: writing, user: null, name: 'log', project: '' }
    const place = { kind: 'sqlite', file: null, chats: null, isGiven: true, ...log } as const
    const { context, close } = await createContext({
      workspace: view,
      ui: createUiStore('waiting'),
      counter: WORDS,
      live: false,
      followed: follow,
      attach: () => attachToSession(place, session),
      accept: async () => {},
      terminal: NO_TERMINAL,
    })
    onTestFinished(close)
    const theme = { ascii: false, colour: false }
    return realScreen(createElement(Screen, { context, table: TABLE, theme }), 160, 24)
  }

  test('a followed question is approved after w, and the call runs once', async () => {
    const asked = await anAsk()
    const { screen, press, waitFor } = await attached(asked)
    expect(screen()).toContain('| read-only, followed |')
    expect(screen()).toMatch(/^Read-only {2}.*: commands /mv)
    expect(screen()).not.toContain('> chat')
    await press('y')
    expect(screen()).toContain('NOTE Read-only. Press w, and this screen may answer.')
    expect(await asked.call()).toBe('confirmation-required')
    await press('w')
    expect(screen()).toContain('| answers questions, followed |')
    await press('y')
    await waitFor('DONE The call of send was approved')
    await waitFor('nothing waits')
    expect(await asked.call()).toBe('ran')
    expect(await asked.call()).toBe('confirmation-required')
    expect(asked.sent).toEqual(['ada'])
  })

  test('a call that is denied there does not run', async () => {
    const asked = await anAsk()
    const { press, waitFor } = await attached(asked)
    await press('wn')
    await waitFor('DONE The call of send was denied')
    expect(await asked.call()).toBe('confirmation-denied')
    expect(asked.sent).toEqual([])
  })

  test('a question whose time is over is refused, and the call asks again', async () => {
    const clock = handClock(Date.now() - 2_000)
    const asked = await anAsk({ testing: { clock }, limits: { confirmationMs: 1_000 } })
    const { press, waitFor } = await attached(asked)
    await waitFor(/\? send .*expired/v)
    await press('wy')
    await waitFor('REFUSED')
    expect(await asked.answers()).toEqual([])
    pass(clock, 2_000)
    expect(await asked.call()).toBe('confirmation-required')
    expect(asked.sent).toEqual([])
  })

  test.each([
    { key: 'y', given: 'approved', ends: 'ran', sent: ['ada'] },
    { key: 'n', given: 'denied', ends: 'confirmation-denied', sent: [] },
  ])(
    'of two screens that press $key at once, the second is refused, and a call runs once at most',
    async ({ key, given, ends, sent }) => {
      const asked = await anAsk()
      // Neither sees the answer of the other before it gives its own.
      const screens = [
        await attached(asked, { follow: false }),
        await attached(asked, { follow: false }),
      ]
      for (const { press } of screens) await press('w')
      await Promise.all(screens.map(({ press }) => press(key)))
      await Promise.all(screens.map(({ waitFor }) => waitFor(/DONE|REFUSED/v)))
      const texts = screens.map(({ screen }) => screen())
      expect(texts.filter((text) => text.includes(`The call of send was ${given}`))).toHaveLength(1)
      const late = `REFUSED The question about "send" was answered before, in entry 3: ${given}.`
      expect(texts.filter((text) => text.includes(late))).toHaveLength(1)
      expect(await asked.answers()).toEqual([`confirmation.${given}`])
      expect(await asked.call()).toBe(ends)
      expect(await asked.call()).not.toBe('ran')
      expect(asked.sent).toEqual(sent)
    },
  )

  test.each([{ keys: 'yn' }, { keys: 'ny' }])(
    'of two screens that press $keys at once, the denial wins, and the call does not run',
    async ({ keys }) => {
      const asked = await anAsk()
      const screens = [await attached(asked), await attached(asked)]
      for (const { press } of screens) await press('w')
      await Promise.all(screens.map(({ press }, at) => press(keys[at] ?? '')))
      await Promise.all(screens.map(({ waitFor }) => waitFor(/DONE|REFUSED/v)))
      expect(await asked.call()).toBe('confirmation-denied')
      expect(asked.sent).toEqual([])
    },
  )

  test('a screen that does not show the denial of another yet is refused', async () => {
    const asked = await anAsk()
    const late = await attached(asked, { follow: false })
    const first = await attached(asked)
    await first.press('wn')
    await first.waitFor('DONE The call of send was denied')
    await late.press('wy')
    await late.waitFor('REFUSED This call of "send" was denied in this turn.')
    expect(await asked.answers()).toEqual(['confirmation.denied'])
    expect(await asked.call()).toBe('confirmation-denied')
  })

  test('a screen that does not show yet that the call ran is refused', async () => {
    const asked = await anAsk()
    const late = await attached(asked, { follow: false })
    const first = await attached(asked)
    await first.press('wy')
    await first.waitFor('DONE The call of send was approved')
    expect(await asked.call()).toBe('ran')
    await late.press('wy')
    await late.waitFor('REFUSED No confirmation with this id is pending.')
    expect(await asked.call()).toBe('confirmation-required')
    expect(asked.sent).toEqual(['ada'])
  })

  test('after w again, the screen only follows', async () => {
    const asked = await anAsk()
    const { screen, press, waitFor } = await attached(asked)
    await press('wwy')
    await waitFor('NOTE Read-only. Press w')
    expect(screen()).toContain('| read-only, followed |')
    expect(await asked.answers()).toEqual([])
  })
})
