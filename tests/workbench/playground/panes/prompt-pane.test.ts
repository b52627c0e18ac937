import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { promptPane } from '../../../../src/workbench/playground/panes/prompt-pane.tsx'
import { changePane, paneState } from '../../../../src/workbench/playground/context/ui-state.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const SIZE = { width: 48, height: 16 }

async function aPrompt() {
  const playground = await aPlayground()
  const { context, workspace } = playground
  await workspace.activateSkill('data-analysis')
  await context.readNext()
  const draw = () => {
    const theme = { ascii: false, colour: false }
    const tree = createElement(promptPane.View, { context, focused: true, ...SIZE, theme })
    return renderToString(tree, { columns: SIZE.width })
  }
  const press = (...strokes: string[]) => handleStrokes(strokes, context, TABLE)
  const search = (filter: string) =>
    context.ui.setState((state) => changePane(state, 'prompt', { filter }))
  await press('5', 'z', 'm')
  // Everything is open, as Markdown.
  await press(...(promptPane.rows(context).length < 12 ? ['z'] : []))
  draw()
  return {
    ...playground,
    draw,
    press,
    search,
    pane: () => paneState(context.ui.getState(), 'prompt'),
  }
}

test('every section folds: instructions and conversation part, tokens and shares', async () => {
  const { draw, press } = await aPrompt()
  await press('z')
  expect(draw()).toMatchInlineSnapshot(`
    "request 179 tokens (words)
    ❯ INSTRUCTIONS  80 tokens
      ▸ Skill catalog           session      29  16%
      ▸ Loading skills          static       51  28%
      ▸ TOOLS (5)  73 tokens
      CONVERSATION  26 tokens
      ▸ Loaded skills           step         11   6%
      ▸ SKILL TOOLS: Data Anal… step         15   8%







    "
  `)
  await press('j', 'j', 'space')
  expect(draw()).toMatchInlineSnapshot(`
    "request 179 tokens (words)
      INSTRUCTIONS  80 tokens
      ▸ Skill catalog           session      29  16%
    ❯ ▾ Loading skills          static       51  28%
      ## Loading skills

      A skill brings instructions and tools that are
      not here until it is loaded. When a request
      fits a skill, call \`loadSkill\` with its id
      before you go on. Several may be loaded at
      once. Deactivate one you no longer need with
      \`unloadSkill\`; its tools go with it.
      ▸ TOOLS (5)  73 tokens
      CONVERSATION  26 tokens
      ▸ Loaded skills           step         11   6%
      ▸ SKILL TOOLS: Data Anal… step         15   8%"
  `)
})

test('folding from inside a section leaves the cursor on its heading', async () => {
  const { context, pane, press } = await aPrompt()
  await press('down', 'down', 'down', 'down', 'space')
  expect(pane().selected).toBe('section skill-catalog')
  const folded = promptPane.rows(context).length
  await press('space')
  expect(promptPane.rows(context).length).toBeGreaterThan(folded)
  await press('z')
  expect(promptPane.rows(context)).toHaveLength(7)
  await press('z')
  expect(promptPane.rows(context).length).toBeGreaterThan(folded)
})

test('search counts hits, goes round them, and opens folded sections', async () => {
  const { context, draw, pane, press, search } = await aPrompt()
  search('COLUMNS')
  expect(promptPane.status(context)).toBe('1 line with "COLUMNS"')
  await press('z', 'n')
  expect(draw()).toMatch(/❯•.*columns first/u)
  const first = pane().selected
  await press('N')
  expect(pane().selected).toBe(first)
  search('nowhere to be found')
  await press('n')
  expect(pane().selected).toBe(first)
})

test('typing a search leads to its first hit, and keystrokes that still mean it stay there', async () => {
  const { draw, pane, press } = await aPrompt()
  await press('/', 'c', 'o', 'l', 'u')
  expect(draw()).toMatch(/❯•.*columns first/u)
  const { selected } = pane()
  await press('m', 'n', 'enter')
  expect(pane().selected).toBe(selected)
})

test('it is shown as Markdown or in boxes', async () => {
  const { context, draw, press } = await aPrompt()
  expect(promptPane.status(context)).toBe('Markdown')
  expect(draw()).toContain('## Skill catalog')
  await press('m')
  expect(promptPane.status(context)).toBe('boxed')
  expect(draw()).toContain('┌─ Skill catalog ─')
  await press('m')
  expect(draw()).toContain('## Skill catalog')
})

test('the cursor reaches every line, and rows are what is drawn', async () => {
  const { context, draw, press } = await aPrompt()
  const rows = promptPane.rows(context)
  expect(new Set(rows).size).toBe(rows.length)
  await press('G')
  const last = draw().trimEnd().split('\n').at(-1) ?? ''
  expect(last).toMatch(/^❯/u)
  expect(draw()).toMatch(/▲ \d+ more/u)
})
