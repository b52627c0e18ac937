import { createCatalog, defineSkill, defineTool } from 'loadout'
import { runScenario, scenarioMatchers, scenarioSchema } from 'loadout/testing'
import { expect, test } from 'vitest'

const TEXT = `scenario: 1
name: refunds are loaded
steps:
  - call: loadSkill
    with: { skillName: refunds }
    expect: { ok: true, active: [refunds] }
`

const host = async (name: string) => ({
  catalog: await createCatalog({ skills: [defineSkill({ name, description: 'Pays back.' })] }),
})

test('the matcher passes, and fails with what does not hold', async () => {
  const { toPassScenario } = scenarioMatchers
  expect(await toPassScenario(await host('refunds'), TEXT)).toMatchObject({ pass: true })
  const failed = await toPassScenario(await host('orders'), TEXT)
  expect(failed.pass).toBe(false)
  expect(failed.message()).toContain('step 1, active: expected ["refunds"], found []')
  const broken = await toPassScenario(await host('orders'), 'scenario: 3')
  expect(broken.message()).toContain('cannot be read')
})

test('a stub answers instead of the code of a tool, in order', async () => {
  const catalog = await createCatalog({
    skills: [
      defineSkill({
        name: 'refunds',
        description: 'Pays back.',
        tools: [
          defineTool({
            name: 'refund',
            description: 'Pays an order back.',
            execute: () => {
              throw new Error('The shop is closed.')
            },
          }),
        ],
      }),
    ],
  })
  const call = { call: 'refund', with: {} }
  const result = await runScenario(
    {
      scenario: 1,
      name: 'a refund',
      stub: { refund: [{ data: 1 }, { data: 2 }] },
      steps: [
        { activate: 'refunds' },
        { ...call, expect: { ok: true, data: 1 } },
        { model: [call, call], expect: { data: 2, calls: ['refund', 'refund'] } },
      ],
    },
    { catalog },
  )
  expect(result.steps.flatMap(({ unmet }) => unmet)).toEqual([])
})

test('the schema for editors has every field, with its description', () => {
  expect(scenarioSchema()).toMatchObject({
    type: 'object',
    required: ['scenario', 'name', 'steps'],
    additionalProperties: false,
  })
})
