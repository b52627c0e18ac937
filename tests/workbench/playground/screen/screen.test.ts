import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { SkillDefinition } from 'loadout'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'

async function aScreen(columns: number, rows: number, skills?: readonly SkillDefinition[]) {
  const playground = await aPlayground(skills)
  const { context } = playground
  const theme = { ascii: false, colour: false }
  const tree = createElement(Screen, { context, table: TABLE, theme })
  return { ...playground, ...(await realScreen(tree, columns, rows)) }
}

test('at 80x24 the lists, with the report of an activation', async () => {
  const { screen, press, waitFor } = await aScreen(80, 24)
  await press(' ')
  await waitFor('DONE')
  expect(screen()).toMatchInlineSnapshot(`
    "now #2 | request 179 tokens (words) | compatible, active | no agent | session a…
    ╭─[1 Skills]─────────────────────────────────────────────────── 1 of 3 active ─╮
    │❯ ●  data-analysis                             active       2     15 session  │
    │  ○  music                                     inactive     0     10          │
    │  ○  reporting                                 inactive     1      8          │
    │                                                                              │
    │                                                                              │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    ╭─ 2 Tools ─────────────────────────────────────────────── 5 sent, 1 inactive ─╮
    │    TOOL                STATUS    TOKENS REASON                               │
    │  ▾ loadout (3)                                                               │
    │  ● loadSkill           sent          20 #1 "loadout" registered it when the… │
    │  ● loadSkillFile       sent          33 #1 "loadout" registered it when the… │
    │  ● unloadSkill         sent          14 #1 "loadout" registered it when the… │
    │  ▾ skill data-analysis (2)                                                   │
    │  ● query_table         sent           3 #2 Skill "data-analysis" was activa… │
    │  ● list_tables         sent           3 #2 Skill "data-analysis" was activa… │
    │  ▾ skill reporting (1)                                                       │
    │  ○ write_report        inactive       2 #0 Skill "reporting" has not been a… │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    ── 3 Waiting ────────────────────────────────────────────────── nothing waits ──
    DONE data-analysis activated
    tools +2 | request 147 → 179 tokens (+32), nothing cached below 1,024 | + query…
    Space on/off  Enter why  L for a time  : commands  ? keys  q quit  > chat  W ask"
  `)
})

test('at 40x12 one pane, and a key for each; tab shows what the list is about', async () => {
  const { screen, press } = await aScreen(40, 12)
  expect(screen()).toMatchInlineSnapshot(`
    "now #1 | request 147 tokens (words) | c…
    ╭─[1 Skills]─────────── 0 of 3 active ─╮
    │     SKILL               TOOLS TOKENS │
    │❯ ○  data-analysis           2     15 │
    │  ○  music                   0     10 │
    │  ○  reporting               1      8 │
    │                                      │
    │                                      │
    │                                      │
    ╰──────────────────────────────────────╯

    : commands  ? keys  q quit  > chat"
  `)
  const titles: string[] = []
  for (const key of '1234568901') {
    await press(key)
    titles.push(/\[(\d \w+)\]/u.exec(screen())?.[1] ?? '')
  }
  expect(titles).toEqual([
    '1 Skills',
    '2 Tools',
    '3 Waiting',
    '4 Timeline',
    '5 Prompt',
    '6 Why',
    '8 Diff',
    '9 Ledger',
    '0 Memory',
    '1 Skills',
  ])
  await press('\t')
  expect(screen()).toContain('[5 Prompt]')
  await press('\t')
  expect(screen()).toContain('[1 Skills]')
})

test.each([
  [160, 45, 2],
  [100, 30, 2],
  [80, 24, 1],
  [40, 12, 1],
])('at %i x %i every row is as wide as the screen', async (columns, rows, panes) => {
  const { screen } = await aScreen(columns, rows)
  const lines = screen().split('\n')
  expect(lines).toHaveLength(rows)
  expect(lines[1]?.match(/╭/gu)).toHaveLength(panes)
  for (const line of lines.slice(1, -3)) expect(line).toHaveLength(columns)
})

test('a screen that is too small says so, and is complete again when it grows', async () => {
  const { screen, resize } = await aScreen(12, 5)
  expect(screen()).toBe('Too small:\nneeds 24x8.')
  await resize(80, 24)
  expect(screen()).toContain('[1 Skills]')
  await resize(80, 7)
  expect(screen()).toBe('Too small: needs 24x8.')
  await resize(40, 12)
  expect(screen().split('\n')).toHaveLength(12)
})

test('another size repaints cleanly: the same as a screen that was never another', async () => {
  const { screen, resize, press } = await aScreen(160, 45)
  await press('2')
  await resize(80, 24)
  const fresh = await aScreen(80, 24)
  await fresh.press('2')
  expect(screen()).toBe(fresh.screen())
})

test('why the model cannot call a tool is answered by the tools pane', async () => {
  const { screen, press } = await aScreen(100, 30)
  await press('2')
  await press('jjjjj\r')
  expect(screen()).toContain('Skill "data-analysis" has not been activated')
  expect(screen()).toContain('fix: Activate the skill "data-analysis".')
  await press('\x1b')
  await press(' ')
  expect(screen()).toContain('data-analysis activated')
})

test('a dialog hides what is under it, and gives it back', async () => {
  const { screen, press } = await aScreen(80, 24)
  const before = screen()
  await press(':no such action')
  expect(screen()).toContain('[Run an action, or go to a row]')
  expect(screen()).not.toContain('data-analysis')
  await press('\x1b')
  expect(screen()).toBe(before)
})

test('a filter shows what is typed and keeps only what has it', async () => {
  const { screen, press } = await aScreen(80, 24)
  await press('/songs')
  expect(screen()).toContain('FILTER Skills: songs_')
  expect(screen()).toContain('music')
  expect(screen()).not.toContain('│  ○  report')
})

test('a change on disk is shown as a line until the report of a change replaces it', async () => {
  const { context, screen, press, waitFor } = await aScreen(80, 24)
  context.ui.setState({
    changes: [{ skill: 'music', what: 'changed', text: 'its description is another' }],
  })
  await waitFor('ON DISK')
  expect(screen()).toContain('ON DISK music changed: its description is another')
  await press(' ')
  await waitFor('DONE')
  await press('j')
  expect(screen()).toContain('ON DISK')
})

test('escape sequences and bidi tricks of a skill are visible text', async () => {
  const hostile = 'ev\x1b]0;owned\x07il \u202eback\u202c \x9b31m'
  const { screen, press, output } = await aScreen(120, 30, [
    {
      name: 'hostile',
      displayName: hostile,
      description: hostile,
      instructions: hostile,
      tags: [hostile],
    },
  ])
  await press('\r')
  expect(screen()).toContain('ev<U+001B>]0;owned<U+0007>il <U+202E>back<U+202C> <U+009B>31m')
  await press('\x1b')
  await press(`/${'\x1b]0;'}`)
  for (const foreign of ['\x07', '\x9b', '\u202e', '\x1b]']) {
    expect(output.written).not.toContain(foreign)
  }
})

test('drawn in ASCII nothing but ASCII is written', async () => {
  const { context } = await aPlayground()
  const theme = { ascii: true, colour: false }
  const { screen, press } = await realScreen(
    createElement(Screen, { context, table: TABLE, theme }),
    120,
    30,
  )
  for (const keys of ['2', '3', '4', '5', '?', '\x1b', ':', '\x1b', '1', ' ']) await press(keys)
  expect(screen()).toMatch(/^[\n -~]*$/u)
})

test('a screen in the past says so, and now is back after escape', async () => {
  const { context, screen, press, waitFor } = await aScreen(80, 24)
  await press(' ')
  await waitFor('DONE')
  await context.look(1)
  context.ui.setState({ moment: 1 })
  await waitFor('MOMENT #1 of #2')
  expect(screen()).toContain('0 of 3 active')
  await press('\x1b')
  expect(screen()).toContain('now #2')
  expect(screen()).toContain('1 of 3 active')
})

test('what is read aloud is one pane at a time, with a heading and marks in words', async () => {
  const { context } = await aPlayground()
  const theme = { ascii: true, colour: false }
  const tree = createElement(Screen, { context, table: TABLE, theme })
  const { press, screen } = await realScreen(tree, 100, 16, { isSpoken: true })
  await press('2')
  const [, ...spoken] = screen().split('\n')
  expect(spoken.slice(0, 6).join('\n')).toMatchInlineSnapshot(`
    "2 Tools, 3 sent, 3 inactive
        TOOL                     STATUS    TOKENS REASON
    > - loadout (3)
      * loadSkill                sent          20 #1 "loadout" registered it when the session opened.
      * loadSkillFile            sent          33 #1 "loadout" registered it when the session opened.
      * unloadSkill              sent          14 #1 "loadout" registered it when the session opened."
  `)
  expect(screen()).not.toContain('1 Skills')
})

test('at the end of the help, one key up shows one line more above', async () => {
  const { screen, press } = await aScreen(80, 24)
  await press('?')
  await press('G')
  const end = screen()
  await press('k')
  expect(screen()).not.toBe(end)
  await press('j')
  expect(screen()).toBe(end)
})

test('a new filter replaces the one before', async () => {
  const { context, press, screen } = await aScreen(80, 24)
  await press('/music\r')
  await press('/report')
  expect(screen()).toContain('FILTER Skills: report_')
  expect(context.ui.getState().panes['skills']?.filter).toBe('report')
})

test('a q that goes back does not quit, and one too many asks', async () => {
  const { asked, press, screen } = await aScreen(120, 24)
  await press('\r')
  expect(screen()).toContain('[6 Why]')
  await press('q')
  expect(screen()).toContain('[1 Skills]')
  await press('q')
  expect(asked.exits).toBe(0)
  expect(screen()).toContain('The last q went back.')
  await press('n')
  await press('?')
  await press('q')
  await press('j')
  await press('q')
  expect(asked.exits).toBe(1)
})

test('at 80x24 W ranks a sentence while it is typed, and the list moves below the cursor', async () => {
  const { screen, press, waitFor } = await aScreen(80, 24)
  await press('W')
  await waitFor('data-analysis (skill): inactive')
  await press('\x15')
  await press('list the tables')
  await waitFor('confidence')
  await press('\x1b[B')
  expect(screen()).toMatchInlineSnapshot(`
    "now #1 | request 147 tokens (words) | compatible, active | no agent | session a…
    ╭─[Why: a name, a sentence, #12, step 3]───────────────────────────────────────╮
    │Why list the tables|                                                          │
    │  SCORE  KIND   NAME           OWNER          MATCHED                         │
    │  18.36  tool   list_tables    data-analysis  name: list tables listtables; d…│
    │❯ 9.21   tool   query_table    data-analysis  name: tables                    │
    │  8.80   skill  data-analysis  -              description: tables             │
    │                                                                              │
    │confidence 0.89, by words                                                     │
    │                                                                              │
    │list_tables (tool): skill-inactive                                            │
    │  name: list tables listtables                                                │
    │  description: list tables                                                    │
    │fix: Activate the skill "data-analysis".                                      │
    │query_table (tool): skill-inactive                                            │
    │  name: tables                                                                │
    │fix: Activate the skill "data-analysis".                                      │
    │data-analysis (skill): inactive                                               │
    │▼ 2 more                                                                      │
    │query_table: Enter, then Space activates "data-analysis".                     │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    4 Timeline  5 Prompt  6 Why  7 Chat  8 Diff  9 Ledger  0 Memory

    Enter open  Esc Close  Down next  Up previous  PgUp Previous page  Ctrl-U empty"
  `)
})

test('a field that is too narrow for a question shows its end', async () => {
  const { screen, press, waitFor } = await aScreen(40, 12)
  await press('W')
  await press('\x15')
  await press('a question that is much longer than the screen is wide')
  await waitFor('screen is wide')
  expect(screen()).toContain('screen is wide')
})

test('a screen reader reads the answer to why line by line', async () => {
  const { context } = await aPlayground()
  const theme = { ascii: true, colour: false }
  const tree = createElement(Screen, { context, table: TABLE, theme })
  const { press, screen, waitFor } = await realScreen(tree, 80, 24, { isSpoken: true })
  await press('W')
  await waitFor('data-analysis (skill): inactive')
  expect(screen()).toContain('fix: Activate the skill "data-analysis".')
})
