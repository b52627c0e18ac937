import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import { PROVIDER_FACTS, providerName } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { callTarget, findConfirmation } from '../../src/workspace/calls/find-confirmation.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const readFile = aTool('fs.read_file', {
  description: 'Reads a file.',
  guidance: { before: 'List the files.' },
})
const sent = providerName('fs.read_file', 'openai')
const query = aTool('db.query', { description: 'Asks a database.', summary: 'For numbers.' })
const files = aSkill('files', { tools: [readFile, aTool('list_files')] })

const OPENAI = { provider: 'openai', exposure: 'active' } as const

const SEARCHING: Omit<WorkspaceOptions, 'catalog'> = {
  ...OPENAI,
  discovery: {},
  metaTools: ['tool_search', 'loadSkill', 'unloadSkill', 'loadTool', 'call_tool'],
}

const byModel = { caller: 'model' } as const

const textOf = (workspace: VirtualWorkspace) => workspace.prompt().text

const dataOf = async (workspace: VirtualWorkspace, tool: string, input: unknown) => {
  const response = await workspace.callTool(tool, input, byModel)
  if (!response.ok) throw new Error(response.error.message)
  return response.data
}

test('the model reads a tool under the name that its provider gets', async () => {
  const workspace = await aWorkspace({ skills: [files], tools: [query] }, OPENAI)
  await workspace.activateSkill('files')
  const text = textOf(workspace)
  expect(text).toContain(sent)
  expect(text).toContain(providerName('db.query', 'openai'))
  expect(text).toContain('list_files')
  expect(text).not.toMatch(/fs\.read_file|db\.query/u)
})

test.each<Pick<WorkspaceOptions, 'provider'>>([
  {},
  { provider: 'google' },
  { provider: { ...PROVIDER_FACTS.openai, name: 'own', names: 'mcp' } },
])('under %j names that fit are unchanged', async (options) => {
  const workspace = await aWorkspace({ skills: [files] }, { exposure: 'active', ...options })
  await workspace.activateSkill('files')
  expect(textOf(workspace)).toContain('fs.read_file')
  expect(workspace.explain('fs.read_file')).not.toHaveProperty('sentAs')
})

test('the text is the same for all providers while names fit', async () => {
  const plain = aSkill('plain', { tools: [aTool('read-file'), aTool('list_files')] })
  const texts = await Promise.all(
    [{}, OPENAI, { ...OPENAI, provider: 'anthropic' as const }].map(async (options) => {
      const workspace = await aWorkspace({ skills: [plain] }, { exposure: 'active', ...options })
      await workspace.activateSkill('plain')
      return textOf(workspace)
    }),
  )
  expect(new Set(texts).size).toBe(1)
})

test('explain says under which name a tool is sent, and finds it by that name', async () => {
  const workspace = await aWorkspace({ skills: [files] }, OPENAI)
  const explained = { name: 'fs.read_file', owner: 'files', sentAs: sent }
  expect(workspace.explain('fs.read_file')).toMatchObject({
    status: 'skill-inactive',
    ...explained,
  })
  await workspace.activateSkill('files')
  expect(workspace.explain(sent)).toMatchObject({ status: 'available', ...explained })
  expect(workspace.explain('files/fs.read_file')).toMatchObject({ sentAs: sent })
  expect(workspace.explain('list_files')).not.toHaveProperty('sentAs')
  expect(workspace.explain('made.up')).not.toHaveProperty('sentAs')
})

test('a call of the model by either name is a call of the tool', async () => {
  const workspace = await aWorkspace({ skills: [files] }, OPENAI)
  await workspace.activateSkill('files')
  for (const name of [sent, 'fs.read_file', 'files/fs.read_file']) {
    expect(await workspace.callTool(name, {}, byModel)).toMatchObject({ data: 'fs.read_file' })
  }
  expect(await workspace.approvals.asksAbout(sent, {})).toBe(false)
  const started = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'call.started' ? event.tool : [],
  )
  expect(new Set(started)).toEqual(new Set(['fs.read_file']))
  expect(await workspace.callTool(sent, {})).toMatchObject({ ok: true })
})

test('an adapter may send names of a provider that the host did not name', async () => {
  const workspace = await aWorkspace({ tools: [readFile] })
  expect(await workspace.callTool(sent, {}, byModel)).toMatchObject({ data: 'fs.read_file' })
})

test('rules about a tool hold for calls by its other name', async () => {
  const permissions = { deny: [{ tool: 'fs.*' }] }
  const workspace = await aWorkspace({ tools: [readFile] }, { ...OPENAI, policy: { permissions } })
  expect(await workspace.callTool(sent, {}, byModel)).toMatchObject({
    error: { details: { code: 'denied' } },
  })
})

test('a question about a call is found by either name', async () => {
  const asking = aTool('fs.remove', { requiresConfirmation: true })
  const form = providerName('fs.remove', 'openai')
  // The other tool has that form as its own name, and a question with the same arguments.
  const other = aTool(form, { requiresConfirmation: true })
  const workspace = await aWorkspace({ tools: [other, asking] }, OPENAI)
  await workspace.callTool(providerName(form, 'openai'), {}, byModel)
  await workspace.callTool(form, {}, byModel)
  expect(workspace.state.confirmations.map(({ tool }) => tool)).toEqual([form, 'fs.remove'])
  for (const name of [form, 'fs.remove']) {
    expect(findConfirmation(workspace, name, {})?.tool).toBe('fs.remove')
  }
  expect(callTarget(workspace, form, {}).tool).toBe('fs.remove')
})

test('a tool that is named like the form of another gets none of its calls', async () => {
  const impostor = aTool(sent, { execute: () => 'impostor' })
  for (const options of [{}, OPENAI]) {
    const workspace = await aWorkspace({ tools: [impostor, readFile] }, options)
    expect(await workspace.callTool(sent, {}, byModel)).toMatchObject({ data: 'fs.read_file' })
    expect(await workspace.callTool(providerName(sent, 'openai'), {}, byModel)).toMatchObject({
      data: 'impostor',
    })
    expect(await workspace.callTool(impostor, {})).toMatchObject({ data: 'impostor' })
    expect(workspace.explain(sent).name).toBe(sent)
  }
})

test('what a search answers is what call_tool and loadTool take', async () => {
  const workspace = await aWorkspace({ skills: [files] }, SEARCHING)
  const page = await dataOf(workspace, 'tool_search', { query: 'read a file' })
  expect(page).toMatchObject({
    tools: [{ name: sent, signature: `${sent}()` }, {}],
    rules: `**${sent}**\n- Before: List the files.`,
  })
  expect(await dataOf(workspace, 'loadTool', { toolName: sent })).toMatchObject({ tool: sent })
  expect(await dataOf(workspace, 'call_tool', { name: sent })).toBe('fs.read_file')
  expect(workspace.state.found.map(({ name }) => name)).toContain('fs.read_file')
})

test('a found tool can be called by the name that the provider got', async () => {
  const workspace = await aWorkspace({ skills: [files] }, SEARCHING)
  await dataOf(workspace, 'tool_search', { query: 'read a file' })
  expect(await dataOf(workspace, sent, {})).toBe('fs.read_file')
})

test('loading and unloading a skill answer with the names to call', async () => {
  const workspace = await aWorkspace({ skills: [files] }, SEARCHING)
  expect(await dataOf(workspace, 'loadSkill', { skillName: 'files' })).toMatchObject({
    tools: [{ name: sent }, { name: 'list_files' }],
  })
  expect(await dataOf(workspace, 'unloadSkill', { skillName: 'files' })).toMatchObject({
    removedTools: [sent, 'list_files'],
  })
})

test('a request is priced with the names that are sent', async () => {
  const letters = { name: 'letters', count: (text: string) => text.length }
  const tokens = await Promise.all(
    [{ exposure: 'active' as const }, OPENAI].map(async (options) => {
      const workspace = await aWorkspace(
        { tools: [readFile] },
        { ...options, tokenCounter: letters },
      )
      const { cost } = await workspace.beginStep()
      const [tool] = workspace.figures.ledger().lastStep?.tools ?? []
      expect(tool?.tokens).toBe(cost.tokens.tools)
      return cost.tokens.tools
    }),
  )
  expect((tokens[1] ?? 0) - (tokens[0] ?? 0)).toBe(sent.length - 'fs.read_file'.length)
})

test('sentName is the name that a provider gets', async () => {
  const named = await aWorkspace({ tools: [readFile] }, { provider: 'google' })
  expect(named.calls.sentName('fs.read_file', 'openai')).toBe('fs.read_file')
  const unnamed = await aWorkspace({ tools: [readFile] })
  expect(unnamed.calls.sentName('fs.read_file')).toBe('fs.read_file')
  expect(unnamed.calls.sentName('fs.read_file', 'openai')).toBe(sent)
})

test('a tool that enters in the conversation is priced with the name that is sent', async () => {
  const letters = { name: 'letters', count: (text: string) => text.length }
  const tokens = await Promise.all(
    ['fs.read_file', 'fs_read_file'].map(async (name) => {
      const skill = aSkill('files', { tools: [aTool(name, { description: 'Reads a file.' })] })
      const options = { provider: 'openai', exposure: 'conversation' } as const
      const workspace = await aWorkspace({ skills: [skill] }, { ...options, tokenCounter: letters })
      const prompt = { includeAvailableTools: false, includeLoadedSkills: false }
      const carried = { carries: ['additions'], model: 'gpt-5.4', history: [] } as const
      const step = { ...prompt, ...carried }
      await workspace.beginStep(step)
      await workspace.activateSkill('files')
      const { additions, cost } = await workspace.beginStep(step)
      expect(additions.map(({ tool }) => tool.name)).toEqual([name])
      return cost.tokens.conversation
    }),
  )
  expect((tokens[0] ?? 0) - (tokens[1] ?? 0)).toBe(sent.length - 'fs.read_file'.length)
})
