import { expect, test } from 'vitest'
import { loadingSection } from '../../../src/render/prompt/sections/loading-section.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { aSession } from './a-session.ts'

const withFile = defineSkill({
  name: 'pdf',
  description: 'x',
  files: [{ path: 'a.md', text: 'a' }],
})

async function told(metaTools: readonly string[], agent = defineAgent({ name: 'a' })) {
  const { catalog } = await aSession({ skills: [withFile], agents: [agent] })
  const block = loadingSection(catalog, agent, metaTools)?.blocks[0]
  return block?.kind === 'prose' ? block.text : null
}

test('only meta-tools that are offered are told of', async () => {
  const all = ['loadSkill', 'unloadSkill', 'loadSkillFile']
  for (const name of all) {
    const text = await told([name])
    expect(all.filter((one) => text?.includes(`\`${one}\``))).toEqual([name])
  }
  expect(await told([])).toBeNull()
})

test('an exclusive agent is told that one skill replaces another', async () => {
  const agent = defineAgent({ name: 'a', exclusive: true })
  expect(await told(['loadSkill'], agent)).toContain('One skill is loaded at a time')
  expect(await told(['loadSkill'])).toContain('Several may be loaded at once.')
})

test('an agent that may load nothing is not told how to', async () => {
  expect(await told(['loadSkill'], defineAgent({ name: 'a', skills: [] }))).toBeNull()
})
