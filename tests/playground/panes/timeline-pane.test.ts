import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { handleStrokes } from '../../../src/playground/keys/handle-strokes.ts'
import { timelinePane } from '../../../src/playground/panes/timeline-pane.tsx'
import { changePane } from '../../../src/playground/context/ui-state.ts'
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
    )
  const filter = (filter: string) =>
    context.ui.setState((state) => changePane(state, 'timeline', { filter }))
  return { ...playground, draw, filter }
}

test('every entry with its cause in words; refusals say so', async () => {
  const { draw } = await aSession()
  expect(draw(90, 8)).toMatchInlineSnapshot(`
    "  #0    session "a-session" opened without an agent, in text… when the session opened
      #1    global tools of "loadout" registered, with 3 tools    when the session opened
      #2    skill "data-analysis" activated, with 2 tools         along with "reporting"
      #3    skill "reporting" activated, with 1 tool              by the user
      #4    REFUSED skill.activate "music" (conflicting): "music… by the user
    ❯ #5 ◆  REFUSED skill.activate "a<U+001B>[2Jb" (skill-unknow… by the host

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
