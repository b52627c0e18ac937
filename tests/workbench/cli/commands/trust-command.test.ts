import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTrustStore } from 'loadout/node'
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
    "./skills (4 files):
      skill alpha: 2 text, 2 code or configuration
    Files:
      alpha/SKILL.md
      alpha/tools/echo/doc_summary.md
      alpha/tools/echo/handler.js
      alpha/tools/echo/schema.json
    Trusted ./skills until one of its files changes.

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

const repository = {
  ...tree,
  'skills/beta/SKILL.md': skillText('beta'),
  'skills/beta/scripts/run.py': 'print(1)\n',
  'skills/gamma/SKILL.md': skillText('gamma'),
  'skills/delta/SKILL.md': skillText('delta'),
  'skills/delta/examples/SKILL.md': skillText('inner'),
  'skills/delta/check': '#!/bin/sh\n',
  'skills/delta/check.sh': 'true\n',
  'skills/loadout.config.json': '{}',
}

const trustedIn = async (cwd: string) => {
  const { stdout } = await runCommand(['trust', '--list', '--json'], { cwd })
  const { trusted } = JSON.parse(stdout) as { trusted: { folder: string }[] }
  return trusted.map(({ folder }) => folder.slice(cwd.length + 1))
}

test('of a repository, a person is asked about one skill after another', async () => {
  const cwd = await temporaryFolder(repository)
  const { code, stdout, stderr } = await runCommand(['trust', 'skills'], {
    cwd,
    answers: ['y', 'n', 'yes'],
  })
  expect(stdout.replaceAll(cwd, '.')).toMatchInlineSnapshot(`
    "./skills (12 files):
      skill alpha: 2 text, 2 code or configuration
      skill beta: 1 text, 1 code or configuration
      skill delta: 2 text, 1 other, 1 code or configuration
      skill gamma: 1 text
      in no skill: 1 code or configuration
    Files:
      alpha/SKILL.md
      alpha/tools/echo/doc_summary.md
      alpha/tools/echo/handler.js
      alpha/tools/echo/schema.json
      beta/SKILL.md
      beta/scripts/run.py
      delta/SKILL.md
      delta/check
      delta/check.sh
      delta/examples/SKILL.md
      gamma/SKILL.md
      loadout.config.json
    Trusted ./skills/alpha until one of its files changes.
    Trusted ./skills/delta until one of its files changes.
    "
  `)
  const questions = stderr.replaceAll(cwd, '.').match(/Trust \S+\?/g)
  expect(questions).toEqual(['alpha', 'beta', 'delta'].map((one) => `Trust ./skills/${one}?`))
  expect(code).toBe(1)
  expect(await trustedIn(cwd)).toEqual(['skills/alpha', 'skills/delta'])
  await appendFile(join(cwd, 'skills/delta/check.sh'), '# changed\n')
  const next = await runCommand(['trust', 'skills'], { cwd, answers: ['n', 'y'] })
  expect(next.stdout.replaceAll(cwd, '.').split('Trusted already')[1]).toMatchInlineSnapshot(`
    ": ./skills/alpha
    Changed since it was trusted before: check.sh
    Trusted ./skills/delta until one of its files changes.
    "
  `)
  expect(next.code).toBe(1)
})

test('a person who closes the input trusts nothing more', async () => {
  const cwd = await temporaryFolder(repository)
  expect(await runCommand(['trust', 'skills'], { cwd, answers: ['y'] })).toMatchObject({ code: 1 })
  expect(await trustedIn(cwd)).toEqual(['skills/alpha'])
  expect(await runCommand(['trust', 'skills/beta'], { cwd, answers: [] })).toMatchObject({
    code: 1,
  })
  expect(await trustedIn(cwd)).toEqual(['skills/alpha'])
})

test('without a terminal, a repository is trusted by the names of its skills, or with --all', async () => {
  const cwd = await temporaryFolder(repository)
  for (const more of [[], ['--yes'], ['--json']]) {
    expect(await runCommand(['trust', 'skills', ...more], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has 4 skills'),
    })
  }
  expect(await trustedIn(cwd)).toEqual([])
  const wrong = await runCommand(['trust', 'skills', '--skill', 'btea'], { cwd })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('"beta"') })
  await runCommand(['trust', 'skills', '--skill', 'beta', 'alpha'], { cwd })
  expect(await trustedIn(cwd)).toEqual(['skills/alpha', 'skills/beta'])
  await runCommand(['trust', 'skills', '--all'], { cwd })
  expect(await trustedIn(cwd)).toEqual(['skills', 'skills/alpha', 'skills/beta'])
})

test('a folder that changes while a person reads it is not trusted', async () => {
  const cwd = await temporaryFolder(tree)
  const store = openTrustStore({ file: join(cwd, 'trust.json') })
  const read = await store.read(join(cwd, 'skills'))
  await appendFile(join(cwd, 'skills/alpha/tools/echo/handler.js'), '// changed\n')
  await expect(store.trust(join(cwd, 'skills'), read)).rejects.toMatchObject({
    code: 'TRUST_CHANGED',
  })
  expect(await store.list()).toEqual([])
})
