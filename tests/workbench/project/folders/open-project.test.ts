import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { environmentVariables } from '../../../../src/workbench/project/config/environment-variables.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'
import { defaultPaths } from '../../../../src/workbench/project/config/default-paths.ts'
import { skillText, temporaryFolder, toolTree } from '../temporary-folder.ts'

/** A trust store of this test's own, and no home. */
async function alone() {
  const file = join(await temporaryFolder(), 'trust.json')
  return { trustStore: openTrustStore({ file }), home: null }
}

test('the usual places: project before home, and .agents first', () => {
  expect(defaultPaths({ project: '/p', home: '/h' })).toEqual([
    '/p/.agents/skills',
    '/p/.claude/skills',
    '/p/.loadout/skills',
    '/p/skills',
    '/h/.agents/skills',
    '/h/.claude/skills',
    '/h/.loadout/skills',
  ])
})

test('without paths the usual places are read, and a name means the first of them', async () => {
  const project = await temporaryFolder({
    '.claude/skills/both/SKILL.md': skillText('both'),
    '.agents/skills/here/SKILL.md': skillText('here'),
    'skills/plain/SKILL.md': skillText('plain'),
    'src/not/SKILL.md': skillText('not'),
    'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: W.\ntools: fetch\n---\n',
    ...toolTree('tools/fetch'),
  })
  const home = await temporaryFolder({
    '.agents/skills/both/SKILL.md': skillText('both', 'license: MIT\n'),
    '.loadout/skills/mine/SKILL.md': skillText('mine'),
  })
  const { catalog, diagnostics } = await openProject([], { ...(await alone()), project, home })
  expect([...catalog.skills.keys()].sort()).toEqual(['both', 'here', 'mine', 'plain'])
  expect(catalog.skills.get('both')?.path).toBe(join(project, '.claude/skills/both/SKILL.md'))
  expect(catalog.shadowedSkills.map(({ path }) => path)).toEqual([
    join(home, '.agents/skills/both/SKILL.md'),
  ])
  expect([...catalog.toolsets.keys()]).toEqual(['web'])
  expect([...catalog.sharedTools.keys()]).toEqual(['fetch'])
  expect(diagnostics.map(({ code }) => code).sort()).toEqual([
    'duplicate-skill',
    'handler-untrusted',
  ])
})

test('the configuration above a given path counts, up to the project', async () => {
  const project = await temporaryFolder({
    'loadout.config.json': JSON.stringify({ agents: [{ name: 'support' }], skills: ['extra'] }),
    'skills/a/SKILL.md': skillText('a'),
    'extra/b/SKILL.md': skillText('b'),
  })
  const options = { ...(await alone()), project }
  const { catalog, config, roots } = await openProject([join(project, 'skills')], options)
  expect([...catalog.agents.keys()]).toEqual(['support'])
  expect([...catalog.skills.keys()].sort()).toEqual(['a', 'b'])
  expect(roots).toEqual([join(project, 'skills'), join(project, 'extra')])
  expect(config.file).toBe(join(project, 'loadout.config.json'))
  const elsewhere = await openProject([join(project, 'skills')], { ...options, project: '/usr' })
  expect(elsewhere.config.file).toBeNull()
})

test('handlers run once their folder is trusted, and not after they changed', async () => {
  const project = await temporaryFolder(toolTree('tools/t'))
  const options = { ...(await alone()), project }
  const bound = async () => {
    const { catalog, diagnostics } = await openProject([project], options)
    const [tool] = catalog.sharedTools.get('t') ?? []
    return { bound: tool?.execute !== undefined, codes: diagnostics.map(({ code }) => code) }
  }
  expect(await bound()).toEqual({ bound: false, codes: ['handler-untrusted'] })
  await options.trustStore.trust(project)
  expect(await bound()).toEqual({ bound: true, codes: [] })
  await appendFile(join(project, 'tools/t/handler.js'), '\n')
  expect(await bound()).toEqual({ bound: false, codes: ['trust-changed', 'handler-untrusted'] })
  expect((await openProject([project], { ...options, trusted: true })).diagnostics).toEqual([])
})

test('tools, toolsets and components of a trusted configuration are in the catalog', async () => {
  const entry = join(import.meta.dirname, '../../../../src/tools/define-tool.ts')
  const project = await temporaryFolder({
    'loadout.config.ts': `import { defineTool } from ${JSON.stringify(entry)}
      export default {
        tools: [defineTool({ name: 'clock', description: 'Tells the time.', execute: () => 'noon' })],
        services: { a: 1 },
      }`,
  })
  const { catalog, config } = await openProject([project], { ...(await alone()), trusted: true })
  expect(catalog.globalTools.map(({ name }) => name)).toEqual(['clock'])
  expect(config.services).toEqual({ a: 1 })
})

test('a given path that is not there is an error that names it', async () => {
  const project = await temporaryFolder()
  await expect(
    openProject([join(project, 'nowhere')], { ...(await alone()), project }),
  ).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
})

test('an empty project is an empty catalog', async () => {
  const project = await temporaryFolder()
  const { catalog, diagnostics, scanned } = await openProject([], { ...(await alone()), project })
  expect(catalog.skills.size).toBe(0)
  expect(diagnostics).toEqual([])
  expect(scanned).toEqual({ folders: 0, files: 0 })
})

test('of the environment only what is allowed is seen', () => {
  vi.stubEnv('LOADOUT_TEST_ONE', '1')
  vi.stubEnv('LOADOUT_TEST_TWO', '2')
  expect([...environmentVariables({ names: ['LOADOUT_TEST_ONE'] })]).toEqual([
    ['LOADOUT_TEST_ONE', '1'],
  ])
  expect(environmentVariables({ names: [], prefix: 'LOADOUT_TEST_' }).size).toBe(2)
  expect(environmentVariables({ names: [] }).size).toBe(0)
  vi.unstubAllEnvs()
})

test('a skill stays in the catalog when one of its tools cannot be read', async () => {
  const project = await temporaryFolder({
    'skills/a/SKILL.md': skillText('a'),
    'skills/a/tools/broken/schema.json': '{',
    ...toolTree('skills/a/tools/works'),
  })
  const { catalog, diagnostics } = await openProject([project], {
    ...(await alone()),
    trusted: true,
  })
  expect(catalog.skillTools.get('a')?.map(({ tool }) => tool.name)).toEqual(['works'])
  expect(diagnostics.map(({ code }) => code)).toEqual(['json-invalid'])
})

test('a folder that only the configuration names may be missing', async () => {
  const project = await temporaryFolder({
    'loadout.config.json': JSON.stringify({ skills: ['nowhere'] }),
    'skills/a/SKILL.md': skillText('a'),
  })
  const { catalog, diagnostics } = await openProject([], { ...(await alone()), project })
  expect([...catalog.skills.keys()]).toEqual(['a'])
  expect(diagnostics).toMatchObject([
    { code: 'path-missing', file: join(project, 'loadout.config.json') },
  ])
})

test('the same name in two places is one skill, whatever their order on disk', async () => {
  const one = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
  const two = await temporaryFolder({ 'a/SKILL.md': skillText('a', 'license: MIT\n') })
  const winner = async (paths: readonly string[]) =>
    (await openProject(paths, await alone())).catalog.skills.get('a')?.path
  expect(await winner([one, two])).toBe(join(one, 'a/SKILL.md'))
  expect(await winner([two, one])).toBe(join(two, 'a/SKILL.md'))
})
