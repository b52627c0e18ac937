import { defineTool } from 'loadout'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { changePane } from '../../../../src/workbench/playground/context/ui-state.ts'
import { memoryPane } from '../../../../src/workbench/playground/panes/memory-pane.tsx'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import { aPlayground } from '../a-playground.ts'

const THEME = { ascii: true, colour: false }

function frame(context: PlaygroundContext, focused = true): string {
  const props = { context, focused, width: 60, height: 14, theme: THEME }
  return renderToString(createElement(memoryPane.View, props), { columns: 60 }).trimEnd()
}

/** Remembers two pages, and then gives nothing three times. */
async function remembering() {
  const answers: unknown[] = [
    { pages: [{ id: 1, title: 'Owls' }] },
    { pages: [{ id: 2, title: 'Mice' }] },
  ]
  const tool = defineTool({
    name: 'list_pages',
    description: 'List pages.',
    extraction: { path: 'pages', isArray: true, type: 'page', nameField: 'title' },
    execute: () => answers.shift() ?? { pages: [{ other: 1 }] },
  })
  const playground = await aPlayground([{ name: 'cms', description: 'Pages.', tools: [tool] }])
  const { workspace } = playground
  await workspace.activateSkill('cms')
  for (let call = 0; call < 5; call += 1) await workspace.callTool('list_pages', {})
  await workspace.setSummary('Two pages.\nOne is about owls.')
  return playground
}

test('the memory, the newest entity first, with the numbers of entries', async () => {
  const { context } = await remembering()
  expect(memoryPane.status(context)).toBe('2 entities')
  expect(frame(context)).toMatchInlineSnapshot(`
    "> Entities (2)
        page 2: Mice (#6)
        page 1: Owls (#4)
      Used tools (1)
        list_pages, 5 times, last: success (#12)
      Results without entities (1)
        list_pages, last 3: nothing-extracted (#13)
      Summary (2)
        Two pages.
        One is about owls."
  `)
})

test('a filter leaves the rows that hold its words, with their headings', async () => {
  const { context } = await remembering()
  context.ui.setState((state) => changePane(state, 'memory', { filter: 'owls' }))
  expect(memoryPane.rows(context)).toEqual(['Entities', 'Entities page:1', 'Summary', 'Summary 1'])
})

test('a session without memory says so', async () => {
  const { context } = await aPlayground()
  expect(frame(context)).toBe('No memory yet.')
  expect(memoryPane.rows(context)).toEqual([])
})
