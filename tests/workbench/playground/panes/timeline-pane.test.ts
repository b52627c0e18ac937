import { renderToString } from 'ink'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { shownTab } from '../../../../src/workbench/playground/context/screen-pane.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import {
  selectTimelinePane,
  timelinePane,
} from '../../../../src/workbench/playground/panes/timeline-pane.tsx'
import { changePane } from '../../../../src/workbench/playground/context/ui-state.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

async function aSession() {
  const playground = await aPlayground()
  const { context, workspace } = playground
  await workspace.activateSkill('reporting', { by: 'user' })
  await workspace.activateSkill('music', { by: 'user' })
  await workspace.activateSkill('a\u001B[2Jb')
  const draw = (width: number, height: number) =>
    renderToString(
      createElement(timelinePane.View, {
        context,
        focused: true,
        width,
        height,
        theme: { ascii: false, colour: false },
      }),
      { columns: width },
    ).replaceAll(/\d\d:\d\d:\d\d/gv, '00:00:00')
  const filter = (filter: string) =>
    context.ui.setState((state) => changePane(state, 'timeline', { filter }))
  return { ...playground, draw, filter }
}

test('every entry with its cause in words; refusals say so', async () => {
  const { draw } = await aSession()
  expect(draw(90, 8)).toMatchInlineSnapshot(`
    "  #0    00:00:00 session "a-session" opened without an agent, in text mode    opening
      #1    00:00:00 global tools of "loadout" registered, with 3 tools           opening
      #2    00:00:00 skill "data-analysis" activated, with 2 tools                dependency
      #3    00:00:00 skill "reporting" activated, with 1 tool; presupposes skill… user
      #4    00:00:00 REFUSED skill.activate "music" (conflicting): "music" confl… user
    ❯ #5 ◆  00:00:00 REFUSED skill.activate "a<U+001B>[2Jb" (skill-unknown): No … host

    "
  `)
})

test('a filter leaves the entries that hold its words', async () => {
  const { context, draw, filter } = await aSession()
  expect(timelinePane.status(context)).toBe('now')
  filter('refused')
  expect(timelinePane.rows(context)).toEqual(['4', '5'])
  expect(timelinePane.status(context)).toBe('2 with "refused", now')
  filter('#2')
  expect(draw(60, 3)).toMatch(/#2 .*data-analysis/u)
})

test('an entry in full: in words, then as JSON, with hidden characters shown', async () => {
  const { context } = await aSession()
  await handleStrokes(['4', 'enter'], context, TABLE)
  const about = timelinePane.about?.(context)
  expect(context.ui.getState().focus).toBe('why')
  expect(about?.title).toBe('#5 command.refused')
  const text = about?.lines.join('\n') ?? ''
  expect(text).toContain('"code": "skill-unknown"')
  expect(text.split('\n').slice(2).join('\n')).not.toContain('\u001B')
})

test('words that people search for find the steps that lost the cache, and types find their entries', async () => {
  const { context, workspace, filter } = await aSession()
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.activateSkill('music')
  await workspace.deactivateSkill('reporting')
  await workspace.beginStep()
  const steps = context
    .entries()
    .flatMap(({ seq, event }) => (event.type === 'step.begun' ? [String(seq)] : []))
  expect(steps).toHaveLength(2)
  for (const [words, found] of [
    ['step.begun', steps],
    ['step', steps],
    ['cache', steps],
    ['lost', steps.slice(1)],
  ] as const) {
    filter(words)
    expect(timelinePane.rows(context).filter((row) => steps.includes(row))).toEqual(found)
  }
})

test('rows have the time, the turn and the cause, and no ids of calls', async () => {
  const { workspace, draw } = await aSession()
  await workspace.beginTurn()
  await workspace.callTool('list_tables', {}, { caller: 'user' })
  const last =
    draw(100, 4)
      .split('\n')
      .find((row) => row.includes('called')) ?? ''
  expect(last).toMatch(/#\d+ +\d\d:\d\d:\d\d t1 +"list_tables" called +user/v)
})

describe('losses of the cache', () => {
  /** Six steps. Before the third a skill comes and before the fifth it goes, each by another entry. */
  async function aLossySession() {
    const playground = await aPlayground(undefined, {}, [], {
      provider: 'anthropic',
      exposure: 'active',
    })
    const { context, workspace } = playground
    const steps = async (count: number) => {
      for (let step = 0; step < count; step += 1) await workspace.beginStep({ messageTokens: 2000 })
    }
    await steps(2)
    await workspace.activateSkill('data-analysis', { by: 'user' })
    await workspace.activateSkill('music', { by: 'user' })
    await steps(2)
    await workspace.deactivateSkill('data-analysis', { by: 'user' })
    await steps(2)
    const press = (...strokes: string[]) => handleStrokes(strokes, context, TABLE)
    const cursor = () =>
      context.entries()[Number(selectTimelinePane(context.ui.getState()).selected)]
    return { ...playground, press, cursor }
  }

  test('two keys find the step that lost the cache, and why', async () => {
    const { context, press, cursor } = await aLossySession()
    await press('4', '[')
    expect(cursor()?.event).toMatchObject({ type: 'step.begun', step: 5 })
    expect(shownTab(PANES, context.ui.getState())?.id).toBe('why')
    const [, ...why] = timelinePane.about?.(context)?.lines ?? []
    expect(why.slice(0, 4)).toMatchInlineSnapshot(`
      [
        "request 2,198 tokens, nothing cached below 1,024.",
        "Lost from tools "query_table" on: 2,513 tokens at the full input price.",
        "The tool "query_table" of "data-analysis" was removed, and 1 more.",
        "By #8 (key #): by the user: skill "data-analysis" deactivated; 6 tokens freed, 2118 tokens after them read again",
      ]
    `)
  })

  test('a loss in the newest entry is found, too', async () => {
    const { context, press, cursor, workspace } = await aLossySession()
    await workspace.activateSkill('data-analysis', { by: 'user' })
    const { seq } = await workspace.beginStep({ messageTokens: 2000 })
    await press('4', '[')
    expect(cursor()?.seq).toBe(seq)
    expect(shownTab(PANES, context.ui.getState())?.id).toBe('why')
    await press('[')
    expect(cursor()?.event).toMatchObject({ type: 'step.begun', step: 5 })
  })

  test('keys go from loss to loss both ways, and say when there is no other', async () => {
    const { context, press, cursor } = await aLossySession()
    await press('4', '[', '[')
    expect(cursor()?.event).toMatchObject({ type: 'step.begun', step: 3 })
    await press(']')
    expect(cursor()?.event).toMatchObject({ type: 'step.begun', step: 5 })
    await press(']')
    expect(context.ui.getState().banner?.text).toMatch(/^No step after #\d+ lost/v)
  })

  test('a key goes from a loss to the entry that caused it, not to others between the steps', async () => {
    const { press, cursor } = await aLossySession()
    await press('4', '[', '#')
    expect(cursor()?.event).toMatchObject({ type: 'source.closed', owner: 'data-analysis' })
    await press('[', '#')
    expect(cursor()?.event).toMatchObject({ type: 'source.opened', owner: 'data-analysis' })
  })
})
