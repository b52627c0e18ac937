import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'

const guarded = (name: string) =>
  defineTool({
    name,
    description: 'Any.',
    inputSchema: { properties: { twice: { type: 'string', pattern: '^(.+)\\1$' } } },
    execute: () => 'ran',
  })

test('a tool that is registered with a pattern that nothing checks gives a warning', async () => {
  const known = guarded('known')
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [known] }),
  })
  await workspace.registerTool(guarded('added'))
  const warnings = (await workspace.entries()).filter(({ event }) => event.type === 'warning.given')
  expect(warnings).toMatchObject([
    {
      event: {
        code: 'pattern-unchecked',
        subject: 'added',
        message: expect.stringContaining('refers back to a group'),
      },
    },
  ])
  expect(workspace.catalog.diagnostics).toMatchObject([
    { code: 'pattern-unchecked', message: expect.stringContaining('"known"') },
  ])
})
