import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../../../src/catalog/create/create-catalog.ts'
import { claudePermissions } from '../../../../src/workbench/project/import/claude-permissions.ts'
import { defineTool } from '../../../../src/tools/define-tool.ts'
import { VirtualWorkspace } from '../../../../src/workspace/virtual-workspace.ts'
import { type ClientCall, PROJECT } from './claude-rules.ts'

const NAMES = [
  'mcp__github__delete_repo',
  'mcp__github__list',
  'mcp__jira__delete',
  'Bash',
  'Read',
  'Edit',
  'Write',
  'Grep',
  'Glob',
  'WebFetch',
]

const tools = NAMES.map((name) =>
  defineTool({
    name,
    description: `Calls ${name}.`,
    inputSchema: z.looseObject({}),
    execute: () => 'ran',
  }),
)

const catalog = await createCatalog({ tools })

/** Returns `ran`, or the type of the error with which a call of a model was refused. */
async function outcomeHere(settings: object, { tool, input }: ClientCall): Promise<string> {
  const { deny, ask } = claudePermissions({ permissions: settings }, 'settings.json', PROJECT)
  const workspace = await VirtualWorkspace.open({
    catalog,
    policy: { permissions: JSON.parse(JSON.stringify({ deny, ask })) },
  })
  const result = await workspace.callTool(tool, input, { caller: 'model' })
  await workspace.close()
  return result.ok ? 'ran' : result.error.type
}

test.each([
  [['mcp__github'], { tool: 'mcp__github__delete_repo', input: {} }, 'DENIED'],
  [['mcp__github'], { tool: 'mcp__jira__delete', input: {} }, 'ran'],
  [['Bash(rm:*)'], { tool: 'Bash', input: { command: 'ls && rm -rf /' } }, 'DENIED'],
  [['Bash(rm:*)'], { tool: 'Bash', input: { command: 'ls' } }, 'ran'],
  [['Read(./.env)'], { tool: 'Read', input: { file_path: '/srv/.env' } }, 'DENIED'],
  [['Read(./.env)'], { tool: 'Read', input: { file_path: 'README.md' } }, 'ran'],
  [['Read(./.env)'], { tool: 'Grep', input: { pattern: 'KEY' } }, 'CONFIRMATION_REQUIRED'],
  [
    [`Read(/${PROJECT}/.env)`],
    { tool: 'Read', input: { file_path: '.env' } },
    'CONFIRMATION_REQUIRED',
  ],
  [['Read(//etc/**)'], { tool: 'Read', input: { file_path: 'hosts' } }, 'ran'],
  [['Read(//etc/**)'], { tool: 'Read', input: { file_path: '/etc/hosts' } }, 'DENIED'],
  [['Bash(a $(b))'], { tool: 'Bash', input: { command: 'ls' } }, 'CONFIRMATION_REQUIRED'],
  [['Unknown(x)'], { tool: 'Read', input: {} }, 'ran'],
  [[7], { tool: 'Read', input: {} }, 'CONFIRMATION_REQUIRED'],
  [['what is this?'], { tool: 'Read', input: {} }, 'CONFIRMATION_REQUIRED'],
])('with %j denied, %j is %s', async (deny, one, outcome) => {
  expect(await outcomeHere({ deny }, one)).toBe(outcome)
})

test('a rule that asks there asks here', async () => {
  const one = { tool: 'mcp__jira__delete', input: {} }
  expect(await outcomeHere({ ask: ['mcp__jira'] }, one)).toBe('CONFIRMATION_REQUIRED')
})
