import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../project/manifest/a-project.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

/** Ids and times differ in each run, and a manifest has no findings of files. */
const comparable = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]+…?|(?<=session "?)[0-9a-f]{8}\b/g, '…')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '12:00:00')
    .replace(/ \d+ findings? \|/, '')
    .replace(/^╭─[^]*/mu, (screen) => sides(screen).join('\n'))

/** The rows of a screen, first those of the lists but what waits, then those at the right: without findings, lists are longer. */
function sides(screen: string): readonly string[] {
  const lines = screen.split('\n')
  const [lists = ''] = lines
    .map((line) => line.slice(0, 40))
    .join('\n')
    .split(/[╭─]─ 3 Waiting/u)
  const rows = [...lists.split('\n'), ...lines.map((line) => line.slice(40))]
  return rows.filter((row) => !/^│?\s*│?$/u.test(row))
}

const MANIFEST = 'loadout.manifest.json'

async function builtProject(): Promise<string> {
  const cwd = await temporaryFolder(PROJECT)
  await runCommand(['build'], { cwd })
  return cwd
}

test.each([
  [['prompt']],
  [['tools']],
  [['skills']],
  [['why', 'echo']],
  [['play']],
  [['play', '--snapshot', 'text']],
  [['prompt', '--activate', 'alpha']],
  [['tools', '--agent', 'support', '--json']],
])('%j shows of a manifest what it shows of the folder it was built from', async (words) => {
  const cwd = await builtProject()
  const [folder, manifest] = [
    await runCommand([...words, '--path', '.', '--trust'], { cwd }),
    await runCommand([...words, '--path', MANIFEST, '--trust'], { cwd }),
  ]
  expect([folder.code, manifest.code]).toEqual([0, 0])
  expect(comparable(manifest.stdout)).toBe(comparable(folder.stdout))
})

test('a tool of a manifest can be called only when its folder is trusted', async () => {
  const cwd = await builtProject()
  const words = [
    'call',
    'echo',
    '--args-json',
    '{"text":"hello"}',
    '--activate',
    'alpha',
    '--path',
    MANIFEST,
  ]
  expect(await runCommand(words, { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not trusted'),
  })
  expect(await runCommand([...words, '--trust'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('hello'),
  })
})

test.each([
  ['together with another path', ['tools', MANIFEST, 'skills'], 2, 'is not a folder'],
  ['for a lock', ['lock', MANIFEST], 2, 'is not a folder'],
  ['for a build', ['build', MANIFEST], 2, 'is not a folder'],
])('%s a manifest is refused', async (_, words, code, says) => {
  const cwd = await builtProject()
  const result = await runCommand(words, { cwd })
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(says)])
})

test('an edited manifest cannot open a session', async () => {
  const cwd = await builtProject()
  await writeFile(join(cwd, MANIFEST), '{"format":1}')
  const { code, stderr } = await runCommand(['prompt', MANIFEST], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringContaining('This is not a manifest')])
})
