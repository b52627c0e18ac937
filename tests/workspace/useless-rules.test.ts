import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { uselessAllows } from '../../src/engine/model/policy.ts'
import { temporaryFolder } from '../workbench/project/temporary-folder.ts'

test.each([
  { deny: ['mail'], allow: ['mail'] },
  { deny: ['*'], allow: ['mail'] },
  { deny: ['*'], allow: [{ risk: 'safe' as const }] },
  { deny: ['git_*'], allow: ['git_push', 'git_*', 'git_p*'] },
  { deny: ['mcp__shop'], allow: ['mcp__shop__delete', 'mcp__shop__*', 'mcp__shop'] },
  { deny: ['mcp__shop__*'], allow: ['mcp__shop', { tool: 'mcp__shop__find' }] },
  { deny: ['mcp__my_shop'], allow: ['mcp__my-shop__find'] },
  { deny: [{ source: 'server:*' }], allow: [{ source: 'server:shop', tool: 'x' }] },
  { deny: [{ tool: 'MAIL', ignoreCase: true }], allow: ['mail'] },
  { deny: [{ tool: 'a', where: { to: '*' } }], allow: [{ tool: 'a', where: { to: '*' } }] },
  { deny: [{ risk: ['safe' as const, 'moderate' as const] }], allow: [{ risk: 'safe' as const }] },
  { deny: [], allow: ['', 'Bash(git:*)', 'mcp__shop__', { skill: 'x', source: 'global' }] },
])('rules that allow nothing are named: %j', ({ deny, allow }) => {
  expect(uselessAllows(deny, allow).map(({ place }) => place)).toEqual([...allow.keys()])
})

test.each([
  { deny: ['mail'], allow: ['mail*', '*', 'mails', 'MAIL', { tool: 'mail', ignoreCase: true }] },
  { deny: ['mcp__shop__delete'], allow: ['mcp__shop', 'mcp__shop__*', 'mcp__shopping'] },
  { deny: [{ tool: 'a', where: { to: 'x' } }], allow: ['a', { tool: 'a', where: { to: '*' } }] },
  { deny: [{ tool: 'a', when: 'isLarge' }], allow: ['a'] },
  { deny: [{ skill: 's' }], allow: ['a', { skill: 't' }] },
  {
    deny: [{ risk: 'safe' as const }],
    allow: ['a', { risk: ['safe' as const, 'moderate' as const] }],
  },
])('rules that allow something are not named: %j', ({ deny, allow }) => {
  expect(uselessAllows(deny, allow)).toEqual([])
})

const mail = defineTool({
  name: 'mail',
  description: 'Send a mail.',
  category: 'action',
  inputSchema: z.object({}),
  requiresConfirmation: true,
  execute: () => 'sent',
})

test('a session names the rules that allow nothing when it opens, and when a catalog brings rules', async () => {
  const catalog = await createCatalog({ tools: [mail] })
  const permissions = { deny: ['ma*'], allow: ['mail', 'Bash(git:*)'] }
  const workspace = await VirtualWorkspace.open({ catalog, policy: { permissions } })
  const notices = [
    {
      code: 'allow-useless',
      message: 'The rule "allow.0" allows nothing: the rule ma* in deny covers it.',
      hint: 'Remove one of the two: what is denied stays denied, whatever is allowed.',
    },
    {
      code: 'allow-useless',
      message: 'The rule "allow.1" can match nothing: "git:*" is no part of a name.',
      hint: 'Write "Bash" for all calls, or { tool: "Bash", where: { … } } for some of them.',
    },
  ]
  expect(workspace.notices).toEqual(notices)
  expect(await workspace.takeCatalog(catalog, { permissions })).toEqual(notices)
  await workspace.close()
})

test('a configuration names the rules that allow nothing', async () => {
  const permissions = { deny: ['mcp__shop'], allow: ['mcp__shop__find', 'mail'] }
  const project = await temporaryFolder({
    'loadout.config.json': JSON.stringify({ permissions }),
  })
  const { diagnostics } = await openProject([], { project, home: null, trusted: true })
  expect(diagnostics).toMatchObject([
    {
      code: 'allow-useless',
      severity: 'warning',
      message:
        'The rule "permissions.allow.0" allows nothing: the rule mcp__shop in deny covers it.',
      file: expect.stringMatching(/loadout\.config\.json$/),
    },
  ])
})
