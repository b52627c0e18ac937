import { generateText, isStepCount } from 'ai'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import type { SkillPlan } from 'loadout/plan'
import { expect, test } from 'vitest'
import { scriptedModel } from './scripted-model.ts'

test('after the first turn the plan of its tools is given, once for each catalog', async () => {
  const read = defineTool({ name: 'read', description: 'Read.', execute: () => 'text' })
  const files = defineSkill({ name: 'files', description: 'Work with files.', tools: [read] })
  const catalog = await createCatalog({ skills: [files] })
  const plans: SkillPlan[] = []
  let arrived = () => {}
  const plan = new Promise<void>((resolve) => (arrived = resolve))
  for (let session = 0; session < 2; session += 1) {
    const workspace = await VirtualWorkspace.open({ catalog, provider: 'openai' })
    const settings = forAiSdk(workspace, { onPlan: (one) => void (plans.push(one), arrived()) })
    const model = scriptedModel([
      [{ id: 'a', tool: 'loadSkill', input: { skillName: 'files' } }],
      [{ id: 'b', tool: 'read', input: {} }],
      'Read.',
      'Again.',
    ])
    const run = (content: string) =>
      generateText({
        model,
        ...settings,
        stopWhen: isStepCount(9),
        messages: [{ role: 'user', content }],
      })
    await run('Read it.')
    expect(plans).toHaveLength(session)
    await run('Again.')
    await plan
    await workspace.close()
  }
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatchObject({ activate: ['files'], unreached: [], sessions: 1 })
  expect(plans[0]?.advice).toMatch(/^1 tool, /)
})

test('the plan is that of the model of the last step', async () => {
  const read = defineTool({ name: 'read', description: 'Read a file.', execute: () => 'text' })
  const files = defineSkill({ name: 'files', description: 'Work with files.', tools: [read] })
  const catalog = await createCatalog({ skills: [files] })
  const workspace = await VirtualWorkspace.open({ catalog, provider: 'anthropic' })
  const { promise, resolve } = Promise.withResolvers<SkillPlan>()
  const settings = forAiSdk(workspace, { onPlan: resolve })
  const said = ['Read.', 'Again.']
  const model = scriptedModel(said, 'anthropic.messages', 'claude-opus-4-8')
  for (const content of ['Read it.', 'Again.']) {
    await generateText({ model, ...settings, messages: [{ role: 'user', content }] })
  }
  const { ways } = await promise
  expect(ways.find(({ way }) => way === 'loaded')?.exposure).toBe('conversation')
  await workspace.close()
})

test('the plan has the strategy that the host chose by name', async () => {
  const read = defineTool({ name: 'read', description: 'Read a page.', execute: () => 'text' })
  const files = defineSkill({ name: 'files', description: 'Work with pages.', tools: [read] })
  const catalog = await createCatalog({ skills: [files] })
  const workspace = await VirtualWorkspace.open({
    catalog,
    provider: 'anthropic',
    exposure: 'append',
  })
  const { promise, resolve } = Promise.withResolvers<SkillPlan>()
  const settings = forAiSdk(workspace, { onPlan: resolve })
  const model = scriptedModel(['Read.', 'Again.'], 'anthropic.messages', 'claude-opus-4-8')
  for (const content of ['Read it.', 'Again.']) {
    await generateText({ model, ...settings, messages: [{ role: 'user', content }] })
  }
  const { ways } = await promise
  expect(ways.map(({ exposure }) => exposure)).toEqual(ways.map(() => 'append'))
  await workspace.close()
})
