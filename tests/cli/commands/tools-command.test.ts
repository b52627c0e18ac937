import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJsonlLog } from '../../../src/adapters/logs/jsonl/open-jsonl-log.ts'
import { openProject } from '../../../src/project/folders/open-project.ts'
import type { ToolReport } from '../../../src/cli/commands/tools-command.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const tree = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'skills/beta/SKILL.md': skillText('beta'),
  ...toolTree('skills/beta/tools/echo', 'export const execute = () => 2\n'),
  ...toolTree('skills/beta/tools/other'),
}

async function toolsOf(cwd: string, ...more: string[]) {
  const { stdout, code } = await runCommand(['tools', '--json', ...more], { cwd })
  expect(code).toBe(0)
  return JSON.parse(stdout) as ToolReport[]
}

test('every tool is listed with its owner, its status and the reason, with ordered keys', async () => {
  const cwd = await temporaryFolder(tree)
  const tools = await toolsOf(cwd, '--trust', '--activate', 'alpha')
  const echo = tools.find(({ name }) => name === 'echo')
  expect(echo).toEqual({
    name: 'echo',
    source: 'skill',
    owner: 'alpha',
    status: 'available',
    exposed: true,
    available: true,
    asks: false,
    tokens: expect.any(Number),
    because: [{ seq: 2, text: 'Skill "alpha" was activated by the user.' }],
  })
  for (const tool of tools) {
    expect(Object.keys(tool)).toEqual([
      'name',
      'source',
      'owner',
      'status',
      'exposed',
      'available',
      'asks',
      'tokens',
      'because',
    ])
    expect(tool.tokens).toBeGreaterThan(0)
    expect(tool.because).not.toEqual([])
  }
  expect(tools.find(({ name }) => name === 'other')).toMatchObject({
    owner: 'beta',
    status: 'skill-inactive',
    exposed: false,
    available: false,
    because: [{ seq: 0, text: expect.stringContaining('"beta"') }],
  })
})

test('handlers of an untrusted folder are not run, and the reason says so', async () => {
  const cwd = await temporaryFolder(tree)
  const status = async (...more: string[]) =>
    (await toolsOf(cwd, '--activate', 'alpha', ...more)).find(({ name }) => name === 'echo')
  expect(await status()).toMatchObject({ status: 'unbound', available: false })
  expect(await status('--trust')).toMatchObject({ status: 'available' })
  const { stderr } = await runCommand(['tools'], { cwd })
  expect(stderr).toContain('not trusted')
  expect(stderr).toContain('--trust for one run')

  await runCommand(['trust', '.', '--all'], { cwd })
  expect(await status()).toMatchObject({ status: 'available' })
})

test('after a step, the exposed tools are those that the step sent', async () => {
  const cwd = await temporaryFolder(tree)
  await using log = openJsonlLog(join(cwd, 'run.jsonl'))
  const { catalog } = await openProject([], { project: cwd, home: null, trusted: true })
  const workspace = await VirtualWorkspace.open({ catalog, log })
  await workspace.activateSkill('alpha')
  await workspace.beginStep()
  await workspace.deactivateSkill('alpha')
  await workspace.activateSkill('beta')
  await workspace.close()

  const tools = await toolsOf(cwd, '--trust', '--log', 'run.jsonl')
  const seen = (name: string) => {
    const { exposed, available } = tools.find((tool) => tool.name === name) as ToolReport
    return { exposed, available }
  }
  expect(seen('loadSkill')).toEqual({ exposed: true, available: true })
  expect(seen('other')).toEqual({ exposed: false, available: true })
  const { stdout } = await runCommand(['tools', '--trust', '--log', 'run.jsonl'], { cwd })
  expect(stdout).toContain('available, from the next step')
})

test('on a terminal no line is wider than the terminal; in a pipe no line is cut', async () => {
  const cwd = await temporaryFolder(tree)
  const narrow = await runCommand(['tools'], { cwd, columns: 60 })
  expect(narrow.stdout.split('\n').every((line) => line.length <= 60)).toBe(true)
  expect(narrow.stdout).toContain('…')
  const piped = await runCommand(['tools'], { cwd })
  expect(piped.stdout).not.toContain('…')
})

test('--activate may name a skill twice, or by another of its names', async () => {
  const cwd = await temporaryFolder(tree)
  const tools = await toolsOf(cwd, '--trust', '--activate', 'alpha', '--activate', 'Alpha')
  expect(tools.find(({ owner }) => owner === 'alpha')?.status).toBe('available')
})
