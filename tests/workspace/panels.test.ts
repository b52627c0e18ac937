import { defineComponent, type Panel } from 'loadout'
import { expect, test } from 'vitest'
import { aWorkspace } from './a-workspace.ts'

const good = defineComponent({
  key: 'good',
  initialState: 1,
  tools: [],
  panel: (count) => ({ title: 'Good', lines: [`It is ${count}.`] }),
})

test.each<{ what: string; panel: () => unknown; why: string }>([
  {
    what: 'throws',
    panel: () => {
      throw new Error('no ink')
    },
    why: 'no ink',
  },
  {
    what: 'throws what is no error',
    panel: () => {
      throw Object.create(null)
    },
    why: 'an object without a message',
  },
  { what: 'gives nothing', panel: () => undefined, why: 'it is not { title, lines }' },
  { what: 'has no lines', panel: () => ({ title: 'Bad' }), why: 'it is not { title, lines }' },
  {
    what: 'has one text for its lines',
    panel: () => ({ title: 'Bad', lines: 'one' }),
    why: 'it is not { title, lines }',
  },
  {
    what: 'has a title that is no text',
    panel: () => ({ title: 5, lines: [] }),
    why: 'it is not { title, lines }',
  },
  {
    what: 'has lines that throw',
    panel: () => ({
      title: 'Bad',
      get lines() {
        throw new Error('torn')
      },
    }),
    why: 'torn',
  },
])('a panel that $what says so in its place, and the prompt has the others', async (row) => {
  const bad = defineComponent({
    key: 'bad',
    initialState: null,
    tools: [],
    panel: row.panel as () => Panel,
  })
  const workspace = await aWorkspace({ components: [bad, good] })
  const { text } = workspace.prompt()
  expect(text).toContain(`This panel could not be drawn: ${row.why}`)
  expect(text).toContain('It is 1.')
  expect((await workspace.beginStep()).conversation.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['panel/bad', 'panel/good']),
  )
})

test('a state restored from anything does not take the prompt away', async () => {
  const list = defineComponent({
    key: 'list',
    initialState: ['first'] as readonly string[],
    tools: [],
    panel: (lines) => ({ title: 'List', lines }),
  })
  const workspace = await aWorkspace({ components: [list] })
  expect(await workspace.restoreComponent('list', 'not a list')).toMatchObject({ ok: true })
  expect(workspace.prompt().text).toContain('This panel could not be drawn')
})

test('panels are in the order of priority, and else in that of registration', async () => {
  const panelOf = (key: string, priority?: number) =>
    defineComponent({
      key,
      initialState: null,
      tools: [],
      ...(priority !== undefined && { priority }),
      panel: () => ({ title: key, lines: [] }),
    })
  const workspace = await aWorkspace(
    {},
    { components: [panelOf('b'), panelOf('c', 5), panelOf('a')] },
  )
  await workspace.registerComponent(panelOf('first', -1))
  const panels = workspace.prompt().document.sections.filter(({ kind }) => kind === 'panel')
  expect(panels.map(({ owner }) => owner)).toEqual(['first', 'b', 'a', 'c'])
})
