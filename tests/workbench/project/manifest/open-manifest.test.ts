import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProject } from '../../../../src/workbench/project/manifest/build-project.ts'
import { openManifest } from '../../../../src/workbench/project/manifest/open-manifest.ts'
import { manifestText } from '../../../../src/catalog/manifest/manifest-text.ts'
import {
  definitionTokens,
  skillTokens,
} from '../../../../src/render/prompt/ledger/section-tokens.ts'
import { VirtualWorkspace } from '../../../../src/workspace/virtual-workspace.ts'
import { characters } from '../../../catalog/manifest/a-manifest.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { PROJECT } from './a-project.ts'

async function builtProject() {
  const folder = await temporaryFolder(PROJECT)
  const { manifest } = await buildProject([folder], { counter: characters, trusted: false })
  const out = join(await temporaryFolder(), 'loadout.manifest.json')
  await writeFile(out, manifestText(manifest))
  return { folder, out }
}
const counter = characters

test('in a trusted folder tools run their handlers, and files are read', async () => {
  const { folder, out } = await builtProject()
  const { catalog, diagnostics } = await openManifest(out, { folder, trusted: true, counter })
  const workspace = await VirtualWorkspace.open({ catalog, tokenCounter: counter })
  await workspace.activateSkill('alpha')
  expect(await workspace.callTool('echo', { text: 'hello' })).toMatchObject({
    data: { echoed: 'hello' },
  })
  expect(await catalog.skills.get('alpha')?.readFile?.('references/guide.md')).toBe('The guide.\n')
  expect(catalog.skills.get('alpha')?.baseDirectory).toBe(join(folder, 'skills/alpha'))
  expect(diagnostics).toEqual([])
  await workspace.close()
})

test('in a folder nobody trusts nothing runs, and it says so', async () => {
  const { folder, out } = await builtProject()
  const { catalog, diagnostics } = await openManifest(out, { folder, trusted: false, counter })
  expect(diagnostics.map(({ code }) => code)).toEqual(['handler-untrusted'])
  expect([...catalog.toolsByHash.values()].filter(({ execute }) => execute !== undefined)).toEqual(
    [],
  )
  expect(await catalog.skills.get('alpha')?.readFile?.('references/guide.md')).toBe('The guide.\n')
})

test('a file that is not the one that was built is refused', async () => {
  const { folder, out } = await builtProject()
  const { catalog } = await openManifest(out, { folder, trusted: false, counter })
  await writeFile(join(folder, 'skills/alpha/references/guide.md'), 'Other.')
  await expect(
    catalog.skills.get('alpha')?.readFile?.('references/guide.md'),
  ).rejects.toMatchObject({ code: 'FILE_CHANGED' })
})

test('a missing handler is reported by the call that needs it', async () => {
  const { folder, out } = await builtProject()
  const { catalog } = await openManifest(out, { folder, trusted: true, counter })
  await rm(join(folder, 'skills/alpha/tools/echo/handler.js'))
  const workspace = await VirtualWorkspace.open({ catalog, tokenCounter: counter })
  await workspace.activateSkill('alpha')
  const result = await workspace.callTool('echo', { text: 'hello' })
  expect(result).toMatchObject({ ok: false })
  await workspace.close()
})

test('nothing outside the folder is read, whatever an unverified manifest says', async () => {
  const { folder, out } = await builtProject()
  const outside = await temporaryFolder({ 'alpha/references/guide.md': 'The guide.\n' })
  await symlink(join(outside, 'alpha'), join(folder, 'skills/linked'))
  const text = await readFile(out, 'utf8')
  for (const path of ['../../../../etc/SKILL.md', 'skills/linked/SKILL.md']) {
    await writeFile(out, text.replace('"skills/alpha/SKILL.md"', JSON.stringify(path)))
    const { catalog } = await openManifest(out, { folder, trusted: false, verify: false, counter })
    const skill = catalog.skills.get('alpha')
    await expect(skill?.readFile?.('references/guide.md')).rejects.toThrow(
      /no such file|is outside/,
    )
    await expect(openManifest(out, { folder, trusted: false, counter })).rejects.toMatchObject({
      code: 'MANIFEST_CHANGED',
    })
  }
})

test('what the build has counted is not counted again', async () => {
  const { out } = await builtProject()
  let counted = 0
  const opened = await openManifest(out, {
    counter: { name: characters.name, count: (text) => ((counted += 1), text.length) },
  })
  for (const tool of opened.catalog.toolsByHash.values()) definitionTokens(tool, opened.counter)
  for (const skill of opened.catalog.skills.values())
    skillTokens(skill, opened.catalog, opened.counter)
  expect(counted).toBe(0)
})

test.each([
  ['nothing', null, 'PATH_NOT_FOUND'],
  ['no JSON', '{', 'MANIFEST_INVALID'],
  ['a list', '[]', 'MANIFEST_INVALID'],
])('%s at the path is an error with a code', async (_, text, code) => {
  const file = join(await temporaryFolder(text === null ? {} : { 'm.json': text }), 'm.json')
  await expect(openManifest(file, { counter })).rejects.toMatchObject({ code })
})
