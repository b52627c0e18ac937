import { renderToString } from 'ink'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { changePane } from '../../../../src/workbench/playground/context/ui-state.ts'
import {
  selectChanges,
  selectSkillsPane,
  skillsPane,
} from '../../../../src/workbench/playground/panes/skills-pane.tsx'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { aPlayground, TABLE, WORDS } from '../a-playground.ts'

const THEME = { ascii: false, colour: false }

function frame(context: PlaygroundContext, width = 80, height = 9): string {
  const props = { context, focused: true, width, height, theme: THEME }
  return renderToString(createElement(skillsPane.View, props), { columns: width })
}

test('each skill with its status, tools, tokens, lifetime and change', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('data-analysis', { lifetime: { uses: 2 } })
  context.ui.setState({ changes: [{ skill: 'music', what: 'changed', text: 'another' }] })
  expect(frame(context)).toMatchInlineSnapshot(`
    "     SKILL                            STATUS   TOOLS TOKENS LIFETIME    ON DISK
    ❯ ●  data-analysis                    active       2     15 2 uses left
      ○! music                            inactive     0     10             changed
      ○  reporting                        inactive     1      8




    "
  `)
  expect(skillsPane.status(context)).toBe('1 of 3 active')
})

test.each([
  ['music', ['music']],
  ['SQL', ['data-analysis']],
  ['data analysis', ['data-analysis']],
  ['report found', ['reporting']],
  ['nothing of the kind', []],
])('the filter %j leaves %j', async (filter, names) => {
  const { context } = await aPlayground()
  context.ui.setState((state) => changePane(state, 'skills', { filter }))
  expect(skillsPane.rows(context)).toEqual(names)
})

test('the cursor stays on its skill when others come and go around it', async () => {
  const { context } = await aPlayground()
  context.ui.setState((state) => changePane(state, 'skills', { selected: 'reporting' }))
  expect(frame(context)).toContain('❯ ○  reporting')
  context.ui.setState((state) => changePane(state, 'skills', { filter: 'report' }))
  expect(frame(context)).toContain('❯ ○  reporting')
})

test('an empty list says so, and its keys do nothing', async () => {
  const { context } = await aPlayground([])
  expect(frame(context)).toContain('No skills. Run "loadout init" to create a working example')
  context.ui.setState((state) => changePane(state, 'skills', { filter: 'owls' }))
  expect(frame(context)).toContain('No skill matches "owls".')
  for (const { run } of skillsPane.actions) await run(context)
  expect(context.ui.getState().dialog).toBeNull()
})

test('the details of an active skill say which of its tools cannot be called', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('data-analysis')
  await workspace.setToolEnabled('query_table', false)
  context.ui.setState((state) => changePane(state, 'skills', { selected: 'data-analysis' }))
  const lines = skillsPane.about?.(context)?.lines ?? []
  const from = lines.indexOf('Tools')
  expect(lines.slice(from, from + 3)).toMatchInlineSnapshot(`
    [
      "Tools",
      "  query_table (disabled): Run one query.",
      "  list_tables: List the tables.",
    ]
  `)
})

test('the details of a skill start with its status and the reason', async () => {
  const { context } = await aPlayground()
  context.ui.setState((state) => changePane(state, 'skills', { selected: 'reporting' }))
  expect(skillsPane.about?.(context)?.lines.join('\n')).toMatchInlineSnapshot(`
    "reporting (skill): inactive
      #0 Skill "reporting" has not been activated since the session opened.
    fix: Activate the skill "reporting".

    Write a report of what was found.
    Name: Reporting
    Version: 1.0.0
    Tokens: 8 (text 6, tools 2)

    Requires
      data-analysis (inactive)

    Tools
      write_report: Write it.

    Instructions
    One page."
  `)
})

test('10,000 skills are priced only where they are in view', async () => {
  const skills = Array.from({ length: 10_000 }, (_, index) => ({
    name: `skill-${index}`,
    description: 'One of many.',
  }))
  const { context } = await aPlayground(skills)
  let counted = 0
  const counter = { ...WORDS, count: (text: string) => ((counted += 1), WORDS.count(text)) }
  expect(frame({ ...context, counter }).split('\n')).toHaveLength(9)
  expect(counted).toBeGreaterThan(0)
  expect(counted).toBeLessThan(50)
})

test('selectors give the same object as long as nothing changed', async () => {
  const { context } = await aPlayground()
  const state = context.ui.getState()
  expect(selectSkillsPane(state)).toBe(selectSkillsPane({ ...state }))
  expect(selectChanges(state)).toBe(state.changes)
})

test('a broken skill file is listed with the error, and its keys show it', async () => {
  const finding = {
    code: 'yaml-invalid',
    severity: 'error',
    message: 'Not valid YAML.',
    hint: 'Put values in quotes.',
    file: '/skills/owls/SKILL.md',
    line: 4,
  } as const
  const { context } = await aPlayground([{ name: 'music', description: 'Play songs.' }], {}, [
    finding,
  ])
  const selected = skillsPane.rows(context)[1] ?? null
  context.ui.setState((state) => changePane(state, 'skills', { selected }))
  expect(frame(context, 50, 7)).toMatchInlineSnapshot(`
    "     SKILL                  STATUS   TOOLS TOKENS
      ○  music                  inactive     0     10
    ❯ ✗  owls                   broken       0      0



    "
  `)
  const press = (key: string) =>
    skillsPane.actions.find(({ keys }) => keys.includes(key))?.run(context)
  for (const key of ['space', 'L', 'R', 'D', 'a']) {
    context.ui.setState({ banner: null })
    await press(key)
    const text = '"owls" is broken: Not valid YAML. Put values in quotes.'
    expect(context.ui.getState()).toMatchObject({ dialog: null, banner: { tone: 'refused', text } })
  }
  await press('enter')
  expect(context.ui.getState().focus).toBe('why')
  expect(skillsPane.about?.(context)).toMatchObject({
    title: 'owls',
    lines: [
      'owls (skill): broken',
      '  #0 It could not be loaded: Not valid YAML. (/skills/owls/SKILL.md:4)',
      'fix: Put values in quotes.',
    ],
  })
})

test('what a skill requires is a tree with the status of each, and what requires it is listed', async () => {
  const { context } = await aPlayground([
    { name: 'charts', description: 'Draw.', requires: ['tables'] },
    { name: 'tables', description: 'Count.', requires: ['files'] },
    { name: 'files', description: 'Read.' },
  ])
  const lines = () => skillsPane.about?.(context)?.lines.join('\n') ?? ''
  expect(lines()).toContain('Requires\n  tables (inactive)\n    files (inactive)\n')
  await handleStrokes(['G'], context, TABLE)
  expect(lines()).toContain('Requires\n  files (inactive)\n\nRequired by\n  charts (inactive)\n')
})

test('a key lists skills below those that require them, each below all of them', async () => {
  const skill = (name: string, requires: readonly string[] = []) => ({
    name,
    description: `${name}.`,
    requires,
  })
  const { context, workspace } = await aPlayground([
    skill('files'),
    skill('tables', ['files']),
    skill('charts', ['tables']),
    skill('digest', ['charts', 'files']),
    skill('music'),
  ])
  await handleStrokes(['1', 'm'], context, TABLE)
  expect(frame(context, 60, 9)).toMatchInlineSnapshot(`
    "     SKILL                            STATUS   TOOLS TOKENS
    ❯ ○  digest                           inactive     0     10
      ○  ╰─ charts                        inactive     0     10
      ○  │ ╰─ tables                      inactive     0     10
      ○  │ │ ╰─ files                     inactive     0     10
      ○  ╰─ files                         inactive     0     10
      ○  music                            inactive     0     10

    "
  `)
  // A key on any of its rows is about the skill.
  await handleStrokes(['G', 'k', 'space'], context, TABLE)
  expect(context.reader().state.open.map(({ owner }) => owner)).toContain('files')
  expect(workspace.skills().find(({ name }) => name === 'files')?.status).toBe('active')
  await handleStrokes(['m'], context, TABLE)
  expect(skillsPane.rows(context)).toEqual(['charts', 'digest', 'files', 'music', 'tables'])
})
