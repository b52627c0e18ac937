import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const tree = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
}

test('trust is stored, listed with its files, and removed', async () => {
  const cwd = await temporaryFolder(tree)
  const trust = async (...argv: string[]) =>
    JSON.parse((await runCommand(['trust', ...argv, '--json'], { cwd })).stdout) as unknown
  const record = {
    folder: join(cwd, 'skills'),
    digest: expect.stringMatching(/^sha256:/),
    files: [
      'alpha/SKILL.md',
      'alpha/tools/echo/doc_summary.md',
      'alpha/tools/echo/handler.js',
      'alpha/tools/echo/schema.json',
    ],
  }
  expect(await trust('skills')).toEqual({ trusted: [{ ...record, changed: [] }] })
  expect(await trust('--list')).toEqual({ trusted: [record] })
  expect(await trust('--remove', 'skills')).toEqual({ removed: [record.folder] })
  expect(await trust('--list')).toEqual({ trusted: [] })
})

test('the text lists the files that trust is bound to', async () => {
  const cwd = await temporaryFolder(tree)
  const told = []
  for (const argv of [['skills'], ['--list'], ['--remove', 'skills'], ['--list']]) {
    told.push((await runCommand(['trust', ...argv], { cwd })).stdout.replaceAll(cwd, '.'))
  }
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "Trusted ./skills until one of its files changes (4 files):
    skill alpha: 2 text, 2 code or configuration
    Files:
      alpha/SKILL.md
      alpha/tools/echo/doc_summary.md
      alpha/tools/echo/handler.js
      alpha/tools/echo/schema.json

    ./skills (4 files)

    No longer trusted: ./skills

    No folder is trusted.
    "
  `)
})

test('after a trusted file changes, no code runs until the folder is trusted again', async () => {
  const cwd = await temporaryFolder(tree)
  const call = async () =>
    (await runCommand(['call', 'echo', 'skills', '--activate', 'alpha'], { cwd })).code
  expect(await call()).toBe(1)
  await runCommand(['trust', 'skills'], { cwd })
  expect(await call()).toBe(0)
  await appendFile(join(cwd, 'skills/alpha/tools/echo/handler.js'), '// changed\n')
  expect(await call()).toBe(1)
  const { stderr } = await runCommand(['tools', 'skills'], { cwd })
  expect(stderr).toContain('1 module was not run')
  expect(stderr).toContain('trust it again: loadout trust')
  const { stdout } = await runCommand(['trust', 'skills'], { cwd })
  expect(stdout).toContain('Changed since it was trusted before: alpha/tools/echo/handler.js\n')
  expect(await call()).toBe(0)
})
