import { expect, test } from 'vitest'
import { createCatalog, createMemoryLog, defineAgent, defineSkill, VirtualWorkspace } from 'loadout'
import { keepOrDelete } from '../../../src/cli/commands/play-command.ts'

async function aScreen(begunIn: string | null, session = 'a session') {
  const log = createMemoryLog()
  const alpha = defineSkill({ name: 'alpha', description: 'Does alpha.' })
  const agent = defineAgent({ name: 'starter', initialSkills: ['alpha'] })
  const catalog = await createCatalog({ skills: [alpha], agents: [agent] })
  const workspace = await VirtualWorkspace.open({ catalog, log, session, agent: 'starter' })
  const line = (typed: Parameters<typeof keepOrDelete>[2] = { words: [], options: {} }) =>
    keepOrDelete({ begunIn, options: { log } }, workspace, typed)
  return { log, workspace, line }
}

test('a session in which nothing was done goes when its screen is left', async () => {
  const { log, line } = await aScreen('sessions.sqlite')
  expect(await line()).toBeNull()
  expect(await log.list()).toEqual([])
})

test('one in which something was done stays, and the line goes on with it', async () => {
  const { log, workspace, line } = await aScreen('sessions.sqlite')
  await workspace.deactivateSkill('alpha', { by: 'user' })
  expect(await line()).toBe(`It is kept. Go on with it: loadout play --session 'a session'`)
  expect(await log.list()).toHaveLength(1)
})

test('one that was there before stays, whatever was done', async () => {
  const { log, line } = await aScreen(null)
  expect(await line()).toBeNull()
  expect(await log.list()).toHaveLength(1)
})

test('the line opens the same folders, with the same trust, from the same log', async () => {
  const { workspace, line } = await aScreen('sessions.sqlite', 'ada')
  await workspace.deactivateSkill('alpha', { by: 'user' })
  const options = {
    path: ['my skills'],
    log: 'postgres://ada:secret@db/chats',
    trust: true,
  } as const
  expect(await line({ words: ['bench'], options })).toBe(
    "It is kept. Go on with it: loadout play bench --path 'my skills' " +
      `--log 'postgres://ada:***@db/chats' --trust --session ada`,
  )
})
