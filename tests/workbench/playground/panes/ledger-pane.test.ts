import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { changePane, paneState } from '../../../../src/workbench/playground/context/ui-state.ts'
import { ledgerPane } from '../../../../src/workbench/playground/panes/ledger-pane.tsx'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const THEME = { ascii: false, colour: false }

function frame(context: PlaygroundContext, width = 80, height = 28, focused = false): string {
  const props = { context, focused, width, height, theme: THEME }
  return renderToString(createElement(ledgerPane.View, props), { columns: width })
}

test('before the first step it shows the price of the prompt alone', async () => {
  const { context } = await aPlayground()
  expect(frame(context)).not.toContain('Request of step')
  expect(ledgerPane.status(context)).toBe('tokens')
})

test('after steps it shows what the last one kept, and what a deactivation would free', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.beginStep({ messageTokens: 2000 })
  await workspace.activateSkill('data-analysis')
  await workspace.beginStep({ messageTokens: 2100 })
  await context.readNext()
  const shown = frame(context, 80, 31)
  expect(shown.slice(shown.indexOf('Request of step'))).toMatchInlineSnapshot(`
    "Request of step 2 (active, compatible), shares of 2,279
      Instructions                                        80    4% █░░░░░░░░░░░░░░░
      Tools                                               73    3% █░░░░░░░░░░░░░░░
      Conversation                                     2,126   93% ███████████████░
    Cached from the previous request, shares of 2,147
      nothing cached below 1,024                           0    0% ░░░░░░░░░░░░░░░░
    Freed by deactivating, shares of 2,279
      data-analysis, 2,126 read again                      6   <1% █░░░░░░░░░░░░░░░




    "
  `)
})

test('a row of a step is found by its words', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.beginStep()
  context.ui.setState((state) => changePane(state, 'ledger', { filter: 'conversation' }))
  expect(ledgerPane.rows(context)).toEqual(['next/conversation', 'step/conversation'])
  expect(ledgerPane.status(context)).toBe('tokens of "conversation"')
})

test('the ledger: tokens by source, skill and tool', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('reporting', { by: 'user' })
  await context.readNext()
  expect(frame(context, 60, 18, true)).toMatchInlineSnapshot(`
    "request 197 tokens (words)
    Next request, shares of 197
    ❯ Instructions                    80   41% ██████░░░░░░░░░░
      Tools                           75   38% ██████░░░░░░░░░░
      Conversation                    42   21% ███░░░░░░░░░░░░░
    Its text by source, shares of 197
      Loadout                         91   46% ███████░░░░░░░░░
      Agent                            0    0% ░░░░░░░░░░░░░░░░
      Skills                          38   19% ███░░░░░░░░░░░░░
      Components                       0    0% ░░░░░░░░░░░░░░░░
      Global tools                     0    0% ░░░░░░░░░░░░░░░░
    By skill (text and tools), shares of 197
      data-analysis                   30   15% ██░░░░░░░░░░░░░░
      reporting                       16    8% █░░░░░░░░░░░░░░░
    By tool (listing and definition), shares of 197
      query_table                      8    4% █░░░░░░░░░░░░░░░
      list_tables                      8    4% █░░░░░░░░░░░░░░░
      write_report                     6    3% █░░░░░░░░░░░░░░░"
  `)
  context.ui.setState((state) => changePane(state, 'ledger', { filter: 'report' }))
  expect(ledgerPane.rows(context)).toEqual(['skill/reporting', 'tool/write_report'])
  expect(ledgerPane.status(context)).toBe('tokens of "report"')
})

test('each step has what it kept; other strategies are priced by a key, as if they had sent all steps', async () => {
  const { context, workspace } = await aPlayground(undefined, {}, [], { exposure: 'active' })
  await workspace.beginStep({ messageTokens: 2000 })
  await workspace.activateSkill('data-analysis')
  await workspace.beginStep({ messageTokens: 2100 })
  await workspace.beginStep({ messageTokens: 2200 })
  await context.readNext()
  await handleStrokes(['9', 'x'], context, TABLE)
  const shown = frame(context, 80, 28, true)
  expect(shown.slice(0, shown.indexOf('Its text by source'))).toMatchInlineSnapshot(`
    "request 2,379 tokens (words)
    Next request, shares of 2,379
    ❯ Instructions                                        80    3% █░░░░░░░░░░░░░░░
      Tools                                               73    3% █░░░░░░░░░░░░░░░
      Conversation                                     2,226   94% ███████████████░
    Kept of the request before, by step
      step 3                                           2,279  100% ████████████████
      step 2: lost from query_table by #3                  0    0% ░░░░░░░░░░░░░░░░
    Price of all steps with each strategy, shares of 5,666
      active, 1,074 lost                               5,666  100% ████████████████
      append, 1,074 lost                               5,666  100% ████████████████
    "
  `)
  const spent = await Promise.all(
    (['active', 'append'] as const).map(async (exposure) => {
      const { workspace: other } = await aPlayground(undefined, {}, [], { exposure })
      await other.beginStep({ messageTokens: 2000 })
      await other.activateSkill('data-analysis')
      await other.beginStep({ messageTokens: 2100 })
      await other.beginStep({ messageTokens: 2200 })
      return [`strategy/${exposure}`, Math.round(other.state.spent.price)]
    }),
  )
  const { strategies } = context.ui.getState()
  const prices = [...strategies].map(([name, steps]) => [
    `strategy/${name}`,
    Math.round(steps.reduce((sum, { preview }) => sum + preview.cost.price, 0)),
  ])
  expect(prices).toEqual(expect.arrayContaining(spent))
  expect(workspace.state.spent.price).toBeGreaterThan(0)
})

test('a row of a step leads to its entry, and to the entry that lost the cache', async () => {
  const { context, workspace } = await aPlayground(undefined, {}, [], { exposure: 'active' })
  await workspace.beginStep({ messageTokens: 2000 })
  await workspace.activateSkill('data-analysis')
  await workspace.beginStep({ messageTokens: 2100 })
  await context.readNext()
  const step = ledgerPane.rows(context).find((row) => row.startsWith('sent/')) ?? ''
  const press = async (key: string) => {
    context.ui.setState((state) =>
      changePane({ ...state, focus: 'ledger' }, 'ledger', { selected: step }),
    )
    await handleStrokes([key], context, TABLE)
    return context.entries()[Number(paneState(context.ui.getState(), 'timeline').selected)]?.event
  }
  expect(await press('enter')).toMatchObject({ type: 'step.begun', step: 2 })
  expect(await press('#')).toMatchObject({ type: 'source.opened', owner: 'data-analysis' })
})
