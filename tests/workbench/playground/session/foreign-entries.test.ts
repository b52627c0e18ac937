import { createElement } from 'react'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace, type EventLog } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { toggleSkill } from '../../../../src/workbench/playground/changes/activate-skill.ts'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { timelinePane } from '../../../../src/workbench/playground/panes/timeline-pane.tsx'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { TABLE, WORDS } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'

const SKILLS = ['music', 'owls', 'poems'].map((name) =>
  defineSkill({
    name,
    description: `About ${name}.`,
    tools: [defineTool({ name: `find_${name}`, description: 'Find one.', execute: () => 'found' })],
  }),
)

/** A session in a SQLite file, and what opens it as another process does: with a log of its own. */
async function aFile() {
  const folder = await temporaryFolder({})
  return async (options: { readonly follow?: boolean; readonly readOnly?: boolean } = {}) => {
    const log = await openSqliteLog(`${folder}/sessions.sqlite`, { followMs: 5 })
    const workspace = await openOn(log, options)
    onTestFinished(async () => {
      await workspace.close()
      await log.close()
    })
    return { workspace, log }
  }
}

async function openOn(
  log: EventLog,
  options: { readonly follow?: boolean; readonly readOnly?: boolean },
) {
  const catalog = await createCatalog({ skills: SKILLS })
  return VirtualWorkspace.open({ ...options, catalog, log, session: 's', tokenCounter: WORDS })
}

/** The playground on a workspace, drawn. */
async function drawn(
  workspace: VirtualWorkspace,
  { columns = 120, ascii = false, isSpoken = false, live = true } = {},
) {
  const opened = await createContext({
    workspace,
    ui: createUiStore('timeline'),
    counter: WORDS,
    live,
    followed: true,
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  onTestFinished(opened.close)
  const { context } = opened
  const theme = { ascii, colour: false }
  const tree = createElement(Screen, { context, table: TABLE, theme })
  const screen = await realScreen(tree, columns, 24, { isSpoken })
  const header = () => screen.screen().split('\n')[0]
  return { ...opened, ...screen, header }
}

test('entries of another process are marked in the timeline and in the first line', async () => {
  const open = await aFile()
  const [mine, theirs] = [await open({ follow: true }), await open()]
  const { screen, header, waitFor } = await drawn(mine.workspace)
  await mine.workspace.activateSkill('owls', { by: 'user' })
  await waitFor(/#2 +◆/v)
  expect(header()).toMatch(/^now #2 \|/v)
  await theirs.workspace.activateSkill('music', { by: 'user' })
  await waitFor(/#3 +◆ ⇠ /v)
  expect(header()).toMatch(/^now #3 ⇠ by another process \|/v)
  expect(screen().split('⇠')).toHaveLength(3)
})

test('the first line says so no longer once something is done here; the mark stays', async () => {
  const open = await aFile()
  const [mine, theirs] = [await open({ follow: true }), await open()]
  const { context, header, waitFor } = await drawn(mine.workspace)
  await theirs.workspace.activateSkill('music')
  await waitFor('by another process')
  await toggleSkill(context, 'owls')
  await waitFor(/#3 +◆/v)
  expect(header()).toMatch(/^now #3 \|/v)
  expect([...context.foreign()]).toEqual([2])
})

test('a word replaces the sign in ASCII and for a screen reader', async () => {
  const open = await aFile()
  const [mine, theirs] = [await open({ follow: true }), await open()]
  const { screen, header, waitFor } = await drawn(mine.workspace, { ascii: true, isSpoken: true })
  await theirs.workspace.activateSkill('music')
  await waitFor('by another process')
  expect(header()).toMatch(/^now #2 by another process/v)
  expect(screen()).toMatch(/#2 +=.*other: skill "music" activated/v)
  expect(screen()).not.toContain('⇠')
})

test('the entry in full says it, and a filter finds it by these words', async () => {
  const open = await aFile()
  const [mine, theirs] = [await open({ follow: true }), await open()]
  const { context, press, waitFor } = await drawn(mine.workspace)
  await theirs.workspace.activateSkill('music')
  await waitFor('by another process')
  await press('\r')
  expect(timelinePane.about?.(context)?.lines[1]).toBe(
    'Appended by another process after this screen was opened.',
  )
  await press('4/')
  await press('another process')
  expect(timelinePane.rows(context)).toEqual(['2'])
})

test('a read-only screen marks every new entry as one of another process, and no earlier one', async () => {
  const open = await aFile()
  const theirs = await open()
  await theirs.workspace.activateSkill('music')
  const mine = await open({ follow: true, readOnly: true })
  const { context, header, waitFor } = await drawn(mine.workspace, { live: false })
  expect(header()).toMatch(/^now #2 \|/v)
  await theirs.workspace.activateSkill('owls')
  await waitFor('by another process')
  expect([...context.foreign()]).toEqual([3])
})

test('in a session that is not followed, entries of other processes are distinguished from own ones', async () => {
  const open = await aFile()
  const [mine, theirs] = [await open(), await open()]
  const { context, waitFor } = await drawn(mine.workspace)
  await theirs.workspace.activateSkill('music')
  await mine.workspace.activateSkill('owls', { by: 'user' })
  await waitFor(/#3 +◆/v)
  expect([...context.foreign()]).toEqual([2])
})

test('marks survive a switch to another workspace, except those of its own opening entries', async () => {
  const open = await aFile()
  const [mine, theirs] = [await open({ follow: true }), await open()]
  const { context, replace, waitFor } = await drawn(mine.workspace)
  await theirs.workspace.activateSkill('music')
  await waitFor(/#2 +◆ ⇠/v)
  const since = mine.workspace.state.seq
  const next = await openOn(mine.log, { follow: true })
  await next.activateSkill('owls')
  await waitFor(/#3 +◆ ⇠/v)
  await mine.workspace.close()
  await replace(next, since)
  expect([...context.foreign()]).toEqual([2])
  await theirs.workspace.activateSkill('poems')
  await waitFor(/#4 +◆ ⇠/v)
  expect([...context.foreign()]).toEqual([2, 4])
  await next.close()
})
