import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import {
  carnetOutput,
  exportCarnet,
} from '../../../../src/workbench/project/export/export-carnet.ts'
import { loadCarnet } from '../../../../src/workbench/project/folders/load-carnet.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { NO_CARNET_CONFIG } from '../../../../src/connections/carnet/format/read-carnet-config.ts'
import { skillText, temporaryFolder, toolTree } from '../temporary-folder.ts'

async function project() {
  const root = await temporaryFolder({
    'skills/notes/SKILL.md': skillText('notes', 'metadata:\n  loadout.toolsets: web\n'),
    'skills/notes/references/guide.md': 'Guide: "quoted"\n',
    'skills/notes/picture.png': Uint8Array.from([0x89, 0, 1]),
    'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: "W: eb"\ntools: fetch\n---\nUse.',
    ...toolTree('tools/fetch'),
    ...toolTree('skills/notes/tools/add'),
    'agents/a/AGENT.md': '---\nname: a\ndescription: D.\ninitialSkills: notes\n---\nYou are a.',
  })
  return (await openProject([root], { home: null, trusted: false })).catalog
}

test('a catalog becomes a Carnet project, which reads back as what it was', async () => {
  const catalog = await project()
  const folder = await temporaryFolder()
  const { files, diagnostics } = await exportCarnet(catalog, join(folder, 'out'))
  expect(files.map((file) => relative(join(folder, 'out'), file))).toEqual([
    'agents/a/AGENT.md',
    'carnet.config.json',
    'skills/notes/SKILL.md',
    'skills/notes/references/guide.md',
    'toolsets/notes-own-tools/TOOLSET.md',
    'toolsets/notes-own-tools/add.md',
    'toolsets/web/TOOLSET.md',
    'toolsets/web/fetch.md',
  ])
  expect(diagnostics).toMatchObject([{ code: 'carnet-file-left-out' }])
  expect(await readFile(join(folder, 'out/skills/notes/SKILL.md'), 'utf8')).toMatchInlineSnapshot(`
    "---
    name: notes
    description: Does notes.
    toolsets:
      - web
      - notes-own-tools
    files:
      - path: references/guide.md
        description: references/guide.md
        content: ""
    ---

    # notes
    "
  `)
  const loaded = await loadCarnet(join(folder, 'out'))
  expect(loaded.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
  expect(loaded.skills).toMatchObject([
    {
      name: 'notes',
      toolsets: ['web', 'notes-own-tools'],
      instructions: catalog.skills.get('notes')?.instructions,
      files: [{ path: 'references/guide.md' }],
    },
  ])
  expect(loaded.toolsets.map(({ name, description }) => [name, description])).toEqual([
    ['notes-own-tools', 'The tools of Notes.'],
    ['web', 'W: eb'],
  ])
  expect(loaded.agents).toMatchObject([{ name: 'a', prompt: 'You are a.' }])
})

test('a folder that holds something is left alone, unless its files may be replaced', async () => {
  const catalog = await project()
  const folder = await temporaryFolder({ 'carnet.config.json': 'mine', 'notes.txt': 'mine' })
  await expect(exportCarnet(catalog, folder)).rejects.toMatchObject({ code: 'FOLDER_NOT_EMPTY' })
  expect(await readFile(join(folder, 'carnet.config.json'), 'utf8')).toBe('mine')
  await exportCarnet(catalog, folder, { replace: true })
  expect(JSON.parse(await readFile(join(folder, 'carnet.config.json'), 'utf8'))).toHaveProperty(
    'app',
  )
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
})

test('nothing is written through a link that leads out', async () => {
  const catalog = await project()
  const outside = await temporaryFolder({ 'x.json': 'theirs' })
  const folder = await temporaryFolder()
  await symlink(outside, join(folder, 'skills'))
  await expect(exportCarnet(catalog, folder, { replace: true })).rejects.toMatchObject({
    code: 'PATH_OUTSIDE',
  })
  await writeFile(join(folder, 'x'), '')
  await symlink(join(outside, 'x.json'), join(folder, 'carnet.config.json')).catch(() => {})
  expect(await readFile(join(outside, 'x.json'), 'utf8')).toBe('theirs')
})

test.each([
  { output: null, folder: '/p/carnet', codes: [] },
  { output: './dist', folder: '/p/dist', codes: [] },
  { output: '../dist', folder: '/p/carnet', codes: ['path-outside'] },
  { output: '/p-evil', folder: '/p/carnet', codes: ['path-outside'] },
])('a manifest whose output is $output is written to $folder', ({ output, folder, codes }) => {
  const config = { ...NO_CARNET_CONFIG, output }
  const found = carnetOutput({ folder: '/p/carnet', config }, '/p')
  expect([found.folder, found.diagnostics.map(({ code }) => code)]).toEqual([folder, codes])
})
