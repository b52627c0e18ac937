import { describe, expect, test } from 'vitest'
import { writeMarkdown } from '../../../../src/render/prompt/forms/write-markdown.ts'
import {
  discoverySection,
  loadingSection,
} from '../../../../src/render/prompt/sections/loading-section.ts'
import { defineAgent } from '../../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { aSession } from '../a-session.ts'

describe('discovery section', () => {
  const written = (...metaTools: string[]) => {
    const section = discoverySection(metaTools)
    return section === null ? null : writeMarkdown(section)
  }

  test('it explains how to find tools with the meta-tools that are offered', () => {
    expect(written('tool_search', 'loadTool')).toMatchInlineSnapshot(`
    "## Finding tools

    \`tool_search\` finds the tools that are not here: say in a few words what is to be done, such as "find image". It answers with what to call, how, and the rules to keep. What it found can be called by its name, later on without searching again. \`loadTool\` tells all about one of them. Search again when something else is needed. What needs no tool is answered at once.

    "
  `)
  })

  test('it mentions no meta-tool that is not offered', () => {
    expect(written('tool_search')).not.toMatch(/call_tool|loadTool/u)
    expect(written('tool_search', 'call_tool')).toContain('Call what it found by `call_tool`')
  })

  test('without a search there is no such section', () => {
    expect(written('loadSkill', 'call_tool')).toBeNull()
  })

  test('it is one section for all sessions, of the instructions', () => {
    const section = discoverySection(['tool_search'])
    expect(section).toBe(discoverySection(['tool_search']))
    expect(section).toMatchObject({ stability: 'static', placement: 'instructions' })
  })
})

describe('loading section', () => {
  const withFile = defineSkill({
    name: 'pdf',
    description: 'x',
    files: [{ path: 'a.md', text: 'a' }],
  })

  async function told(metaTools: readonly string[], agent = defineAgent({ name: 'a' })) {
    const { catalog, state } = await aSession({ skills: [withFile], agents: [agent] })
    const block = loadingSection(catalog, agent, state.policy, metaTools)?.blocks[0]
    return block?.kind === 'prose' ? block.text : null
  }

  test('only meta-tools that are offered are mentioned', async () => {
    const all = ['loadSkill', 'unloadSkill', 'loadSkillFile']
    for (const name of all) {
      const text = await told([name])
      expect(all.filter((one) => text?.includes(`\`${one}\``))).toEqual([name])
    }
    expect(await told([])).toBeNull()
  })

  test('an exclusive agent reads that one skill replaces another', async () => {
    const agent = defineAgent({ name: 'a', exclusive: true })
    expect(await told(['loadSkill'], agent)).toContain('One skill is loaded at a time')
    expect(await told(['loadSkill'])).toContain('Several may be loaded at once.')
  })

  test('an agent that may load nothing does not read how to', async () => {
    expect(await told(['loadSkill'], defineAgent({ name: 'a', skills: [] }))).toBeNull()
  })
})
