import { createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, onTestFinished, test } from 'vitest'
import { createUiStore, changePane } from '../../../../src/workbench/playground/context/ui-state.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'
import { skillDesk } from '../../../../src/workbench/cli/opening/skill-desk.ts'
import {
  openSkillSwitches,
  withSwitches,
} from '../../../../src/workbench/project/config/skill-switches.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { aPlayground, TABLE, WORDS } from '../a-playground.ts'

const addNote = defineTool({ name: 'add_note', description: 'Add one note.', execute: () => 1 })

/** A project and a home with skills, on a screen that may be opened again. */
async function aProject() {
  const root = await temporaryFolder({
    'shop/skills/mail/SKILL.md': skillText('mail'),
    ...toolTree('shop/skills/mail/tools/send_mail'),
    'shop/skills/notes/SKILL.md': skillText('notes', 'metadata:\n  loadout.requires: mail\n'),
    'home/.claude/skills/own/SKILL.md': skillText('own'),
    'home/.claude/skills/other/SKILL.md': skillText('other'),
  })
  const [project, home] = [`${root}/shop`, `${root}/home`]
  const switches = openSkillSwitches({ file: `${root}/skills-off.json` })
  const log = createMemoryLog()
  const open = async (onResume?: 'tighten') => {
    const { catalog, config } = await openProject([], { home, trusted: true, project })
    const permissions = withSwitches(config.permissions, await switches.read(project))
    const policy = { permissions, ...(onResume && { onResume }) }
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', policy })
    const { context, close } = await createContext({
      workspace,
      ui: createUiStore('skills'),
      counter: WORDS,
      live: true,
      skillDesk: await skillDesk({ switches, project, home }),
      accept: async () => {},
      terminal: NO_TERMINAL,
    })
    onTestFinished(close)
    const press = async (key: string, selected = 'mail') => {
      context.ui.setState((state) => changePane(state, 'skills', { selected }))
      await handleStrokes([key], context, TABLE)
      return context.ui.getState().banner?.text
    }
    const isListed = (skill: string) => {
      const { instructions } = workspace.prompt()
      return new RegExp(`\\b${skill}\\b`, 'v').test(instructions)
    }
    return { workspace, context, press, isListed }
  }
  return { open, switches, project, root }
}

test.each(['o', 'O'])('the banner of %s names the tools that left with the skill', async (key) => {
  const { workspace, context, press } = await (await aProject()).open()
  await workspace.activateSkill('mail')
  await press(key)
  expect(context.ui.getState().banner?.difference?.removed).toEqual(['send_mail'])
})

test('skills that were turned off before one of them refused are named with the refusal', async () => {
  const stays = () => {
    throw new Error('Mail is being sent.')
  }
  const { context, workspace } = await aPlayground(
    [
      { name: 'mail', description: 'Send mail.', onDeactivate: stays },
      { name: 'notes', description: 'Keep notes.', tools: [addNote] },
    ],
    {
      skillDesk: { scopeOf: () => 'project', turn: async () => ({ deny: [], places: new Map() }) },
    },
  )
  await workspace.activateSkill('mail')
  await workspace.activateSkill('notes')
  context.ui.setState((state) => changePane(state, 'skills', { selected: 'mail' }))
  await handleStrokes(['O'], context, TABLE)
  expect(context.ui.getState().banner).toMatchObject({
    tone: 'refused',
    difference: { removed: ['add_note'] },
  })
})

test('a key turns a skill off for models, and on again', async () => {
  const { open, switches, project, root } = await aProject()
  const { workspace, press, isListed } = await open()
  await workspace.activateSkill('mail')
  expect(await press('o')).toBe('mail turned off for models in this project')
  expect(workspace.explainSkill('mail')).toMatchObject({ status: 'inactive' })
  expect(workspace.explainSkill('mail').because.at(-1)).toMatchObject({
    file: `${root}/skills-off.json`,
    line: 4,
  })
  expect(isListed('mail')).toBe(false)
  const call = await workspace.callTool('loadSkill', { skillName: 'mail' }, { caller: 'model' })
  expect(call).toMatchObject({ ok: false, error: { type: 'DENIED' } })
  expect((await switches.read(project)).deny).toHaveLength(1)
  expect(await press('o')).toBe('mail turned on for models in this project')
  expect(isListed('mail')).toBe(true)
  expect((await switches.read(project)).deny).toEqual([])
})

test('a skill that another rule denies is turned on, and said to be still off', async () => {
  const { workspace, press, isListed } = await (await aProject()).open()
  await press('o')
  const { deny } = workspace.state.policy
  const other = { tool: 'loadSkill', where: { skillName: 'm*' } }
  await workspace.setPermissions({ deny: [...deny, other] }, { by: 'host' })
  expect(await press('o')).toMatch(/^mail turned on, and still off by another rule/v)
  expect(isListed('mail')).toBe(false)
})

test('a key turns off all skills of a scope, and the list shows scopes', async () => {
  const { open } = await aProject()
  const { context, press, isListed } = await open()
  expect(await press('O', 'own')).toBe('2 skills turned off for models in this project')
  expect([isListed('own'), isListed('other'), isListed('mail')]).toEqual([false, false, true])
  await press('m')
  await press('m')
  const pane = TABLE.panes.find(({ id }) => id === 'skills')
  expect(pane?.rows(context).slice(0, 2).toSorted()).toEqual(['mail', 'notes'])
  expect(pane?.about?.(context)?.lines).toContain('Scope: project')
  expect(await press('O', 'own')).toBe('2 skills turned on for models in this project')
})

test('active skills of a scope are turned off, also those that others of them require', async () => {
  const { workspace, press } = await (await aProject()).open()
  await workspace.activateSkill('notes')
  expect(await press('O')).toBe('2 skills turned off for models in this project')
  expect(workspace.state.open.filter(({ source }) => source === 'skill')).toEqual([])
})

test('a skill that a model loads while it is turned off is deactivated again', async () => {
  const { open, switches } = await aProject()
  const { workspace, press } = await open()
  const turn = switches.turn.bind(switches)
  Object.assign(switches, {
    async turn(...given: Parameters<typeof turn>) {
      await workspace.callTool('loadSkill', { skillName: 'mail' }, { caller: 'model' })
      await turn(...given)
    },
  })
  expect(await press('o')).toBe('mail turned off for models in this project')
  expect(workspace.explainSkill('mail').status).toBe('inactive')
})

test('a session of another process keeps its rule, and new ones do not have it', async () => {
  const { open, switches, project } = await aProject()
  const host = await open()
  await host.press('o')
  const { press, isListed } = await open('tighten')
  expect(await press('o')).toMatch(
    /^It is on in new sessions\. This one belongs to another process/v,
  )
  expect(isListed('mail')).toBe(false)
  expect((await switches.read(project)).deny).toEqual([])
})
