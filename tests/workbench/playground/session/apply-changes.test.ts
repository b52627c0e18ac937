import { createCatalog, createMemoryLog, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { keepSkills } from '../../../../src/catalog/create/create-catalog.ts'
import { aSkill, aTool, available } from '../../../workspace/a-workspace.ts'

/** Owls name a shared tool and bring what mice bring; nothing of it is in their own definition. */
const catalogWith = (text: string) =>
  createCatalog({
    skills: [
      aSkill('owls', { tools: ['look'], extends: ['mice'] }),
      aSkill('mice', { tools: [aTool('dig', { description: text })], instructions: text }),
      aSkill('bats', { instructions: text }),
    ],
    tools: [aTool('look', { description: text, execute: () => text })],
  })

test('a skill is kept with its shared and inherited tools; the others are new', async () => {
  const before = await catalogWith('Before.')
  const kept = await keepSkills(await catalogWith('After.'), before, ['owls'])
  const toolsOf = (skill: string) =>
    kept.skillTools.get(skill)?.map(({ tool }) => `${tool.name}: ${tool.description}`)
  expect(toolsOf('owls')).toEqual(['look: Before.', 'dig: Before.'])
  expect(toolsOf('mice')).toEqual(['dig: After.'])
  expect(kept.skills.get('bats')?.instructions).toBe('After.')
  expect(kept.sharedTools.get('look')).toMatchObject([{ description: 'After.' }])
  expect(kept.bringers.get('dig')).toEqual(['mice', 'owls'])
})

test('a session that continues with it has the same prompt, log and tools', async () => {
  const before = await catalogWith('Before.')
  const log = createMemoryLog()
  const open = (catalog: typeof before) =>
    VirtualWorkspace.open({ catalog, log, session: 's', metaTools: [] })
  const live = await open(before)
  await live.activateSkill('owls')
  const entries = await log.read('s')
  const after = await catalogWith('After.')
  const next = await open(await keepSkills(after, before, ['owls']))
  expect(next.notices).toEqual([])
  expect(next.prompt().text).toBe(live.prompt().text)
  expect(next.prompt().text).toContain('Before.')
  expect(available(next)).toEqual(['look', 'dig'])
  const [taken, ...others] = await log.read('s', entries.length)
  expect(taken?.event.type).toBe('catalog.taken')
  expect(others).toEqual([])
  expect(await next.callTool('look', {})).toMatchObject({ ok: true, data: 'Before.' })
  expect((await open(after)).notices).toMatchObject([{ code: 'skill-changed' }])
})

test('a catalog that keeps nothing is the same one', async () => {
  const after = await catalogWith('After.')
  expect(await keepSkills(after, await catalogWith('Before.'), [])).toBe(after)
  expect(await keepSkills(after, await createCatalog({}), ['owls'])).toBe(after)
})
