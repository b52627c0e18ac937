import { expect, test } from 'vitest'
import { takeFrame } from '../../../../src/workbench/playground/snapshot/take-frame.tsx'
import { aPlayground, WORDS } from '../a-playground.ts'

const SHOWN = 'shown to the model in the only request, at place 5 of 5'

/** A session whose model was shown a tool, and called it once. */
async function aSessionWithACall() {
  const playground = await aPlayground()
  await playground.workspace.activateSkill('data-analysis')
  await playground.workspace.beginStep()
  const { seq } = playground.workspace.state
  await playground.workspace.callTool('list_tables', {}, { caller: 'model' })
  return { ...playground, seq }
}

test('the history of a name is there when it is read, and stays until the next one is', async () => {
  const { context, workspace } = await aSessionWithACall()
  expect(context.history.about('tool', 'query_table').lines).toEqual([])
  await context.history.reading()
  expect(context.history.about('tool', 'query_table').lines).toEqual([
    'shown to the model in the only request, at place 4 of 5',
  ])
  await workspace.beginStep()
  expect(context.history.about('tool', 'query_table').lines).toEqual([
    'shown to the model in the only request, at place 4 of 5',
  ])
  await context.history.reading()
  expect(context.history.about('tool', 'query_table').lines).toEqual([
    'shown to the model in all 2 requests, at place 4 of 5',
  ])
})

test('only what is read last is shown, whatever was asked for in between', async () => {
  const { context } = await aSessionWithACall()
  context.history.about('tool', 'query_table')
  context.history.about('tool', 'list_tables')
  await context.history.reading()
  expect(context.history.about('tool', 'list_tables').lines[0]).toBe(SHOWN)
})

test('at an earlier moment, later calls are not there', async () => {
  const { context, seq } = await aSessionWithACall()
  await context.look(seq)
  context.ui.setState({ moment: seq })
  context.history.about('tool', 'list_tables')
  await context.history.reading()
  expect(context.history.about('tool', 'list_tables').lines).toEqual([SHOWN])
})

test('the tab Why has it below the status, also in a picture', async () => {
  const { workspace } = await aSessionWithACall()
  const { rows } = await takeFrame({
    workspace,
    counter: WORDS,
    live: false,
    columns: 120,
    rows: 30,
    theme: { ascii: true, colour: false },
    strokes: ['2', 'j', 'j', 'enter'],
  })
  const lines = rows.map((spans) => spans.map(({ text }) => text).join(''))
  expect(lines.join('\n')).toContain('shown to the model in the only request')
})
