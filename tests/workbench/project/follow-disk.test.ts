import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { openProject, watchProject } from 'loadout/node'
import { expect, onTestFinished, test } from 'vitest'
import { skillText, temporaryFolder, writeTree } from './temporary-folder.ts'

test('an open session follows the skills and the rules on disk', async () => {
  const root = await temporaryFolder({ 'skills/owls/SKILL.md': `${skillText('owls')}Hoot.\n` })
  const options = { project: root, home: null, trusted: true }
  const known = await openProject([root], options)
  const { catalog } = known
  const workspace = await VirtualWorkspace.open({ catalog, log: createMemoryLog() })
  await workspace.activateSkill('owls')
  const watch = await watchProject([root], { ...options, known })
  onTestFinished(() => watch.close())
  const followed = new Promise<void>((resolve, reject) => {
    watch.onChange(async (update) => {
      if (!update.ok || !update.project.catalog.skills.has('mice')) return
      const { permissions } = update.project.config
      const notices = await workspace.takeCatalog(update.project.catalog, { permissions })
      expect(notices).toMatchObject([{ code: 'skill-kept' }])
      resolve()
    })
    writeTree(root, {
      'loadout.config.json': JSON.stringify({ permissions: { deny: ['loadSkill'] } }),
      'skills/owls/SKILL.md': `${skillText('owls')}Screech.\n`,
      'skills/mice/SKILL.md': skillText('mice'),
    }).catch(reject)
  })
  await followed
  expect(workspace.explainSkill('mice').status).toBe('inactive')
  expect(workspace.prompt().text).toContain('Hoot.')
  expect(workspace.explain('loadSkill').status).toBe('denied')
  await workspace.acceptSkill('owls')
  expect(workspace.prompt().text).toContain('Screech.')
})
