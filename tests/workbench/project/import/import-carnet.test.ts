import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportCarnet } from '../../../../src/workbench/project/export/export-carnet.ts'
import { importCarnet } from '../../../../src/workbench/project/import/import-carnet.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import type { Catalog } from '../../../../src/catalog/create/catalog.ts'
import { skillText, temporaryFolder, toolTree } from '../temporary-folder.ts'

const EXAMPLE = join(import.meta.dirname, '../../../../examples/carnet-project')

const read = async (path: string) =>
  (await openProject([path], { home: null, trusted: true })).catalog

/** The texts of a catalog that a model may read. */
function said({ skills, agents, toolsets, skillTools }: Catalog) {
  return {
    skills: [...skills.values()].map((skill) => ({
      name: skill.name,
      displayName: skill.displayName,
      aliases: skill.aliases,
      description: skill.description,
      instructions: skill.instructions,
      files: skill.files,
      tools: skillTools.get(skill.name)?.map(({ tool }) => tool.hash),
    })),
    agents: [...agents.values()].map(({ path: _path, hash, ...agent }) => ({ hash, ...agent })),
    toolsets: [...toolsets.values()].map(({ hash }) => hash).sort(),
  }
}

const PROJECT = {
  'carnet.config.json': JSON.stringify({
    app: { globalInitialSkills: ['alpha'], globalSkills: ['Big Skill'] },
    variables: ['SHOP=a=b'],
    envPrefix: ['SHOP_'],
    exclude: ['skills/hidden/**'],
    output: './dist',
  }),
  'skills/alpha/SKILL.md':
    '---\nname: alpha\ndescription: Does alpha\nmystery: yes\ntoolsets: [web]\nfiles:\n  - path: guide.md\n    description: How to\n    content: ""\n---\n\n# alpha\n',
  'skills/alpha/guide.md': 'Guide: "all"\n',
  'skills/alpha/picture.png': Uint8Array.from([0x89, 0, 255]),
  'skills/big/SKILL.md': skillText('Big Skill'),
  'skills/hidden/SKILL.md': skillText('hidden'),
  'skills/bad/SKILL.md': '---\nname: [\n---\n',
  'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: "W: eb"\ntools: [fetch]\n---\nUse it.\n',
  'toolsets/web/fetch.md':
    '---\nname: fetch\ndescription: Fetches a page\n---\nAnswers with text.\n',
  'agents/some/AGENT.md': '---\nname: some\ndescription: D.\n---\nYou are at {{ SHOP }}.\n',
}

test('what a model reads of a Carnet project is the same in folders of ours', async () => {
  const from = await temporaryFolder(PROJECT)
  const to = join(await temporaryFolder(), 'ours')
  const { files, items } = await importCarnet(from, to)
  expect(files).toContain(join(to, 'skills/alpha/picture.png'))
  expect(said(await read(to))).toEqual(said(await read(from)))
  expect(JSON.parse(await readFile(join(to, 'loadout.config.json'), 'utf8'))).toEqual({
    variables: { SHOP: 'a=b' },
    environment: { prefix: ['SHOP_'] },
  })
  expect(items.map(({ outcome, kind, name, notes }) => [outcome, kind, name, ...notes].join(' | ')))
    .toMatchInlineSnapshot(`
    [
      "changed | skill | alpha | Its toolsets are in metadata, as loadout.toolsets. | The descriptions of its files stay in "files", which other programs do not read. | The field "mystery" is unknown and has no effect. It was left out.",
      "changed | skill | Big-Skill | "Big Skill" is called "Big-Skill" now.",
      "taken | toolset | web",
      "changed | tool | fetch | Its arguments are unknown: describe them in schema.json, or register the tool in code.",
      "changed | agent | some | It lists the skills of every agent itself: alpha, Big Skill.",
      "left | skill | bad | Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
      "left | file | carnet.config.json | "include" and "exclude" leave out 1 file: skills/hidden/SKILL.md.",
      "left | settings | output | Carnet wrote its manifest to "./dist"; use "loadout build --out" to set the path here.",
      "taken | settings | variables, environment",
    ]
  `)
})

test('the example project, its manifest, and our own export of it come over alike', async () => {
  const folder = await temporaryFolder()
  await importCarnet(EXAMPLE, join(folder, 'a'))
  await importCarnet(join(EXAMPLE, 'carnet/carnet.manifest.json'), join(folder, 'b'))
  const ours = await read(join(folder, 'a'))
  await exportCarnet(ours, join(folder, 'back'))
  await importCarnet(join(folder, 'back'), join(folder, 'c'))
  const texts = async (name: string) => {
    const { skills, agents, toolsets } = said(await read(join(folder, name)))
    return {
      skills: skills.map(({ name: skill, instructions, tools }) => [skill, instructions, tools]),
      agents,
      toolsets,
    }
  }
  expect((await texts('a')).skills).toHaveLength(2)
  expect(await texts('b')).toEqual(await texts('a'))
  expect(await texts('c')).toEqual(await texts('a'))
})

test('a skill keeps its own tools, their topic and their code', async () => {
  const from = await temporaryFolder({
    'carnet.config.json': '{}',
    'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.topic: web\n'),
    ...toolTree('skills/alpha/tools/echo'),
  })
  const to = await temporaryFolder()
  await importCarnet(from, to)
  const [echo] = (await read(to)).skillTools.get('alpha') ?? []
  expect(echo?.tool).toMatchObject({ name: 'echo', topic: 'web', execute: expect.any(Function) })
})

test('an existing configuration is kept, and what it lacks is reported', async () => {
  const from = await temporaryFolder(PROJECT)
  const to = await temporaryFolder({ 'loadout.config.ts': 'export default {}\n' })
  const { items } = await importCarnet(from, to)
  expect(items.at(-1)).toMatchObject({ outcome: 'left', kind: 'settings', to: null })
  expect(items.at(-1)?.notes[0]).toContain('"SHOP": "a=b"')
  expect(await readdir(to)).not.toContain('loadout.config.json')
})

test.each([
  [{ 'README.md': 'nothing' }, '.', 'NOTHING_TO_IMPORT'],
  [{}, 'nowhere', 'PATH_NOT_FOUND'],
])('from %j nothing comes', async (tree, path, code) => {
  const from = await temporaryFolder(tree)
  const to = join(from, 'to')
  await expect(importCarnet(join(from, path), to)).rejects.toMatchObject({ code })
})
