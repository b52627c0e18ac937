import {
  createCatalog,
  type Diagnostic,
  defineAgent,
  defineSkill,
  defineTool,
  WorkspaceError,
} from 'loadout'
import { expect, test } from 'vitest'

const skill = (more: object) => defineSkill({ name: 'web', description: 'Any.', ...more })
const tool = (more: object = {}) =>
  defineTool({ name: 'find', description: 'Finds.', execute: () => 1, ...more })

const wrong = {
  'a missing tool': [{ skills: [skill({ tools: ['fnid'] })], tools: [tool()] }, 'unknown-tool'],
  'a missing skill': [{ skills: [skill({ requires: ['wbe'] })] }, 'unknown-skill'],
  'a missing toolset': [{ skills: [skill({ toolsets: ['pages'] })] }, 'unknown-toolset'],
  'a missing skill of an agent': [
    { agents: [defineAgent({ name: 'a', skills: ['gone'] })] },
    'unknown-skill',
  ],
  'a missing related tool': [{ tools: [tool({ related: ['fetch'] })] }, 'related-unknown'],
  'a circle': [{ skills: [skill({ requires: ['web'] })] }, 'requirement-cycle'],
  'a name that is taken': [
    { skills: [skill({}), skill({ description: 'Other.' })] },
    'duplicate-skill',
  ],
} as const

test.each(Object.entries(wrong))(
  '%s is an error under strict, and else a finding for the host, once',
  async (_, [input, code]) => {
    await expect(createCatalog({ ...input, strict: true })).rejects.toMatchObject({
      code: 'CATALOG_INVALID',
      facts: { diagnostics: [{ code }] },
    })
    const given: Diagnostic[] = []
    await createCatalog({ ...input, onDiagnostic: (one) => given.push(one) })
    expect(given.map((one) => one.code)).toEqual([code])
  },
)

test('the error names each finding and how to correct it', async () => {
  const made = createCatalog({
    skills: [skill({ tools: ['fnid'], requires: ['wbe'] })],
    tools: [tool()],
    strict: true,
  })
  const error: unknown = await made.catch((thrown: unknown) => thrown)
  expect(WorkspaceError.is(error) && `${error.message}\n${error.hint}`).toMatchInlineSnapshot(`
    "The catalog has errors: The skill "web" names the tool "fnid" in its tools, but there is no such tool. The skill "web" names the skill "wbe" in its requires, but there is no such skill.
    Did you mean "find"? Did you mean "web"?"
  `)
})

test('what only may be wrong is no error: the catalog is made, and the host is told', async () => {
  const given: string[] = []
  const catalog = await createCatalog({
    skills: [
      skill({ conflicts: ['gone'] }),
      defineSkill({ name: 'wеb', description: 'Cyrillic.' }),
    ],
    strict: true,
    onDiagnostic: ({ code }) => given.push(code),
  })
  expect(catalog.skills.size).toBe(2)
  expect(given).toEqual(catalog.diagnostics.map(({ code }) => code))
  expect(given).toContain('look-alike-name')
})
