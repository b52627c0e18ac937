import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import {
  useEntries,
  usePrompt,
  useSkills,
  useTools,
  useWorkspace,
  WorkspaceProvider,
} from 'loadout/react'
import { renderToString, Text } from 'ink'
import { createElement, type FunctionComponent } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { realScreen } from '../../../workbench/playground/real-screen.ts'

async function aWorkspace() {
  const look = defineTool({ name: 'look', description: 'Look.', execute: () => 1 })
  const owls = defineSkill({ name: 'owls', description: 'Know owls.', tools: [look] })
  const music = defineSkill({ name: 'music', description: 'Play songs.' })
  const catalog = await createCatalog({ skills: [owls, music] })
  const workspace = await VirtualWorkspace.open({ catalog })
  onTestFinished(() => workspace.close())
  return workspace
}

const provided = (workspace: VirtualWorkspace, view: FunctionComponent) =>
  createElement(WorkspaceProvider, { workspace }, createElement(view))

test('skills, tools, prompt and entries follow the session', async () => {
  const workspace = await aWorkspace()
  const View = () => {
    const active = useSkills().filter(({ status }) => status === 'active')
    const isThere = useTools().some(({ name, status }) => name === 'look' && status === 'available')
    const isRead = usePrompt().text.includes('look')
    const last = useEntries().at(-1)?.event.type
    return createElement(Text, null, `${active.length} ${isThere} ${isRead} ${last}`)
  }
  const { waitFor, screen } = await realScreen(provided(workspace, View), 60, 4)
  await waitFor('0 false')
  await workspace.activateSkill('owls')
  await waitFor('1 true true source.opened')
  await workspace.deactivateSkill('owls')
  await waitFor('0 false')
  expect(screen()).toBe('0 false false source.closed')
})

test('a component is drawn again only when what it selects changes', async () => {
  const workspace = await aWorkspace()
  let drawn = 0
  const View = () => {
    drawn += 1
    const isActive = useWorkspace((one) => one.state.open.some(({ owner }) => owner === 'owls'))
    return createElement(Text, null, `owls: ${isActive}`)
  }
  const { waitFor } = await realScreen(provided(workspace, View), 60, 4)
  await waitFor('owls: false')
  const before = drawn
  await workspace.activateSkill('music')
  expect(drawn).toBe(before)
  await workspace.activateSkill('owls')
  await waitFor('owls: true')
  expect(drawn).toBe(before + 1)
})

test('a list that is made at each call does not draw forever', async () => {
  const workspace = await aWorkspace()
  const View = () => {
    const names = useWorkspace((one) => one.skills().map(({ name }) => name))
    return createElement(Text, null, names.join(', '))
  }
  expect(renderToString(provided(workspace, View))).toContain('owls')
})

test('without a provider the error says what to do', () => {
  const View = () => createElement(Text, null, String(useSkills().length))
  expect(() => renderToString(createElement(View))).toThrow('No WorkspaceProvider is above')
})
