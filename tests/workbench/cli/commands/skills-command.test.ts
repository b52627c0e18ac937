import { join } from 'node:path'
import { createCatalog, defineToolset, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import type { OpenSession } from '../../../../src/workbench/cli/opening/open-session.ts'
import { o200kCounter } from '../../../../src/workspace/open/o200k-counter.ts'
import { aSkill, aTool } from '../../../workspace/a-workspace.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { openSkillsReport } from '../../../../src/workbench/cli/commands/skills-command.ts'
import type { SkillsReport } from '../../../../src/workbench/report/facts/skills-report.ts'
import { rowValues } from '../../../../src/workbench/report/writers/json-text.ts'
import { runCommand } from '../run-command.ts'

const tree = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'skills/broken/SKILL.md': '---\nname: [\n---\n',
  'more/alpha/SKILL.md': skillText('alpha', 'license: MIT\n'),
}

async function skillsOf(cwd: string, ...more: string[]) {
  const { stdout, code } = await runCommand(['skills', 'skills', 'more', '--json', ...more], {
    cwd,
  })
  expect(code).toBe(0)
  return JSON.parse(stdout) as ReturnType<SkillsReport['json']>[]
}

test('all skills are listed: loaded, shadowed and broken, with ordered keys', async () => {
  const cwd = await temporaryFolder(tree)
  const skills = await skillsOf(cwd)
  expect(skills.map(({ name, status, path }) => ({ name, status, path }))).toEqual([
    { name: 'alpha', status: 'inactive', path: join(cwd, 'skills/alpha/SKILL.md') },
    { name: 'alpha', status: 'shadowed', path: join(cwd, 'more/alpha/SKILL.md') },
    { name: 'broken', status: 'broken', path: join(cwd, 'skills/broken/SKILL.md') },
  ])
  for (const skill of skills) {
    expect(Object.keys(skill)).toEqual([
      'name',
      'displayName',
      'description',
      'path',
      'status',
      'off',
      'scope',
      'tools',
      'tokens',
      'diagnostics',
    ])
  }
  expect(skills[0]).toMatchObject({ description: 'Does alpha.', tools: ['echo'] })
  expect(skills[0]?.tokens).toBeGreaterThan(0)
})

test('diagnostics are listed with their skill, with every key', async () => {
  const cwd = await temporaryFolder(tree)
  const [alpha, shadowed, broken] = await skillsOf(cwd)
  expect(alpha?.diagnostics.map(({ code }) => code)).toEqual(['handler-untrusted'])
  expect(shadowed?.diagnostics.map(({ code }) => code)).toContain('duplicate-skill')
  expect(broken?.diagnostics).not.toEqual([])
  expect(broken?.diagnostics[0]).toMatchObject({ severity: 'error', file: broken?.path })
  for (const finding of [alpha, shadowed, broken].flatMap((skill) => skill?.diagnostics ?? [])) {
    expect(Object.keys(finding)).toEqual([
      'code',
      'severity',
      'message',
      'hint',
      'file',
      'line',
      'column',
    ])
  }
})

test('an activated skill has the status active', async () => {
  const cwd = await temporaryFolder(tree)
  const [alpha] = await skillsOf(cwd, '--activate', 'alpha')
  expect(alpha?.status).toBe('active')
})

test('the text has a table, errors in full and the number of other diagnostics', async () => {
  const cwd = await temporaryFolder(tree)
  const { stdout, stderr } = await runCommand(['skills', 'skills', 'more'], { cwd })
  // The price is that of the folder's name, too.
  expect(stdout.replaceAll(/ \d\d /g, ' NN ')).toMatchInlineSnapshot(`
    "SKILL   STATUS    TOOLS  TOKENS  DESCRIPTION
    alpha   inactive  1      NN      Does alpha.
    alpha   shadowed  0      NN      Does alpha.
    broken  broken    0      0       Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].
    request 314 tokens = instructions NN + tools 229 + conversation 0 (compatible, active, o200k_base), no request before
    "
  `)
  expect(stderr.replaceAll(cwd, '.')).toMatchInlineSnapshot(`
    "error: ./skills/broken/SKILL.md:3:1: Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].
      Write one \`key: value\` per line, and put values with special characters in quotes.
    loadout: 1 module was not run because the folder is not trusted.
      Read the code, then trust the folder: loadout trust "./skills" (or --trust for one run).
    loadout: 1 error, 2 warnings in the files; use --verbose to show all.
    "
  `)
  const verbose = await runCommand(['skills', 'skills', 'more', '--verbose'], { cwd })
  expect(verbose.stderr).toContain('warning: ')
  expect(verbose.stderr).not.toContain('--verbose shows')
})

test('the tools of a skill are those that it adds when it is activated', async () => {
  const tool = (name: string) => aTool(name)
  const set = defineToolset({ name: 'set', description: 'A set.', tools: ['clock', tool('ruler')] })
  const skills = [
    aSkill('alpha', { tools: [tool('echo'), 'clock@1'], toolsets: ['set'] }),
    aSkill('beta', { tools: [tool('beta_tool')], extends: ['alpha'] }),
    aSkill('gamma', {
      tools: [aTool('echo', { description: 'Another.' })],
      onConflict: 'namespace',
    }),
    aSkill('beta', { tools: ['clock@1'], toolsets: ['set'], extends: ['gamma'] }),
  ]
  const catalog = await createCatalog({ skills, toolsets: [set], tools: [tool('clock')] })
  const workspace = await VirtualWorkspace.open({ catalog, metaTools: [] })
  const listed = async () => {
    const session = {
      workspace,
      counter: await o200kCounter(),
      project: { diagnostics: [] },
      reading: {},
    }
    const report = await openSkillsReport(session as unknown as OpenSession)
    return rowValues(report).map(({ name, tools }) => [name, tools])
  }
  const shadowed = ['beta', ['clock', 'ruler', 'echo']]
  const inactive = [
    ['alpha', ['echo', 'clock', 'ruler']],
    ['beta', ['beta_tool', 'echo', 'clock', 'ruler']],
    ['gamma', ['echo']],
  ]
  expect(await listed()).toEqual([...inactive, shadowed])
  await workspace.activateSkill('alpha')
  await workspace.activateSkill('gamma')
  const added = (owner: string) =>
    workspace.tools().flatMap((one) => (one.owner === owner ? [one.name] : []))
  expect(await listed()).toEqual([
    ['alpha', added('alpha')],
    inactive[1],
    ['gamma', added('gamma')],
    shadowed,
  ])
  expect(added('gamma')).toEqual(['gamma__echo'])
})
