import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildProject } from '../../../../src/workbench/project/manifest/build-project.ts'
import { manifestText } from '../../../../src/catalog/manifest/manifest-text.ts'
import { characters } from '../../../catalog/manifest/a-manifest.ts'
import { skillText, temporaryFolder } from '../temporary-folder.ts'
import { PROJECT } from './a-project.ts'

const build = async (folder: string, ...paths: string[]) =>
  buildProject(
    paths.map((path) => join(folder, path)),
    { counter: characters, project: folder, trusted: false },
  )

/** Build in a process of its own, by the command, from the folder it is given. */
async function buildApart(
  folder: string,
  from: string,
  env: Record<string, string>,
  ahead = false,
) {
  const out = join(folder, '..', `${folder.split('/').at(-1)}.json`)
  const bin = join(import.meta.dirname, 'run-cli.ts')
  const elsewhere = join(import.meta.dirname, 'elsewhere.ts')
  const words = [...(ahead ? ['--import', elsewhere] : []), bin, 'build', folder, '--out', out]
  await promisify(execFile)(process.execPath, words, { cwd: from, env: { ...process.env, ...env } })
  const text = await readFile(out, 'utf8')
  return { text, provenance: await readFile(join(folder, '..', 'loadout.provenance.json'), 'utf8') }
}

test('two folders, two clocks, two time zones and two locales give equal bytes', async () => {
  const [here, there] = [await temporaryFolder(PROJECT), await temporaryFolder(PROJECT)]
  const one = await buildApart(here, here, { TZ: 'UTC', LC_ALL: 'C' })
  const env = { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }
  const other = await buildApart(there, '/', env, true)
  expect(one.text).toBe(other.text)
  expect(one.text.length).toBeGreaterThan(1_000)
  for (const { text } of [one, other]) expect(text).not.toContain('loadout-')
  // The clocks differ, which only the file next to the manifest records.
  const year = ({ provenance }: typeof one) =>
    Number((JSON.parse(provenance) as { builtAt: string }).builtAt.slice(0, 4))
  expect(year(other) - year(one)).toBeGreaterThan(8)
})

test('one character of a documentation file, or of a listed file, makes another version', async () => {
  const folder = await temporaryFolder(PROJECT)
  const versions = new Set([(await build(folder)).manifest.version])
  for (const [path, text] of [
    ['skills/alpha/tools/echo/doc.md', '# echo\n\nEchoes!\n'],
    ['skills/alpha/references/guide.md', 'The guide!\n'],
    ['toolsets/pages/TOOLSET.md', `${String(PROJECT['toolsets/pages/TOOLSET.md'])}Well.\n`],
  ] as const) {
    await writeFile(join(folder, path), text)
    versions.add((await build(folder)).manifest.version)
  }
  expect(versions.size).toBe(4)
})

test('the order of keys in YAML and JSON makes no difference, to the byte', async () => {
  const schema = (keys: string[]) =>
    JSON.stringify(
      Object.fromEntries(
        keys.map((key) => [
          key,
          { toolId: 'echo', description: 'E.', parameters: { type: 'object' } }[key],
        ]),
      ),
    )
  const one = await temporaryFolder({
    ...PROJECT,
    'skills/zeta/SKILL.md': '---\nname: zeta\ndescription: Does zeta.\nlicense: MIT\n---\nText.\n',
    'skills/alpha/tools/echo/schema.json': schema(['toolId', 'description', 'parameters']),
  })
  const other = await temporaryFolder({
    ...PROJECT,
    'skills/zeta/SKILL.md': '---\nlicense: MIT\ndescription: Does zeta.\nname: zeta\n---\nText.\n',
    'skills/alpha/tools/echo/schema.json': schema(['parameters', 'description', 'toolId']),
  })
  expect(manifestText((await build(one)).manifest)).toBe(
    manifestText((await build(other)).manifest),
  )
})

test('paths are relative to the folder that was built', async () => {
  const folder = await temporaryFolder(PROJECT)
  const told = async (...paths: string[]) => {
    const { manifest } = await build(folder, ...paths)
    return manifest.skills.map(({ name, path, tools }) => [
      name,
      path,
      ...tools.map((tool) => (typeof tool === 'string' ? tool : tool.handler)),
    ])
  }
  expect(await told()).toContainEqual([
    'alpha',
    'skills/alpha/SKILL.md',
    'skills/alpha/tools/echo/handler.js',
  ])
  expect(await told('skills')).toContainEqual([
    'alpha',
    'alpha/SKILL.md',
    'alpha/tools/echo/handler.js',
  ])
  expect(await told('skills/alpha', 'skills/zeta')).toContainEqual(['zeta', 'zeta/SKILL.md'])
})

test('what could not be read is missing, and a handler that may not run is not', async () => {
  const folder = await temporaryFolder({
    ...PROJECT,
    'skills/broken/SKILL.md': '---\nname: [\n---\n',
  })
  const { missing, manifest } = await build(folder)
  expect(missing.map(({ file }) => file)).toEqual([join(folder, 'skills/broken/SKILL.md')])
  expect(manifest.skills.map(({ name }) => name)).toEqual(['alpha', 'zeta', 'ärger'])
})

test('a configuration that may not run is missing, for it may define anything', async () => {
  const folder = await temporaryFolder({ ...PROJECT, 'loadout.config.ts': 'export default {}\n' })
  const { missing } = await build(folder)
  expect(missing.map(({ code }) => code)).toEqual(['config-untrusted'])
})

test('progress is reported by stage, and counting continues to the end', async () => {
  const folder = await temporaryFolder({
    ...PROJECT,
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`skills/s${at}/SKILL.md`, skillText(`s${at}`)]),
    ),
  })
  const told: string[] = []
  await buildProject([folder], {
    counter: characters,
    trusted: false,
    onProgress: (stage, done, of) => told.push(`${stage} ${done === of ? 'all' : 'some'}`),
  })
  expect(told[0]).toBe('read all')
  expect(told.slice(-2)).toEqual(['count all', 'write all'])
})
