import { Box, renderToString } from 'ink'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { ChatPane, Playground, type PlaygroundProps, SkillsPane, ToolsPane } from 'loadout/ink'
import { createElement, type ReactNode } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedModel } from '../../../connections/wires/ai-sdk/scripted-model.ts'
import { realScreen } from '../real-screen.ts'
import { WORDS } from '../words.ts'

async function aScreen(
  children?: ReactNode,
  parts: Partial<PlaygroundProps> = {},
  size: readonly [number, number] = [110, 30],
) {
  const look = defineTool({ name: 'look', description: 'Look.', execute: () => 1 })
  const owls = defineSkill({ name: 'owls', description: 'Know owls.', tools: [look] })
  const catalog = await createCatalog({ skills: [owls] })
  const workspace = await VirtualWorkspace.open({ catalog, tokenCounter: WORDS })
  onTestFinished(() => workspace.close())
  const playground = createElement(Playground, {
    workspace,
    tokenCounter: WORDS,
    ...parts,
    children,
  })
  const screen = await realScreen(playground, ...size)
  return { workspace, screen }
}

const TWO_PANES = createElement(
  Box,
  null,
  createElement(SkillsPane, { width: 50, height: 10 }),
  createElement(ToolsPane, { width: 55, height: 10 }),
)

test('the screen of the playground in an application follows the session and its keys', async () => {
  const { workspace, screen } = await aScreen()
  await screen.waitFor('1 Skills')
  expect(screen.screen()).toContain('4 Timeline')
  await screen.press(' ')
  await screen.waitFor('1 of 1 active')
  expect(workspace.state.open.map(({ owner }) => owner)).toContain('owls')
  await workspace.deactivateSkill('owls', { by: 'host' })
  await screen.waitFor('0 of 1 active')
})

test('panes of ones own choice have their keys, and Tab goes from one to the next', async () => {
  const { screen } = await aScreen(TWO_PANES)
  await screen.waitFor('[1 Skills]')
  expect(screen.screen()).toContain('2 Tools')
  expect(screen.screen()).not.toContain('Timeline')
  await screen.press('\t')
  await screen.waitFor('[2 Tools]')
  await screen.press('/look')
  await screen.waitFor(/look +inactive/)
  await screen.press('\r ')
  await screen.waitFor(/look +sent/)
  await screen.press('\t')
  await screen.waitFor('[1 Skills]')
})

test('a chat of ones own choice writes to the model of the application', async () => {
  const chat = createElement(ChatPane, { width: 100, height: 16 })
  const said = [[{ id: 'a', tool: 'loadSkill', input: { skillName: 'owls' } }], 'Owls are quiet.']
  const { workspace, screen } = await aScreen(chat, { model: scriptedModel(said) })
  await screen.waitFor('[7 Chat]')
  expect(screen.screen()).toContain('Enter chat')
  await screen.press('>')
  await screen.press('what do owls do?\r')
  await screen.waitFor('Owls are quiet.')
  expect(screen.screen()).toContain('what do owls do?')
  expect(screen.screen()).toContain('+ skill owls')
  expect(workspace.state.open.map(({ owner }) => owner)).toContain('owls')
})

test('without a model, the chat of an application says so', async () => {
  const { screen } = await aScreen(createElement(ChatPane, { width: 100, height: 10 }))
  await screen.waitFor('[7 Chat]')
  await screen.press('>')
  await screen.waitFor('NOTE')
  expect(screen.screen()).toContain('This screen has no model to write to.')
})

test('dialogs are drawn over panes of ones own choice', async () => {
  const { screen } = await aScreen(TWO_PANES)
  await screen.waitFor('[1 Skills]')
  await screen.press('?')
  await screen.waitFor('[Help]')
  await screen.press('\x1b')
  expect(screen.screen()).not.toContain('[Help]')
})

test('leaving it is up to the application', async () => {
  let exits = 0
  const onExit = () => void (exits += 1)
  const { screen } = await aScreen(undefined, { onExit })
  await screen.waitFor('1 Skills')
  await screen.press('q')
  expect(exits).toBe(1)
  expect(screen.screen()).toContain('1 Skills')
})

test('a pane without a playground above it throws, and says what to do', () => {
  expect(() => renderToString(createElement(SkillsPane, { width: 20, height: 5 }))).toThrow(
    'No Playground is above this pane.',
  )
})
