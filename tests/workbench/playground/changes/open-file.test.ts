import { createElement } from 'react'
import { VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, onTestFinished, test } from 'vitest'
import { changePane, createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { TABLE, WORDS } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'

/** A screen on a folder, and the files that it opened. */
async function aFolder(hasEditor = true) {
  const root = await temporaryFolder({
    'owls/SKILL.md': `${skillText('owls')}Hoot.\n`,
    ...toolTree('owls/tools/look'),
    ...toolTree('owls/tools/fly', null),
    'mice/SKILL.md': '---\nname: mice\ndescription: [\n---\n',
    'loadout.config.json': '{\n"permissions": {\n"deny": ["hide"],\n"ask": ["look"]\n}\n}\n',
    ...toolTree('owls/tools/hide'),
  })
  const project = await openProject([root], {
    home: null,
    trusted: true,
    project: root,
  })
  const { catalog, config } = project
  const { permissions } = config
  const workspace = await VirtualWorkspace.open({ catalog, policy: { permissions } })
  await workspace.activateSkill('owls')
  const opened: string[] = []
  const { context, close } = await createContext({
    workspace,
    ui: createUiStore('skills'),
    counter: WORDS,
    live: true,
    folders: { project, paths: [root], reading: { project: root, home: null } },
    accept: async () => {},
    terminal: {
      ...NO_TERMINAL,
      async open(file, line) {
        const path = file.slice(root.length + 1).replaceAll('\\', '/')
        opened.push(line === undefined ? path : `${path}:${line}`)
        return hasEditor
      },
    },
  })
  onTestFinished(close)
  /** Presses the key on a row of a list. */
  const edit = (list: 'skills' | 'tools' | 'waiting', row: string, focus: string = list) => {
    const ids = TABLE.panes.find(({ id }) => id === list)?.rows(context) ?? []
    const selected = ids.find((id) => id.startsWith(row)) ?? row
    context.ui.setState((state) => changePane({ ...state, focus, list }, list, { selected }))
    return handleStrokes(['e'], context, TABLE)
  }
  return { context, opened, edit }
}

test.each([
  ['skills', 'owls', 'owls/SKILL.md'],
  ['skills', 'mice', 'mice/SKILL.md'],
  ['tools', 'look', 'owls/tools/look/handler.js'],
  ['tools', 'fly', 'owls/tools/fly/schema.json'],
  ['tools', 'hide', 'loadout.config.json:3'],
  ['waiting', 'finding 0', 'mice/SKILL.md:4'],
] as const)('a key in %s opens the file of %s: %s', async (list, row, file) => {
  const { context, opened, edit } = await aFolder()
  await edit(list, row)
  expect(opened).toEqual([file])
  expect(context.ui.getState().banner).toBeNull()
})

test('the file of a tool is known wherever it was found, also without the folder of its skill', async () => {
  const { context } = await aFolder()
  expect(context.toolFile('look')).toMatch(/tools.look.handler\.js$/)
  expect(context.toolFile('unheard_of')).toBeNull()
})

test('what has no file says so, and so does a machine without an editor', async () => {
  const { context, opened, edit } = await aFolder(false)
  await edit('tools', 'loadSkill')
  expect(opened).toEqual([])
  expect(context.ui.getState().banner?.text).toMatch(/^It has no file on this machine/v)
  await edit('skills', 'owls')
  expect(context.ui.getState().banner?.text).toMatch(/SKILL\.md was not opened: set \$EDITOR/v)
})

test.each([
  ['hide', 'loadout.config.json:3'],
  ['look', 'loadout.config.json:4'],
])('in the reasons for %s, the key opens the rule that decides: %s', async (tool, place) => {
  const { opened, edit } = await aFolder()
  await edit('tools', tool, 'why')
  expect(opened).toEqual([place])
})

test('reasons without a rule of a file say so', async () => {
  const { context, opened, edit } = await aFolder()
  await edit('tools', 'loadSkill', 'why')
  expect(opened).toEqual([])
  expect(context.ui.getState().banner?.text).toBe('No rule and no file is named here.')
})

test('findings wait in a list, each with its problem, its file and what to do', async () => {
  const { context } = await aFolder()
  const waiting = TABLE.panes.find(({ id }) => id === 'waiting')
  expect(waiting?.status(context)).toBe('2 findings')
  const theme = { ascii: false, colour: false }
  const { screen } = await realScreen(
    createElement(Screen, { context, table: TABLE, theme }),
    120,
    30,
  )
  expect(screen()).toMatch(/x SKILL\.md:4 Not valid YAML/v)
  context.ui.setState((state) => changePane(state, 'waiting', { selected: 'finding 0' }))
  expect(waiting?.about?.(context)?.lines.join('\n')).toMatch(
    /error: .*\nTo change it: .*\nFile: .*mice.SKILL\.md:4/v,
  )
})
