import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogFromManifest } from '../../../src/catalog/manifest/catalog-from-manifest.ts'
import { readJsonlLog } from '../../../src/connections/logs/jsonl/open-log-file.ts'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { type AgentDefinition, defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill, type SkillDefinition } from '../../../src/skills/definition/define-skill.ts'
import { defineTool, type PlainToolSpec } from '../../../src/tools/define-tool.ts'
import type { ToolContext } from '../../../src/tools/definition/tool-context.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { runCommand } from '../cli/run-command.ts'
import { temporaryFolder } from './temporary-folder.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures/first-names')

interface Given {
  readonly tools: readonly PlainToolSpec<unknown, unknown, ToolContext>[]
  readonly skills: readonly (SkillDefinition & { readonly tools?: readonly string[] })[]
  readonly agents: readonly AgentDefinition[]
}

const given = JSON.parse(readFileSync(join(FIXTURES, 'definitions.json'), 'utf8')) as Given
const recorded = JSON.parse(readFileSync(join(FIXTURES, 'hashes.json'), 'utf8'))

async function catalogOfToday() {
  const tools = given.tools.map((spec) => defineTool({ ...spec, execute: () => ({ paid: 42 }) }))
  const skills = given.skills.map(({ tools: names = [], ...skill }) =>
    defineSkill({ ...skill, tools: tools.filter(({ name }) => names.includes(name)) }),
  )
  const agents = given.agents.map(defineAgent)
  return createCatalog({ tools: tools.slice(0, 1), skills, agents })
}

test('definitions have the hashes that they had under their first names', async () => {
  const { toolsByHash, skills } = await catalogOfToday()
  expect(
    Object.fromEntries([...toolsByHash.values()].map(({ name, hash }) => [name, hash])),
  ).toEqual(recorded.tools)
  expect(Object.fromEntries([...skills].map(([name, { hash }]) => [name, hash]))).toEqual(
    recorded.skills,
  )
})

test('a skill may name its instructions workDirection, and is the same skill', () => {
  const [{ instructions = '', tools: _, ...skill } = { name: '', description: '' }] = given.skills
  expect(defineSkill({ ...skill, workDirection: instructions }).hash).toBe(
    defineSkill({ ...skill, instructions }).hash,
  )
  expect(() => defineSkill({ ...skill, instructions, workDirection: instructions })).toThrow(
    expect.objectContaining({ code: 'SKILL_INVALID' }),
  )
})

test('a session of before opens without a notice, and its model reads the same but for one word', async () => {
  const log = await readJsonlLog(join(FIXTURES, 'session.jsonl'))
  if (log === null) throw new Error('The fixture is gone.')
  const entries = await log.read('before')
  const catalog = await catalogOfToday()
  const workspace = await VirtualWorkspace.open({
    catalog,
    agent: 'support',
    session: 'before',
    log,
  })
  expect(workspace.notices).toEqual([])
  // What is added names the catalog, which the opening of before did not, and describes a meta-tool in other words.
  const [added, ...others] = await log.read('before', entries.length)
  expect(await log.read('before', 0, entries.length - 1)).toEqual(entries)
  expect(added).toMatchObject({ cause: { by: 'resume' }, event: { type: 'catalog.taken' } })
  expect(others).toMatchObject([
    { cause: { by: 'resume' }, event: { type: 'source.opened', owner: 'loadout' } },
  ])
  expect(workspace.explainSkill('letters').status).toBe('inactive')
  const { instructions, tools } = await workspace.beginStep()
  expect(instructions).toBe(recorded.instructions.replace('Put away one', 'Deactivate one'))
  expect(tools.map(({ name }) => name)).toContain('refund')
  expect(await workspace.callTool('refund', { order: '8' })).toMatchObject({ ok: true })
  await workspace.close()
})

test('a lock of before is the one that is written today, and a manifest but for the mode that no agent chose', async () => {
  const cwd = await temporaryFolder({})
  cpSync(join(FIXTURES, 'project'), cwd, { recursive: true })
  const readManifest = () => readFileSync(join(cwd, 'loadout.manifest.json'), 'utf8')
  const manifest = readManifest()
  const before = await catalogFromManifest(JSON.parse(manifest))
  expect(before.agents.get('editor')?.mode).toBe('text')
  expect(await runCommand(['lock', '--check', '--trust'], { cwd })).toMatchObject({ code: 0 })
  expect(await runCommand(['build', '--trust'], { cwd })).toMatchObject({ code: 0 })
  const undigested = (text: string) => text.replace(/"digest":"sha256:\w+"/, '"digest"')
  expect(manifest).toContain('"mode":"text",')
  expect(undigested(readManifest())).toBe(undigested(manifest.replace('"mode":"text",', '')))
})
