import { createCatalog, createMemoryLog, defineAgent, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

test('a skill whose shared tool changed is withheld from the prompt, as its tools are', async () => {
  const log = createMemoryLog()
  const open = async (description: string) => {
    const skill = aSkill('billing', { tools: ['pay'], instructions: 'Pay with `pay`.' })
    const catalog = await createCatalog({ skills: [skill], tools: [aTool('pay', { description })] })
    return VirtualWorkspace.open({ catalog, log, session: 'shop' })
  }
  const before = await open('Pays.')
  await before.activateSkill('billing')
  expect(before.prompt().conversation).toContain('Pay with `pay`.')
  const after = await open('Pays twice.')
  expect(after.explainSkill('billing').status).toBe('changed')
  expect(after.prompt().conversation).toContain('- `billing` (changed since it was loaded)')
  expect(after.prompt().conversation).not.toContain('Pay with `pay`.')
  await after.acceptSkill('billing')
  expect(after.prompt().conversation).toContain('Pay with `pay`.')
})

test('an initial skill that was never activated is not shown as deactivated', async () => {
  const refuses = () => {
    throw new Error('no key')
  }
  const workspace = await aWorkspace(
    {
      skills: [aSkill('billing', { onActivate: refuses })],
      agents: [defineAgent({ name: 'clerk', initialSkills: ['billing'] })],
    },
    { agent: 'clerk' },
  )
  expect(workspace.notices).toMatchObject([{ code: 'hook-failed' }])
  expect(workspace.prompt().conversation).toContain('- `billing` (not loaded)')
})
