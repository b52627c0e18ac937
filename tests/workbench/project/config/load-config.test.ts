import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../../src/workbench/project/config/load-config.ts'
import { NO_CONFIG } from '../../../../src/workbench/project/config/define-config.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const json = (value: unknown) => ({ 'loadout.config.json': JSON.stringify(value, null, 2) })

test('a folder without a configuration has an empty one', async () => {
  expect(await loadConfig(await temporaryFolder(), { trusted: true })).toEqual({
    config: NO_CONFIG,
    diagnostics: [],
  })
})

test('JSON is read without trust: agents, variables, paths, permissions', async () => {
  const root = await temporaryFolder(
    json({
      $schema: 'x',
      skills: ['./skills', 'more'],
      agents: [{ name: 'support', prompt: 'Help {{ COMPANY }}.', skills: ['refunds'] }],
      variables: { COMPANY: 'Shop', __proto__x: '1' },
      permissions: { deny: ['delete_*'] },
    }),
  )
  const { config, diagnostics } = await loadConfig(root, { trusted: false })
  expect(diagnostics).toEqual([])
  expect(config).toMatchObject({
    file: join(root, 'loadout.config.json'),
    skills: [join(root, 'skills'), join(root, 'more')],
    agents: [{ name: 'support', skills: ['refunds'] }],
    variables: { COMPANY: 'Shop' },
    environment: { names: [] },
  })
  expect(config.permissions).toMatchObject({ deny: ['delete_*'] })
})

test('an untrusted JSON file reaches neither the environment nor other folders', async () => {
  const root = await temporaryFolder(
    json({
      environment: { names: ['HOME'], prefix: 'AWS_' },
      skills: ['../elsewhere', '/etc', 'ok'],
    }),
  )
  const untrusted = await loadConfig(root, { trusted: false })
  expect(untrusted.config).toMatchObject({ environment: { names: [] }, skills: [join(root, 'ok')] })
  expect(untrusted.diagnostics.map(({ code }) => code)).toEqual([
    'environment-untrusted',
    'path-outside',
    'path-outside',
  ])
  const trusted = await loadConfig(root, { trusted: true })
  expect(trusted.config.environment).toEqual({ names: ['HOME'], prefix: 'AWS_' })
  expect(trusted.config.skills).toHaveLength(3)
  expect(trusted.diagnostics).toEqual([])
})

test('an untrusted JSON file may deny and ask, and allows nothing', async () => {
  const rule = { tool: 'pay', where: { amount: '0' } }
  const root = await temporaryFolder(
    json({
      permissions: { deny: ['drop_*'], ask: [rule], allow: ['*'], allowedTools: 'pre-approve' },
      modes: { text: { callsPerTurn: {} } },
    }),
  )
  const untrusted = await loadConfig(root, { trusted: false })
  expect(untrusted.config).toMatchObject({
    permissions: { deny: ['drop_*'], ask: [rule] },
    modes: {},
  })
  expect(Object.keys(untrusted.config.permissions)).toEqual(['deny', 'ask', 'places'])
  expect(untrusted.diagnostics).toMatchObject([
    {
      code: 'permissions-untrusted',
      message:
        'The configuration sets permissions.allow, permissions.allowedTools, modes, which has no effect: its folder is not trusted.',
    },
  ])
  const trusted = await loadConfig(root, { trusted: true })
  expect(trusted.config).toMatchObject({
    permissions: { allow: ['*'], allowedTools: 'pre-approve' },
    modes: { text: { callsPerTurn: {} } },
  })
  expect(trusted.diagnostics).toEqual([])
})

test.each([
  { value: { permissions: { deny: [{ tol: 'x' }] } }, code: 'config-field' },
  { value: { modes: { voice: { promptTier: 'brief' } } }, code: 'config-field' },
  { value: { agent: [] }, code: 'config-field', hint: 'Did you mean "agents"?' },
  { value: { toolsets: [] }, code: 'config-field', hint: 'Move it into a loadout.config.ts.' },
  { value: { tools: ['file'] }, code: 'config-field', hint: 'Correct it.' },
  { value: { skills: 'x' }, code: 'config-field', hint: 'Correct it.' },
  { value: { variables: { A: 1 } }, code: 'config-field', hint: 'Correct it.' },
  { value: { environment: { name: 'x' } }, code: 'config-field', hint: 'Correct it.' },
  { value: { agents: [{ nam: 'x' }] }, code: 'agent-invalid' },
  { value: { discovery: { limt: 3 } }, code: 'config-field', message: 'Did you mean "limit"?' },
  { value: { discovery: null }, code: 'config-field', message: 'neither text nor an object' },
  { value: { exposure: 'bridg' }, code: 'config-field', message: 'Did you mean "bridge"?' },
  { value: { provider: 'antropic' }, code: 'config-field', message: 'Did you mean "anthropic"?' },
  { value: { discovry: {} }, code: 'config-field', hint: 'Did you mean "discovery"?' },
  { value: [1], code: 'json-invalid' },
])('$value is a finding: $code', async ({ value, code, hint, message = '' }) => {
  const root = await temporaryFolder(json(value))
  const { diagnostics } = await loadConfig(root, { trusted: true })
  expect(diagnostics).toMatchObject([{ code, ...(hint !== undefined && { hint }) }])
  expect(diagnostics[0]?.message).toContain(message)
})

test('a module is imported when trusted, and its code comes with it', async () => {
  const root = await temporaryFolder({
    'loadout.config.ts': `const limit: number = 3
      export default {
        skills: ['../elsewhere'],
        variables: { LIMIT: String(limit) },
        environment: { names: ['HOME'] },
        services: { shop: { refund: () => limit } },
      }`,
    ...json({ variables: { LIMIT: 'json' } }),
  })
  const { config, diagnostics } = await loadConfig(root, { trusted: true })
  expect(diagnostics).toEqual([])
  expect(config).toMatchObject({
    skills: [join(root, '../elsewhere')],
    variables: { LIMIT: '3' },
    environment: { names: ['HOME'] },
  })
  expect(config.services).toHaveProperty('shop.refund')
})

test('a module is not run without trust', async () => {
  const root = await temporaryFolder({ 'loadout.config.mjs': 'throw new Error("ran")' })
  const { config, diagnostics } = await loadConfig(root, { trusted: false })
  expect(config).toBe(NO_CONFIG)
  expect(diagnostics).toMatchObject([
    { code: 'config-untrusted', severity: 'warning', file: join(root, 'loadout.config.mjs') },
  ])
})

test.each([
  { name: 'throws', text: 'throw new Error("broken")' },
  { name: 'exports nothing', text: 'export const config = {}' },
  { name: 'is no JavaScript', text: 'const = 1' },
])('a module that $name is an error, and the rest goes on without it', async ({ text }) => {
  const root = await temporaryFolder({ 'loadout.config.js': text })
  const { config, diagnostics } = await loadConfig(root, { trusted: true })
  expect(config).toBe(NO_CONFIG)
  expect(diagnostics).toMatchObject([{ code: 'config-failed', severity: 'error' }])
})

test('an untrusted JSON file reaches no file of servers outside its folder, also not through a link', async () => {
  const outside = await temporaryFolder({ 'mcp.json': '{}' })
  const root = await temporaryFolder({
    ...json({ servers: ['linked.json', join(outside, 'mcp.json'), 'own.json'] }),
    'own.json': '{}',
  })
  await symlink(join(outside, 'mcp.json'), join(root, 'linked.json'))
  const { config, diagnostics } = await loadConfig(root, { trusted: false })
  expect(config.servers).toEqual([join(root, 'own.json')])
  expect(diagnostics.map(({ code }) => code)).toEqual(['path-outside', 'path-outside'])
  const trusted = await loadConfig(root, { trusted: true })
  expect(trusted.config.servers).toHaveLength(3)
})

test('an untrusted JSON file reaches no other folder through a link', async () => {
  const secret = await temporaryFolder({ 'priv/SKILL.md': '' })
  const root = await temporaryFolder({
    ...json({ skills: ['linked', 'linked/priv', 'real', 'within', 'nowhere'] }),
    'real/a/SKILL.md': '',
  })
  await symlink(secret, join(root, 'linked'))
  await symlink(join(root, 'real'), join(root, 'within'))
  const { config, diagnostics } = await loadConfig(root, { trusted: false })
  expect(config.skills).toEqual(['real', 'within', 'nowhere'].map((path) => join(root, path)))
  expect(diagnostics.map(({ code }) => code)).toEqual(['path-outside', 'path-outside'])
  const trusted = await loadConfig(root, { trusted: true })
  expect(trusted.config.skills).toHaveLength(5)
})

test.each([
  { deny: [{ tool: 'a', skil: 'b' }] },
  { deny: ['a'], denny: ['b'] },
  { deny: 'a' },
  { ask: ['a', ''] },
  { allowedTools: 'none' },
  'a',
  null,
])('no session opens with wrong permissions of a configuration: %j', async (permissions) => {
  const text = JSON.stringify({ permissions })
  for (const trusted of [true, false]) {
    const folder = await temporaryFolder({ 'loadout.config.json': text })
    const { config, catalog, diagnostics } = await openProject(folder, { trusted })
    expect(diagnostics).toMatchObject([
      { code: 'config-field', message: expect.stringMatching(/no session opens/u) },
    ])
    const opening = VirtualWorkspace.open({ catalog, policy: { permissions: config.permissions } })
    await expect(opening).rejects.toMatchObject({ code: 'POLICY_INVALID' })
  }
})
