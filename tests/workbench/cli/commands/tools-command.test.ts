import { join } from 'node:path'
import { createCatalog, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import type { ToolsReport } from '../../../../src/workbench/report/facts/tools-report.ts'
import { VirtualWorkspace } from '../../../../src/workspace/virtual-workspace.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { aSkill, aTool } from '../../../workspace/a-workspace.ts'
import { MemoryServer } from '../../../workspace/servers/a-server.ts'
import { runCommand } from '../run-command.ts'

type ToolValue = ReturnType<ToolsReport['json']>

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
  return JSON.parse(stdout) as ToolValue[]
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
    reach: 'sent',
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
      'reach',
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
    reach: 'not sent',
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

test('after a step, the tools are listed as the next step sends them', async () => {
  const cwd = await temporaryFolder(tree)
  await using log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const { catalog } = await openProject([], { project: cwd, home: null, trusted: true })
  const workspace = await VirtualWorkspace.open({ catalog, log })
  await workspace.activateSkill('alpha')
  await workspace.beginStep()
  await workspace.deactivateSkill('alpha')
  await workspace.activateSkill('beta')
  await workspace.close()

  const tools = await toolsOf(cwd, '--trust', '--log', 'run.sqlite')
  const seen = (name: string) => {
    const { status, reach, exposed } = tools.find((tool) => tool.name === name) as ToolValue
    return { status, reach, exposed }
  }
  expect(seen('loadSkill')).toEqual({ status: 'available', reach: 'sent', exposed: true })
  expect(seen('other')).toEqual({ status: 'available', reach: 'sent', exposed: true })
  expect(tools.filter(({ owner }) => owner === 'alpha')).toEqual([])
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

test.each<{
  readonly exposure: WorkspaceOptions['exposure']
  readonly searches: 'with search' | 'without search'
  /** The words after a step in which the skill "beta" was active, and a search for job_7; "beta" is off now. */
  readonly words: Readonly<Record<string, string>>
}>([
  {
    exposure: 'active',
    searches: 'with search',
    words: { pin: 'sent', echo: 'sent', job_1: 'by search', job_7: 'sent', other: 'inactive' },
  },
  {
    exposure: 'active',
    searches: 'without search',
    words: { pin: 'sent', echo: 'sent', job_1: 'sent', other: 'inactive' },
  },
  {
    exposure: 'append',
    searches: 'with search',
    words: {
      pin: 'sent',
      echo: 'sent',
      job_1: 'by search',
      job_7: 'sent',
      other: 'inactive, sent',
    },
  },
  {
    exposure: 'deferred',
    searches: 'with search',
    words: { pin: 'sent', echo: 'sent', job_1: 'by search', job_7: 'sent' },
  },
  {
    exposure: 'conversation',
    searches: 'with search',
    words: {
      pin: 'sent',
      echo: 'sent',
      job_1: 'by search',
      job_7: 'sent',
      other: 'inactive, sent',
    },
  },
  {
    exposure: 'bridge',
    searches: 'with search',
    words: { pin: 'sent', echo: 'not sent', job_1: 'by search', other: 'inactive' },
  },
])(
  'under $exposure, each tool is listed by what the next step carries, $searches',
  async ({ exposure, searches, words }) => {
    const cwd = await temporaryFolder()
    const catalog = await createCatalog({
      skills: [
        aSkill('alpha', { tools: [aTool('echo')] }),
        aSkill('beta', { tools: [aTool('other')] }),
      ],
      tools: [aTool('pin'), ...Array.from({ length: 9 }, (_, at) => aTool(`job_${at}`))],
    })
    await using log = await openSqliteLog(join(cwd, 'run.sqlite'))
    const workspace = await VirtualWorkspace.open({
      catalog,
      log,
      provider: 'anthropic',
      ...(exposure && { exposure }),
      ...(searches === 'with search' && { discovery: { pinned: ['pin'] } }),
    })
    await workspace.activateSkill('alpha')
    await workspace.activateSkill('beta')
    await workspace.beginStep({ carries: ['additions', 'removals'] })
    if (searches === 'with search') {
      await workspace.callTool('tool_search', { query: 'job_7', limit: 1 }, { caller: 'model' })
    }
    await workspace.deactivateSkill('beta')
    const tools = workspace.tools()
    const before = (await workspace.entries()).length
    const { stdout } = await runCommand(['tools', '--log', 'run.sqlite'], { cwd })
    for (const [name, word] of Object.entries(words)) {
      expect([
        name,
        stdout.match(new RegExp(`^${name} +\\S+(?: \\S+)? {2,}(.+?) {2,}`, 'm'))?.[1],
      ]).toEqual([name, word])
    }
    // What the command says is what the step then records.
    expect(await workspace.entries()).toHaveLength(before)
    const listed = JSON.parse(
      (await runCommand(['tools', '--json', '--log', 'run.sqlite'], { cwd })).stdout,
    ) as ToolValue[]
    await workspace.beginStep({ carries: ['additions', 'removals'] })
    const sent = (workspace.state.exposed ?? []).flatMap(
      ({ name, removed, deferred, referenced }) =>
        removed || (deferred && !referenced) ? [] : name,
    )
    expect(
      listed
        .filter((one) => one.reach === 'sent')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(sent.toSorted())
    expect(listed).toHaveLength(tools.length)
    await workspace.close()
  },
)

test('a tool that a server dropped is listed with the reason that why gives', async () => {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const server = new MemoryServer('tracker', [aTool('tracker_list'), aTool('tracker_label')])
  const host = await VirtualWorkspace.open({ catalog: await createCatalog({}), log, session: 's' })
  await host.attach(server)
  server.change([aTool('tracker_list')])
  await expect.poll(() => host.explain('tracker_label').status).toBe('gone')
  await host.close()
  const words = ['--log', 'run.sqlite']
  const gone = (await toolsOf(cwd, ...words)).find(({ name }) => name === 'tracker_label')
  const { stdout } = await runCommand(['why', 'tracker_label', ...words, '--json'], { cwd })
  const { because } = JSON.parse(stdout) as Pick<ToolValue, 'because'>
  expect(because.map(({ text }) => text)).toEqual(['Server "tracker" no longer has it.'])
  expect(gone).toEqual({
    name: 'tracker_label',
    source: 'server',
    owner: 'tracker',
    status: 'gone',
    reach: 'not sent',
    exposed: false,
    available: false,
    asks: false,
    tokens: 0,
    because,
  })
})
