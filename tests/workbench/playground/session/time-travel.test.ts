import { describe, expect, test } from 'vitest'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import {
  createMoments,
  followTimeline,
} from '../../../../src/workbench/playground/session/follow-timeline.ts'
import {
  changePane,
  createUiStore,
  paneState,
  type UiState,
  type UiStore,
} from '../../../../src/workbench/playground/context/ui-state.ts'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import type { WorkspaceReader } from '../../../../src/workspace/virtual-workspace.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

/** Resolves when the state of a screen is as wanted. */
function until(ui: UiStore, isSo: (state: UiState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo(ui.getState())) return resolve()
    const stop = ui.subscribe((state) => {
      if (!isSo(state)) return
      stop()
      resolve()
    })
  })
}

const cursor = (ui: UiStore) => paneState(ui.getState(), 'timeline').selected

const seen = (reader: WorkspaceReader) => ({
  tools: reader.tools().map(({ name, status }) => `${name} ${status}`),
  skills: reader.skills(),
  prompt: reader.prompt().text,
})

/** A session with an activation, calls and a deactivation; the focus is on its timeline. */
async function aWalk() {
  const playground = await aPlayground()
  const { context, workspace } = playground
  await workspace.activateSkill('reporting')
  await workspace.callTool('query_table', {})
  await workspace.deactivateSkill('reporting', { by: 'user' })
  const press = (...strokes: string[]) => handleStrokes(strokes, context, TABLE)
  await press('4')
  return { ...playground, press, last: context.entries().length - 1 }
}

test('arrow keys go back through every moment, and the screen shows each one', async () => {
  const { context, workspace, press, last } = await aWalk()
  const { ui } = context
  expect(cursor(ui)).toBe(`${last}`)
  const prompts = new Set<string>()
  for (let seq = last - 1; seq >= 0; seq -= 1) {
    await press('up')
    await until(ui, ({ moment, busy }) => moment === seq && busy === null)
    expect(seen(context.reader())).toEqual(seen(await workspace.sessions.look(seq)))
    prompts.add(context.reader().prompt().text)
  }
  expect(prompts.size).toBeGreaterThan(2)
  await press('end')
  expect(ui.getState().moment).toBeNull()
  expect(context.reader()).toBe(workspace)
})

test('esc goes back to now, with the cursor', async () => {
  const { context, press, last } = await aWalk()
  await press('up', 'up')
  await until(context.ui, ({ moment }) => moment === last - 2)
  await press('esc')
  expect(context.ui.getState().moment).toBeNull()
  expect(cursor(context.ui)).toBe(`${last}`)
})

test('new entries move now, and not an earlier moment that is looked at', async () => {
  const { context, workspace, press, last } = await aWalk()
  await workspace.activateSkill('music')
  expect(cursor(context.ui)).toBe(`${last + 1}`)
  await press('up')
  await until(context.ui, ({ moment }) => moment === last)
  await workspace.deactivateSkill('music')
  expect(context.ui.getState().moment).toBe(last)
  expect(context.entries()).toHaveLength(last + 3)
  await press('esc')
  expect(cursor(context.ui)).toBe(`${last + 2}`)
})

test('a moment that was asked for from outside moves the cursor', async () => {
  const { context, workspace } = await aWalk()
  context.ui.setState({ moment: 1 })
  expect(cursor(context.ui)).toBe('1')
  await until(context.ui, ({ busy }) => busy === null)
  expect(seen(context.reader())).toEqual(seen(await workspace.sessions.look(1)))
})

describe('while a moment is read', () => {
  function slow() {
    const ui = createUiStore('timeline')
    const wanted: { seq: number; done: PromiseWithResolvers<WorkspaceReader> }[] = []
    const moments = createMoments((seq) => {
      const done = Promise.withResolvers<WorkspaceReader>()
      wanted.push({ seq, done })
      return done.promise
    })
    let newest = 9
    const timeline = followTimeline({ ui, wake() {}, moments: () => moments, newest: () => newest })
    const entryCame = () => {
      newest += 1
      timeline.onNewEntries()
    }
    const select = (selected: string) =>
      ui.setState((state) => changePane(state, 'timeline', { selected }))
    return { ui, wanted, select, entryCame, reader: {} as WorkspaceReader }
  }

  test('the last moment stays, and the screen says that one is being read', async () => {
    const { ui, wanted, select, reader } = slow()
    select('5')
    expect(ui.getState()).toMatchObject({ moment: null, busy: 'reading #5' })
    await Promise.resolve()
    wanted[0]?.done.resolve(reader)
    await until(ui, ({ busy }) => busy === null)
    expect(ui.getState().moment).toBe(5)
  })

  test('only the entry that the cursor reached is shown', async () => {
    const { ui, wanted, select, reader } = slow()
    const shown: (number | null)[] = []
    ui.subscribe(({ moment }) => shown.push(moment))
    select('5')
    await Promise.resolve()
    for (const seq of ['4', '3', '2']) select(seq)
    wanted[0]?.done.resolve(reader)
    await until(ui, ({ busy }) => busy === 'reading #2')
    await Promise.resolve()
    wanted[1]?.done.resolve(reader)
    await until(ui, ({ busy }) => busy === null)
    expect(ui.getState().moment).toBe(2)
    expect(shown).not.toContain(5)
    expect(wanted.map(({ seq }) => seq)).toEqual([5, 2])
  })

  test('an entry that comes does not take the cursor away', async () => {
    const { ui, wanted, select, entryCame, reader } = slow()
    select('5')
    entryCame()
    await Promise.resolve()
    wanted[0]?.done.resolve(reader)
    await until(ui, ({ busy }) => busy === null)
    expect(ui.getState().moment).toBe(5)
    select('10')
    entryCame()
    expect(cursor(ui)).toBe('11')
  })

  test('a moment that cannot be read is reported, and now is shown', async () => {
    const { ui, wanted, select } = slow()
    select('5')
    await Promise.resolve()
    wanted[0]?.done.reject(new Error('line 5 is \u001B[2J damaged'))
    await until(ui, ({ busy }) => busy === null)
    expect(cursor(ui)).toBe('9')
    expect(ui.getState()).toMatchObject({
      moment: null,
      banner: { tone: 'refused', text: '#5 cannot be shown: line 5 is <U+001B>[2J damaged' },
    })
  })
})

describe('marks', () => {
  const difference = (context: PlaygroundContext) => context.ui.getState().difference

  test('the second mark shows the difference, the earlier moment first', async () => {
    const { context, press, last } = await aWalk()
    await press('d', 'g', 'd')
    expect(difference(context)).toMatchObject({
      title: `From #0 to #${last}`,
      tools: { added: ['loadSkill', 'loadSkillFile', 'unloadSkill'], removed: [], changed: [] },
    })
    await press('esc', 'esc')
    const opened = context
      .entries()
      .findIndex(({ event }) => event.type === 'source.opened' && event.owner === 'reporting')
    context.ui.setState((state) => changePane(state, 'timeline', { selected: `${opened}` }))
    await press('d', 'end', 'd')
    expect(difference(context)).toMatchObject({
      title: `From #${opened} to #${last}`,
      tools: { added: [], removed: ['query_table', 'list_tables', 'write_report'] },
      request: { before: 197, after: 147 },
    })
  })

  test('a mark is removed by marking again', async () => {
    const { context, press } = await aWalk()
    await press('d')
    expect(context.ui.getState().marks).toHaveLength(1)
    await press('d')
    expect(context.ui.getState().marks).toEqual([])
    expect(difference(context)).toBeNull()
  })
})
