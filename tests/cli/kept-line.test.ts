import { expect, test } from 'vitest'
import { createCatalog, createMemoryLog, defineAgent, defineSkill, VirtualWorkspace } from 'loadout'
import { keptLine } from '../../src/cli/play/kept-line.ts'

async function aScreen(begunIn: string | null, session = 'a session') {
  const log = createMemoryLog()
  const alpha = defineSkill({ name: 'alpha', description: 'Does alpha.' })
  const agent = defineAgent({ name: 'starter', initialSkills: ['alpha'] })
  const catalog = await createCatalog({ skills: [alpha], agents: [agent] })
  const workspace = await VirtualWorkspace.open({ catalog, log, session, agent: 'starter' })
  return { log, workspace, line: () => keptLine({ begunIn, options: { log } }, workspace) }
}

test('a session in which nothing was done goes when its screen is left', async () => {
  const { log, line } = await aScreen('sessions.sqlite')
  expect(await line()).toBeNull()
  expect(await log.list()).toEqual([])
})

test('one in which something was done stays, and the line goes on with it', async () => {
  const { log, workspace, line } = await aScreen('sessions.sqlite')
  await workspace.deactivateSkill('alpha', { by: 'user' })
  expect(await line()).toBe(`It is kept: loadout play --session 'a session' goes on with it.`)
  expect(await log.list()).toHaveLength(1)
})

test('one that was there before stays, whatever was done', async () => {
  const { log, line } = await aScreen(null)
  expect(await line()).toBeNull()
  expect(await log.list()).toHaveLength(1)
})
