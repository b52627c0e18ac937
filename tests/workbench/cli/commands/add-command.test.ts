import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, writeTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const git = (cwd: string, ...words: readonly string[]) =>
  execFileSync('git', words, {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  }).trim()

const TREE = {
  LICENSE: 'MIT License\n\nCopyright Ada\n',
  'skills/pdf/SKILL.md': skillText('pdf', 'license: Apache-2.0\n'),
  'skills/pdf/forms.md': '# Forms\n\nFill them.\n',
  'skills/pdf/scripts/fill.py': 'print("filled")\n',
  'skills/docx/SKILL.md': skillText('docx'),
  'skills/bad/SKILL.md': '---\nname: [\n---\n',
}

/** A repository with one commit, whose hooks and settings would leave a trace if they ran. */
async function repository(): Promise<{ readonly folder: string; readonly commit: string }> {
  const folder = await temporaryFolder(TREE)
  await chmod(join(folder, 'skills/pdf/scripts/fill.py'), 0o755)
  await symlink('/etc/passwd', join(folder, 'skills/pdf/passwd'))
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message=One')
  return { folder, commit: git(folder, 'rev-parse', 'HEAD') }
}

const lockOf = async (cwd: string) => JSON.parse(await readFile(join(cwd, 'loadout.lock'), 'utf8'))

test('skills of a repository are copied, with origin, commit, licence and digests', async () => {
  const { folder, commit } = await repository()
  const cwd = await temporaryFolder()
  const result = await runCommand(['add', `file://${folder}#main`], { cwd })
  expect(result.stdout.replaceAll(folder, '/there').replaceAll(commit.slice(0, 12), 'COMMIT'))
    .toMatchInlineSnapshot(`
      "+ skill docx -> .agents/skills/docx
          1 file, from file:///there at COMMIT; MIT License (LICENSE)
      + skill pdf -> .agents/skills/pdf
          3 files, from file:///there at COMMIT; Apache-2.0
      left out skills/pdf/passwd: Links and submodules are not copied.
      left out skills/bad/SKILL.md: Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].
      2 skills added, and recorded in loadout.lock.
      "
    `)
  expect(result.code).toBe(0)
  const { added } = await lockOf(cwd)
  expect(added).toMatchObject([
    { name: 'docx', license: 'MIT License (LICENSE)', commit, ref: 'main' },
    {
      name: 'pdf',
      folder: '.agents/skills/pdf',
      origin: `file://${folder}`,
      path: 'skills/pdf',
      commit,
      license: 'Apache-2.0',
      files: [
        { path: 'SKILL.md' },
        { path: 'forms.md', size: 20, digest: expect.stringMatching(/^sha256:/) },
        { path: 'scripts/fill.py' },
      ],
    },
  ])
  const script = join(cwd, '.agents/skills/pdf/scripts/fill.py')
  expect((await stat(script)).mode & 0o111).not.toBe(0)
  expect(existsSync(join(cwd, '.agents/skills/pdf/passwd'))).toBe(false)
  expect(await runCommand(['lock', '--check'], { cwd })).toMatchObject({ code: 0 })
  expect(await runCommand(['list', '--json'], { cwd })).toMatchObject({
    stdout: expect.stringContaining('"pdf"'),
  })
})

test('a skill that exists is refused before anything is written, unless forced', async () => {
  const { folder } = await repository()
  const cwd = await temporaryFolder({ '.agents/skills/pdf/SKILL.md': skillText('pdf') })
  const refused = await runCommand(['add', folder, '--skill', 'pdf', '--skill', 'docx'], { cwd })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
  expect(existsSync(join(cwd, '.agents/skills/docx'))).toBe(false)
  expect(existsSync(join(cwd, 'loadout.lock'))).toBe(false)
  const forced = await runCommand(['add', folder, '--skill', 'pdf', '--force', '--json'], { cwd })
  expect(forced.code).toBe(0)
  expect(existsSync(join(cwd, '.agents/skills/pdf/forms.md'))).toBe(true)
  const elsewhere = await temporaryFolder({ 'skills/docx/SKILL.md': skillText('docx') })
  const other = await runCommand(['add', folder, '--skill', 'docx', '--force'], { cwd: elsewhere })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('skills/docx') })
})

test('update shows the difference, takes it when told to, and keeps what was changed here', async () => {
  const { folder, commit } = await repository()
  const cwd = await temporaryFolder()
  await runCommand(['add', `file://${folder}`, '--skill', 'pdf'], { cwd })
  expect(await runCommand(['update'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'All added skills are those of their origins.\n',
  })
  await appendFile(join(folder, 'skills/pdf/forms.md'), 'Then save.\n')
  await writeTree(folder, { 'skills/pdf/new.md': 'New.\n' })
  await rm(join(folder, 'skills/pdf/scripts'), { recursive: true })
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message=Two')
  const next = git(folder, 'rev-parse', 'HEAD')
  const asked = await runCommand(['update'], { cwd })
  expect(asked.code).toBe(1)
  expect(
    asked.stdout
      .replaceAll(folder, '/there')
      .replaceAll(commit.slice(0, 12), 'ONE')
      .replaceAll(next.slice(0, 12), 'TWO'),
  ).toMatchInlineSnapshot(`
    "skill pdf in .agents/skills/pdf: file:///there ONE -> TWO
      ~ forms.md
          @@ -1,3 +1,4 @@
           # Forms

           Fill them.
          +Then save.
      + new.md
          @@ -1,0 +1,1 @@
          +New.
      - scripts/fill.py
          @@ -1,1 +1,0 @@
          -print("filled")
    0 updated. 1 not taken.
    "
  `)
  expect(asked.stderr).toContain('--yes')
  const form = join(cwd, '.agents/skills/pdf/forms.md')
  expect(await readFile(form, 'utf8')).not.toContain('Then save.')
  await appendFile(join(cwd, '.agents/skills/pdf/SKILL.md'), 'Mine.\n')
  expect(await runCommand(['update', '--yes'], { cwd })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('changed here: SKILL.md'),
  })
  expect(await runCommand(['update', 'pdf', '--yes', '--force'], { cwd })).toMatchObject({
    code: 0,
  })
  expect(await readFile(form, 'utf8')).toContain('Then save.')
  expect(existsSync(join(cwd, '.agents/skills/pdf/scripts'))).toBe(false)
  expect((await lockOf(cwd)).added).toMatchObject([{ commit: next }])
  expect(await runCommand(['lock', '--check'], { cwd })).toMatchObject({ code: 0 })
})

test('a changed file of an added skill is named by lock --check, and by lint also after a new lock', async () => {
  const { folder } = await repository()
  const cwd = await temporaryFolder()
  await runCommand(['add', folder, '--skill', 'pdf'], { cwd })
  await appendFile(join(cwd, '.agents/skills/pdf/forms.md'), 'Mine.\n')
  expect(await runCommand(['lock', '--check'], { cwd })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('pdf/forms.md'),
  })
  await runCommand(['lock'], { cwd })
  expect(await runCommand(['lock', '--check'], { cwd })).toMatchObject({ code: 0 })
  expect(await runCommand(['lint'], { cwd })).toMatchObject({
    stdout: expect.stringMatching(/added-skill-changed[^]*forms\.md/),
  })
})

test('adding a skill accepts no other change of a locked project', async () => {
  const { folder } = await repository()
  const cwd = await temporaryFolder({ 'skills/own/SKILL.md': skillText('own') })
  await runCommand(['lock'], { cwd })
  await appendFile(join(cwd, 'skills/own/SKILL.md'), 'Changed.\n')
  await runCommand(['add', folder, '--skill', 'pdf'], { cwd })
  expect(await runCommand(['lock', '--check'], { cwd })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('skill://skills/own/SKILL.md'),
  })
})

test('nothing of a repository runs, and nothing leaves its folder', async () => {
  const { folder } = await repository()
  const trace = join(folder, 'trace')
  const evil = await temporaryFolder({
    'evil/SKILL.md': skillText('evil'),
    '.gitattributes': '* filter=evil\n',
    '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = file://${folder}\n`,
  })
  git(evil, 'init', '--quiet', '--initial-branch=main')
  for (const name of ['post-checkout', 'post-merge', 'reference-transaction', 'pre-push']) {
    await writeFile(join(evil, '.git/hooks', name), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 })
  }
  git(evil, '-c', 'core.hooksPath=/dev/null', 'add', '.')
  const head = git(folder, 'rev-parse', 'HEAD')
  git(evil, 'update-index', '--add', '--cacheinfo', `160000,${head},evil/module`)
  git(evil, '-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--message=One')
  git(evil, 'config', 'filter.evil.smudge', `touch ${trace}`)
  git(evil, 'config', 'uploadpack.packObjectsHook', `touch ${trace}`)
  const cwd = await temporaryFolder()
  const { code, stdout } = await runCommand(['add', `file://${evil}`], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('left out evil/module')
  expect(existsSync(trace)).toBe(false)
  await mkdir(join(cwd, 'linked'))
  await symlink(folder, join(cwd, 'linked/out'))
  expect(await runCommand(['add', folder, '--to', 'linked/out'], { cwd })).toMatchObject({
    code: 1,
  })
  expect(existsSync(join(folder, 'pdf'))).toBe(false)
})

test.each([
  ['ext::sh -c touch% /tmp/trace'],
  ['--upload-pack=touch /tmp/trace'],
  ['ssh://-oProxyCommand=touch/x'],
  ['fd::3'],
  ['https://example.com/a.git#--output=x'],
  ['https://example.com/a.git#main..other'],
  ['npm:../x'],
  ['npm:name@file:..'],
  ['npm:name@git+ssh://host/x'],
  ['nowhere/at/all'],
])('%s is no source', async (source) => {
  const cwd = await temporaryFolder()
  expect(await runCommand(['add', '--', source], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is no place to add skills from|is no branch, tag or commit/),
  })
})

test.each([
  { to: '../outside', code: 'LOCK_INVALID' },
  { to: '/tmp/outside', code: 'LOCK_INVALID' },
  { to: 'src', code: 'FOLDER_NOT_A_SKILL' },
  { to: '.', code: 'LOCK_INVALID' },
])('a lock of somebody else that names the folder $to replaces nothing', async ({ to, code }) => {
  const { folder } = await repository()
  const cwd = await temporaryFolder({ 'src/main.ts': 'mine' })
  await runCommand(['add', `file://${folder}#main`, '--skill', 'pdf'], { cwd })
  const lock = (await lockOf(cwd)) as { added: object[] }
  const added = lock.added.map((one) => ({ ...one, folder: to }))
  await writeFile(join(cwd, 'loadout.lock'), JSON.stringify({ ...lock, added }))
  await appendFile(join(folder, 'skills/pdf/forms.md'), 'changed\n')
  git(folder, 'commit', '--quiet', '--all', '--message=Two')
  const updated = await runCommand(['update', '--yes', '--force', '--json'], { cwd })
  expect(updated).toMatchObject({ code: 1, stderr: expect.stringContaining(code) })
  expect(await readFile(join(cwd, 'src/main.ts'), 'utf8')).toBe('mine')
  expect(existsSync(join(cwd, 'src/SKILL.md'))).toBe(false)
})
