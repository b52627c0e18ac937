import { copyFileSync, readFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { recordedOptions, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import type { Verdict } from '../../../../src/engine/explain/verdict.ts'
import { runCommand } from '../run-command.ts'

const tree = {
  'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.aliases: "first-letter"\n'),
  ...toolTree('skills/alpha/tools/query_table'),
  'skills/both/SKILL.md': skillText('both'),
  ...toolTree('skills/both/tools/both'),
  'skills/broken/SKILL.md': '---\nname: [\n---\n',
}

async function why(cwd: string, ...argv: string[]) {
  const { stdout, code } = await runCommand(['why', ...argv, '--json'], { cwd })
  return { code, report: JSON.parse(stdout) as Verdict }
}

test('every answer has all keys, in order', async () => {
  const cwd = await temporaryFolder(tree)
  for (const name of ['query_table', 'alpha', 'nonsense', 'broken', 'loadSkill']) {
    const { report } = await why(cwd, name)
    expect(Object.keys(report)).toEqual([
      'name',
      'kind',
      'status',
      'source',
      'owner',
      ...(name === 'loadSkill' ? ['exposed'] : []),
      'because',
      'fix',
      'needs',
      'outcomes',
      'nearest',
    ])
  }
})

test.each([
  { name: 'query_table', kind: 'tool', status: 'skill-inactive', owner: 'alpha', code: 0 },
  { name: 'alpha/query_table', kind: 'tool', status: 'skill-inactive', owner: 'alpha', code: 0 },
  { name: 'loadSkill', kind: 'tool', status: 'available', owner: 'loadout', code: 0 },
  { name: 'alpha', kind: 'skill', status: 'inactive', owner: 'alpha', code: 0 },
  { name: 'ALPHA', kind: 'skill', status: 'inactive', owner: 'alpha', code: 0 },
  { name: 'broken', kind: 'skill', status: 'broken', owner: 'broken', code: 0 },
  { name: 'both', kind: 'tool', status: 'skill-inactive', owner: 'both', code: 0 },
  { name: 'constructor', kind: 'tool', status: 'unknown', owner: null, code: 1 },
])('$name is the $kind of $owner: $status', async ({ name, code, ...expected }) => {
  const answer = await why(await temporaryFolder(tree), name, 'skills')
  expect(answer.code).toBe(code)
  expect(answer.report).toMatchObject(expected)
})

test('--skill and --tool choose between a skill and a tool of the same name', async () => {
  const cwd = await temporaryFolder(tree)
  expect((await why(cwd, 'both', '--skill')).report.kind).toBe('skill')
  expect((await why(cwd, 'both', '--tool')).report.kind).toBe('tool')
  expect((await why(cwd, 'alpha', '--tool')).report.status).toBe('unknown')
  expect((await why(cwd, 'query_table', '--skill')).report.status).toBe('unknown')
})

test('for an unknown name, the nearest tools and skills are suggested', async () => {
  const cwd = await temporaryFolder(tree)
  expect((await why(cwd, 'querytabel')).report.nearest).toEqual(['query_table'])
  expect((await why(cwd, 'alpa')).report.nearest).toEqual(['alpha'])
})

test('the text has the status, the entries behind it and the fix', async () => {
  const cwd = await temporaryFolder(tree)
  const told = []
  for (const name of ['query_table', 'alpha', 'alpa']) {
    told.push((await runCommand(['why', name, '--trust'], { cwd })).stdout)
  }
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "query_table (tool): skill-inactive
    from: skill alpha
      #0 Skill "alpha" has not been activated since the session opened.
    fix: Activate the skill "alpha".

    alpha (skill): inactive
      #0 Skill "alpha" has not been activated since the session opened.
    fix: Activate the skill "alpha".

    alpa: unknown
      #1 No tool or skill is named "alpa".
    fix: Did you mean "alpha"?
    "
  `)
})

test('a skill that left the session, and is not at the given path, is explained by its leaving', async () => {
  const cwd = await temporaryFolder(tree)
  const log = ['--log', 'run.sqlite']
  await runCommand(['activate', 'alpha', 'skills', ...log], { cwd })
  const unload = ['call', 'unloadSkill', 'skills', '--args-json', '{"skillName":"alpha"}']
  expect((await runCommand([...unload, ...log], { cwd })).code).toBe(0)
  const elsewhere = await temporaryFolder({ 'other/beta/SKILL.md': skillText('beta') })
  copyFileSync(join(cwd, 'run.sqlite'), join(elsewhere, 'run.sqlite'))
  const left = {
    status: 'unknown',
    source: 'skill',
    owner: 'alpha',
    because: [{ seq: 4, text: expect.stringContaining('skill "alpha" deactivated') as string }],
    fix: 'Also give the path of the skill "alpha": the log refers to it, but no given path defines it.',
  }
  expect(await why(elsewhere, 'alpha', 'other', ...log)).toMatchObject({ code: 1, report: left })
  const { catalog } = await openProject(join(elsewhere, 'other'), { home: null })
  await using stored = await openSqliteLog(join(elsewhere, 'run.sqlite'))
  const session = (await stored.list())[0]?.session ?? ''
  const view = await VirtualWorkspace.open({ catalog, log: stored, session, readOnly: true })
  expect([view.explain('alpha'), view.explainSkill('alpha')]).toMatchObject([left, left])
  expect(await why(elsewhere, 'alpha', 'other', ...log, '--at', '1')).toMatchObject({
    report: { status: 'unknown', owner: null, fix: expect.stringContaining('List') as string },
  })
})

test('the log alone is explained as a read-only session on its definitions', async () => {
  const cwd = await temporaryFolder(tree)
  await runCommand(['activate', 'alpha', 'skills', '--log', 'run.sqlite'], { cwd })
  const elsewhere = await temporaryFolder({ 'package.json': '{}' })
  copyFileSync(join(cwd, 'run.sqlite'), join(elsewhere, 'run.sqlite'))
  await using log = await openSqliteLog(join(elsewhere, 'run.sqlite'))
  const session = (await log.list())[0]?.session ?? ''
  const recorded = await recordedOptions(log, await log.read(session))
  if (recorded === null) throw new Error('The log has no catalog.')
  const view = await VirtualWorkspace.open({ ...recorded, log, session, readOnly: true })
  for (const name of ['query_table', 'alpha/query_table', 'loadSkill', 'both']) {
    const { report } = await why(elsewhere, name, '--log', 'run.sqlite')
    expect(report).toEqual(view.explain(name))
  }
  for (const name of ['alpha', 'broken']) {
    const { report } = await why(elsewhere, name, '--log', 'run.sqlite', '--skill')
    expect(report).toEqual(view.explainSkill(name))
  }
})

test('a tool without a handler file is not explained as untrusted', async () => {
  const { 'skills/alpha/tools/query_table/handler.js': _, ...rest } = tree as Record<string, string>
  const cwd = await temporaryFolder(rest)
  const { report } = await why(cwd, 'query_table', '--activate', 'alpha', '--trust')
  expect(report).toMatchObject({
    status: 'unbound',
    because: [{}, { text: expect.stringContaining('has no handler') }],
    fix: 'Add handler.ts, handler.js or handler.mjs that exports execute(input, context).',
  })
  const untrusted = await why(await temporaryFolder(tree), 'query_table', '--activate', 'alpha')
  expect(untrusted.report).toMatchObject({
    status: 'unbound',
    fix: expect.stringContaining('loadout trust'),
  })
})

const RULES = {
  'loadout.config.json': `{
  "permissions": {
    "deny": [
      "query_*"
    ],
    "ask": [{ "tool": "both" }],
    "allowedTools": "restrict"
  }
}`,
  'skills/narrow/SKILL.md': skillText('narrow', 'allowed-tools: look\n'),
  ...toolTree('skills/narrow/tools/look'),
}

/** Returns the places that the reasons of an answer name, from the folder. */
async function placesOf(cwd: string, ...argv: string[]) {
  const { report } = await why(cwd, ...argv)
  return report.because.flatMap(({ file, line }) =>
    file === undefined ? [] : [`${relative(cwd, file).replaceAll('\\', '/')}:${line}`],
  )
}

test.each([
  ['query_table', ['--activate', 'alpha'], ['loadout.config.json:4']],
  ['both', ['--trust', '--activate', 'both'], ['loadout.config.json:6']],
  ['query_table', [], []],
  // With several lists, a tool is denied while no active skill names it.
  ['both', ['--trust', '--activate', 'narrow', '--activate', 'both'], ['skills/narrow/SKILL.md:4']],
  ['broken', [], ['skills/broken/SKILL.md:3']],
])('%s %s: the rule that decides has a place: %s', async (name, argv, places) => {
  const cwd = await realpath(await temporaryFolder({ ...tree, ...RULES }))
  expect(await placesOf(cwd, name, 'skills', ...argv)).toEqual(places)
})

test('a rule of code has its line, and so does a tool without a handler', async () => {
  const cwd = await realpath(
    await temporaryFolder({
      ...tree,
      ...toolTree('skills/alpha/tools/fly', null),
      'loadout.config.ts': `export default {\n  permissions: {\n    deny: ['query_*'],\n  },\n}\n`,
    }),
  )
  const given = ['skills', '--trust', '--activate', 'alpha']
  expect(await placesOf(cwd, 'query_table', ...given)).toEqual(['loadout.config.ts:3'])
  expect(await placesOf(cwd, 'fly', ...given)).toEqual(['skills/alpha/tools/fly:undefined'])
  const { stdout } = await runCommand(['why', 'query_table', ...given], { cwd })
  expect(stdout).toContain(`denies "query_*". (${join(cwd, 'loadout.config.ts')}:3)`)
})

test('a stored session has no places in its log, and those of the project when it is opened again', async () => {
  const cwd = await realpath(await temporaryFolder({ ...tree, ...RULES }))
  const log = join(cwd, 'run.sqlite')
  await runCommand(['activate', 'alpha', 'skills', '--log', log], { cwd })
  expect(readFileSync(log, 'latin1')).toContain('query_*')
  expect(readFileSync(log, 'latin1')).not.toContain('loadout.config')
  expect(await placesOf(cwd, 'query_table', 'skills', '--log', log)).toEqual([
    'loadout.config.json:4',
  ])
})
