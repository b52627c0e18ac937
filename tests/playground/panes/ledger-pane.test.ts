import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { changePane } from '../../../src/playground/context/change-pane.ts'
import { ledgerPane } from '../../../src/playground/panes/ledger-pane.tsx'
import type { PlaygroundContext } from '../../../src/playground/context/playground-context.ts'
import { aPlayground } from '../a-playground.ts'

const THEME = { ascii: false, colour: false }

function frame(context: PlaygroundContext, width = 80, height = 28): string {
  const props = { context, focused: false, width, height, theme: THEME }
  return renderToString(createElement(ledgerPane.View, props), { columns: width })
}

test('before the first step it tells the price of the prompt alone', async () => {
  const { context } = await aPlayground()
  expect(frame(context)).not.toContain('Request of step')
  expect(ledgerPane.status(context)).toBe('tokens')
})

test('after steps it tells what the last one kept, and what putting skills away would free', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.beginStep({ messageTokens: 2000 })
  await workspace.activateSkill('data-analysis')
  await workspace.beginStep({ messageTokens: 2100 })
  const shown = frame(context)
  expect(shown.slice(shown.indexOf('Request of step'))).toMatchInlineSnapshot(`
    "Request of step 2
      Instructions                                        81    3% █░░░░░░░░░░░░░░░
      Tools                                               65    3% █░░░░░░░░░░░░░░░
      Conversation                                     2,195   94% ███████████████░
    Of the request before
      Kept                                               140    6% █░░░░░░░░░░░░░░░
      Not kept, from tools "query_table" on            2,060   94% ███████████████░
      Paid for that, at the input price                1,100   50% ████████░░░░░░░░
    Freed by putting away
      data-analysis, 2,195 read anew                       6   <1% █░░░░░░░░░░░░░░░


    "
  `)
})

test('a row of a step is found by its words', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.beginStep()
  context.ui.setState((state) => changePane(state, 'ledger', { filter: 'conversation' }))
  expect(ledgerPane.rows(context)).toEqual(['step/conversation'])
  expect(ledgerPane.status(context)).toBe('tokens of "conversation"')
})
