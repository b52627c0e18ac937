import { expect, test } from 'vitest'
import { discoverySection } from '../../../src/render/prompt/sections/loading-section.ts'
import { writeMarkdown } from '../../../src/render/prompt/forms/write-markdown.ts'

const written = (...metaTools: string[]) => {
  const section = discoverySection(metaTools)
  return section === null ? null : writeMarkdown(section)
}

test('it tells how tools are found, by the meta-tools that are offered', () => {
  expect(written('tool_search', 'loadTool')).toMatchInlineSnapshot(`
    "## Finding tools

    \`tool_search\` finds the tools that are not here: say in a few words what is to be done, such as "find image". It answers with what to call, how, and the rules to keep. What it found can be called by its name, later on without searching again. \`loadTool\` tells all about one of them. Search again when something else is needed. What needs no tool is answered at once.

    "
  `)
})

test('it tells of no meta-tool that is not offered', () => {
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
