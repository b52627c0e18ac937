import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AllowedToolsEffect } from '../../src/engine/model/policy.ts'
import { aSkill, aTool, available, aWorkspace } from './a-workspace.ts'

const tools = [
  aTool('read'),
  aTool('write', { requiresConfirmation: true }),
  aTool('drop', { requiresConfirmation: true }),
]
const writer = aSkill('writer', {
  permissions: ['write', 'Bash(git:*)', 'drop(table:*)'],
  tools: [aTool('draft')],
})
const reader = aSkill('reader', { permissions: ['read', 'draft'], tools: [aTool('skim')] })

const skimmer = aSkill('skimmer', { permissions: ['glance'], tools: [aTool('glance')] })

const open = (allowedTools: AllowedToolsEffect, more: object = {}) =>
  aWorkspace(
    { skills: [writer, reader, skimmer, aSkill('plain')], tools },
    { policy: { permissions: { allowedTools, ...more } }, metaTools: ['loadSkill', 'unloadSkill'] },
  )

const asks = (workspace: Awaited<ReturnType<typeof open>>) =>
  workspace
    .tools()
    .filter((one) => one.asks)
    .map(({ name }) => name)

const warnings = async (workspace: Awaited<ReturnType<typeof open>>) =>
  (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'warning.given' ? `${event.code}: ${event.message}` : [],
  )

test('loading a skill grants nothing unless the host says so', async () => {
  const workspace = await open('ignore')
  await workspace.activateSkill('writer')
  expect(asks(workspace)).toEqual(['drop', 'write'])
  expect(await warnings(workspace)).toEqual([])
  expect(workspace.explainSkill('writer').because.at(-1)?.text).toBe(
    'Its allowed-tools have no effect here: write, Bash(git:*), drop(table:*).',
  )
})

test('as a pre-approval it takes the place of a confirmation while the skill is active', async () => {
  const workspace = await open('pre-approve')
  expect(asks(workspace)).toEqual(['drop', 'write'])
  await workspace.activateSkill('writer')
  expect(asks(workspace)).toEqual(['drop'])
  expect(await workspace.callTool('write', {})).toMatchObject({ ok: true })
  expect(workspace.explain('write').because.at(-1)?.text).toBe(
    'Skill "writer" names it in allowed-tools, which this host accepts as approval.',
  )
  expect(workspace.explainSkill('writer').because.at(-1)?.text).toBe(
    'Its allowed-tools pre-approve: write, Bash(git:*). Entries whose arguments cannot be judged allow nothing: drop(table:*).',
  )
  expect(await warnings(workspace)).toEqual([
    'allowed-tools-unmatched: The skill "writer" lists unknown tools in allowed-tools: "Bash(git:*)".',
    'allowed-tools-with-arguments: The skill "writer" lists tools in allowed-tools with arguments that cannot be judged here, so the entries allow nothing: "drop(table:*)".',
  ])
  await workspace.deactivateSkill('writer')
  expect(asks(workspace)).toEqual(['drop', 'write'])
})

test('every rule of the host goes before a pre-approval', async () => {
  const asked = await open('pre-approve', { ask: ['write'] })
  await asked.activateSkill('writer')
  expect(asks(asked)).toContain('write')
  const denied = await open('pre-approve', { deny: ['write'] })
  await denied.activateSkill('writer')
  expect(denied.explain('write').status).toBe('denied')
})

test('as a restriction it leaves what active skills name, and meta-tools', async () => {
  const workspace = await open('restrict')
  expect(available(workspace)).toContain('read')
  await workspace.activateSkill('writer')
  expect(available(workspace)).toEqual(['loadSkill', 'unloadSkill', 'write'])
  expect(workspace.explain('read')).toMatchObject({
    status: 'denied',
    because: [
      {},
      {
        text: 'While "writer" is active, only allowed-tools can be called: write, Bash(git:*), drop(table:*).',
      },
    ],
    fix: 'Deactivate "writer".',
  })
  expect(await workspace.callTool('read', {})).toMatchObject({
    error: { type: 'DENIED', details: { code: 'denied' } },
  })
  await workspace.activateSkill('plain')
  expect(workspace.explain('plain_tool').status).toBe('denied')
  await workspace.activateSkill('reader')
  expect(available(workspace)).toEqual(['loadSkill', 'unloadSkill', 'read', 'write', 'draft'])
  expect(workspace.explain('skim').because.at(-1)?.text).toContain('While "writer", "reader" are')
  const unload = { skillName: 'writer' }
  expect(await workspace.callTool('unloadSkill', unload, { caller: 'model' })).toMatchObject({
    ok: true,
  })
  expect(available(workspace)).toEqual(['loadSkill', 'unloadSkill', 'read'])
})

test('a tool that would come with a skill is judged with the list of that skill', async () => {
  const workspace = await open('restrict')
  await workspace.activateSkill('writer')
  expect(workspace.explain('skim').fix).toBe(
    'Activate the skill "reader". Even then the tool would be denied.',
  )
  expect(workspace.explain('glance').fix).toBe('Activate the skill "skimmer".')
})

test('the host can change its effect in a running session', async () => {
  const workspace = await open('restrict')
  await workspace.activateSkill('writer')
  expect(workspace.isToolAvailable('read')).toBe(false)
  await workspace.setPermissions({ allowedTools: 'ignore' })
  expect(workspace.isToolAvailable('read')).toBe(true)
})

/** Tools of a coding agent, all of which ask first. */
const agentTools = ['Bash', 'Read', 'Edit', 'WebFetch'].map((name) =>
  aTool(name, {
    requiresConfirmation: true,
    inputSchema: { type: 'object', additionalProperties: true },
  }),
)

const coding = (permissions: readonly string[], rules: object = {}) =>
  aWorkspace(
    { skills: [aSkill('coder', { permissions, tools: [] })], tools: agentTools },
    { policy: { permissions: { allowedTools: 'pre-approve', ...rules } } },
  )

test.each([
  { entry: 'Bash(git:*)', tool: 'Bash', input: { command: 'git status' }, runs: true },
  { entry: 'Bash(git *)', tool: 'Bash', input: { command: 'git log -1' }, runs: true },
  { entry: 'Bash(git:*)', tool: 'Bash', input: { command: 'git log && git diff' }, runs: true },
  { entry: 'Bash(git:*)', tool: 'Bash', input: { command: 'git log; rm -r x' }, runs: false },
  { entry: 'Bash(git:*)', tool: 'Bash', input: { command: 'git log $(rm x)' }, runs: false },
  { entry: 'Bash(git:*)', tool: 'Bash', input: { command: 'git log > x' }, runs: false },
  { entry: 'Bash(git:*)', tool: 'Bash', input: { command: 'gitk' }, runs: false },
  {
    entry: 'Bash(git:*)',
    tool: 'Bash',
    input: { command: 'git log', env: { A: '1' } },
    runs: false,
  },
  {
    entry: 'Bash(git:*)',
    tool: 'Bash',
    input: { command: 'git log', description: 'Log' },
    runs: true,
  },
  { entry: 'Bash(npm run test:*)', tool: 'Bash', input: { command: 'npm run test' }, runs: true },
  { entry: 'Bash(npm run test:*)', tool: 'Bash', input: { command: 'npm run build' }, runs: false },
  { entry: 'Bash(git push)', tool: 'Bash', input: { command: 'git push' }, runs: true },
  { entry: 'Bash(git push)', tool: 'Bash', input: { command: 'git push --force' }, runs: false },
  { entry: 'Bash(git * main)', tool: 'Bash', input: { command: 'git push main' }, runs: false },
  { entry: 'run_shell_command(ls:*)', tool: 'Bash', input: { command: 'ls -l' }, runs: true },
  { entry: 'shell', tool: 'Bash', input: { command: 'rm x' }, runs: true },
  { entry: 'Read', tool: 'Read', input: { path: 'x' }, runs: true },
  { entry: 'read_file', tool: 'Read', input: { path: 'x' }, runs: true },
  { entry: 'Read(docs/**)', tool: 'Read', input: { path: 'docs/a.md', offset: 3 }, runs: true },
  { entry: 'Read(docs/**)', tool: 'Read', input: { path: 'docs/../.env' }, runs: false },
  { entry: 'Read(*.md)', tool: 'Read', input: { file_path: 'docs/a.md' }, runs: true },
  { entry: 'Edit(docs/**)', tool: 'Edit', input: { path: 'src/a.ts' }, runs: false },
  { entry: 'Read(docs/**)', tool: 'Edit', input: { path: 'docs/a.md' }, runs: false },
  {
    entry: 'WebFetch(domain:x.dev)',
    tool: 'WebFetch',
    input: { url: 'https://x.dev/a' },
    runs: true,
  },
  {
    entry: 'WebFetch(domain:x.dev)',
    tool: 'WebFetch',
    input: { url: 'https://x.dev@y.dev' },
    runs: false,
  },
  {
    entry: 'WebFetch(domain:x.dev)',
    tool: 'WebFetch',
    input: { url: 'https://x.dev.y.dev' },
    runs: false,
  },
])(
  '$entry and a call of $tool with $input: runs unasked $runs',
  async ({ entry, tool, input, runs }) => {
    const workspace = await coding([entry])
    expect(await workspace.callTool(tool, input, { caller: 'model' })).toMatchObject({ ok: false })
    await workspace.activateSkill('coder')
    expect(await workspace.callTool(tool, input, { caller: 'model' })).toMatchObject({ ok: runs })
    await workspace.deactivateSkill('coder')
    expect(await workspace.callTool(tool, input, { caller: 'model' })).toMatchObject({ ok: false })
  },
)

test('explain names the calls that a skill pre-approves', async () => {
  const workspace = await coding(['Bash(git:*)'])
  await workspace.activateSkill('coder')
  expect(workspace.explain('Bash').because.at(-1)?.text).toBe(
    'Skill "coder" pre-approves some calls, by its allowed-tools: Bash(git:*).',
  )
})

test('a restriction is about the arguments of a call, too', async () => {
  const workspace = await coding(['Bash(git:*)'], { allowedTools: 'restrict' })
  await workspace.activateSkill('coder')
  const call = (command: string) => workspace.callTool('Bash', { command }, { caller: 'model' })
  expect(await call('ls')).toMatchObject({ ok: false, error: { type: 'DENIED' } })
  expect(await call('git log')).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  expect(workspace.explain('Read').status).toBe('denied')
})

test('the tools of a server are named as clients name them', async () => {
  const workspace = await coding(['mcp__github__*', 'mcp__jira__get'])
  const server = (name: string) => aTool(name, { requiresConfirmation: true })
  await workspace.syncTools('github', [server('search')], { trusted: true })
  await workspace.syncTools('jira', [server('get'), server('remove')], { trusted: true })
  await workspace.activateSkill('coder')
  expect(asks(workspace).filter((name) => !agentTools.some((one) => one.name === name))).toEqual([
    'remove',
  ])
})

test('no list of a skill loosens a rule of the host that denies or asks', async () => {
  const entries = ['Bash', 'Bash(git:*)', '*', 'Bash(*)', 'shell', 'Read', 'Bash(git log)']
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(entries, { minLength: 1 }),
      fc.constantFrom('deny', 'ask'),
      fc.constantFrom('Bash', 'B*', { tool: 'Bash', where: { command: { command: 'git' } } }),
      async (permissions, list, rule) => {
        const workspace = await coding(permissions, { [list]: [rule] })
        await workspace.activateSkill('coder')
        const input = { command: 'git log' }
        expect(await workspace.callTool('Bash', input, { caller: 'model' })).toMatchObject({
          ok: false,
        })
      },
    ),
    { numRuns: 40 },
  )
})
