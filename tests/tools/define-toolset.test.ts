import { describe, expect, test } from 'vitest'
import { defineTool } from '../../src/tools/define-tool.ts'
import { defineToolset } from '../../src/tools/define-toolset.ts'

const search = defineTool({ name: 'search', description: 'Search the pages.' })
const spec = {
  name: 'pages',
  description: 'Pages.',
  instructions: '# Pages',
  tools: [search, 'open@^1'],
}

test('a toolset holds tools by value and by name, and is frozen', () => {
  const toolset = defineToolset(spec)
  expect(toolset).toMatchObject({ ...spec, tools: [search, 'open@^1'] })
  expect([toolset, toolset.tools].every((part) => Object.isFrozen(part))).toBe(true)
})

test('its hash covers what a model may read, tools by hash, and not its file', () => {
  const { hash } = defineToolset(spec)
  const other = defineTool({ name: 'search', description: 'Search all pages.' })
  const changes = [
    { name: 'page' },
    { description: 'All pages.' },
    { instructions: '' },
    { tools: [other, 'open@^1'] },
    { tools: [search, 'open@^2'] },
    { tools: ['open@^1', search] },
  ]
  const hashes = changes.map((change) => defineToolset({ ...spec, ...change }).hash)
  expect(new Set([hash, ...hashes]).size).toBe(changes.length + 1)
  expect(defineToolset({ ...spec, path: 'pages/TOOLSET.md' }).hash).toBe(hash)
})

describe('a toolset that is defined wrongly is refused', () => {
  test.each<[string, object]>([
    ['name', { name: 'a b' }],
    ['description', { description: '' }],
    ['tools', { tools: undefined }],
    ['tools.0', { tools: [{ name: 'search' }] }],
    ['tools', { tools: [search, 'search@^1'] }],
    ['tool', { tool: [] }],
  ])('%s: %o', (field, change) => {
    expect(() => defineToolset({ ...spec, ...change })).toThrow(
      expect.objectContaining({
        code: 'TOOLSET_INVALID',
        facts: { toolset: expect.anything(), field },
      }),
    )
  })

  test('a name with no tool in it', () => {
    expect(() => defineToolset({ ...spec, tools: ['open@'] })).toThrow(
      expect.objectContaining({ code: 'TOOL_REFERENCE_INVALID' }),
    )
  })
})

test.each<[field: string, meant: string]>([
  ['prompt', 'instructions'],
  ['body', 'instructions'],
  ['workDirection', 'instructions'],
  ['tool', 'tools'],
  ['rule', 'rules'],
])('the unknown field %s is refused: did you mean %s', (field, meant) => {
  expect(() => defineToolset({ ...spec, [field]: 'x' })).toThrow(
    expect.objectContaining({
      code: 'TOOLSET_INVALID',
      message: `Toolset "${spec.name}": "${field}" is not a field of a toolset.`,
      hint: `Did you mean "${meant}"?`,
    }),
  )
})
