import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
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

/** Projects that people reported. */
const FIELD = join(import.meta.dirname, '../../project/fixtures/field')

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
          1 file, from file:///there at COMMIT; MIT License (LICENSE); unsigned
      + skill pdf -> .agents/skills/pdf
          3 files, from file:///there at COMMIT; Apache-2.0; unsigned
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

test('a skill that is no longer here is named by update and lint, and restored', async () => {
  const cwd = await temporaryFolder()
  const origin = await temporaryFolder()
  await cp(join(FIELD, 'update-after-delete'), origin, { recursive: true })
  expect(await runCommand(['add', origin], { cwd })).toMatchObject({ code: 0 })
  await rm(join(cwd, '.agents'), { recursive: true })

  const asked = await runCommand(['update'], { cwd })
  expect(asked.code).toBe(1)
  expect(asked.stdout).toContain('  not here: SKILL.md\n0 updated. 1 not taken.\n')
  expect((await runCommand(['lint'], { cwd })).stdout).toContain('loadout lock --install')
  const taken = await runCommand(['update', '--yes'], { cwd })
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('1 updated.\n') })
  expect(existsSync(join(cwd, '.agents/skills/grilling/SKILL.md'))).toBe(true)
  expect(await runCommand(['update'], { cwd })).toMatchObject({ code: 0 })
})

test('a file that is no longer here is restored, unless others were changed here', async () => {
  const { folder } = await repository()
  const cwd = await temporaryFolder()
  await runCommand(['add', folder, '--skill', 'pdf'], { cwd })
  const pdf = join(cwd, '.agents/skills/pdf')
  await rm(join(pdf, 'forms.md'))
  await appendFile(join(pdf, 'SKILL.md'), 'Mine.\n')
  expect(await runCommand(['update', '--yes'], { cwd })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/not here: forms\.md\n {2}changed here: SKILL\.md[^]*--force/),
  })
  expect(existsSync(join(pdf, 'forms.md'))).toBe(false)
  expect(await runCommand(['update', '--yes', '--force'], { cwd })).toMatchObject({ code: 0 })
  expect(existsSync(join(pdf, 'forms.md'))).toBe(true)
})

test('a committed lock is installed from its commit, and from nothing else', async () => {
  const { folder, commit } = await repository()
  const cwd = await temporaryFolder()
  await runCommand(['add', `file://${folder}#main`], { cwd })
  const lock = await readFile(join(cwd, 'loadout.lock'), 'utf8')
  await appendFile(join(folder, 'skills/pdf/forms.md'), 'Then save.\n')
  git(folder, 'commit', '--quiet', '--all', '--message=Two')

  const clone = await temporaryFolder({ 'loadout.lock': lock })
  const installed = await runCommand(['lock', '--install'], { cwd: clone })
  expect(installed).toEqual({
    code: 0,
    stderr: '',
    stdout:
      '+ skill docx -> .agents/skills/docx\n+ skill pdf -> .agents/skills/pdf\n' +
      '2 installed, 0 already here, 0 different from the lock.\n',
  })
  const form = join(clone, '.agents/skills/pdf/forms.md')
  expect(await readFile(form, 'utf8')).toBe('# Forms\n\nFill them.\n')
  expect((await stat(join(clone, '.agents/skills/pdf/scripts/fill.py'))).mode & 0o111).not.toBe(0)
  expect(await readFile(join(clone, 'loadout.lock'), 'utf8')).toBe(lock)
  expect(await runCommand(['lock', '--check'], { cwd: clone })).toMatchObject({ code: 0 })

  await rm(join(clone, '.agents/skills/docx'), { recursive: true })
  await writeFile(form, 'Mine.\n')
  const again = await runCommand(['lock', '--install'], { cwd: clone })
  expect(again.stdout).toContain('not installed: skill pdf: it was changed here: forms.md')
  expect(again.stdout).toContain('1 installed, 0 already here, 1 different from the lock.')
  expect([again.code, await readFile(form, 'utf8')]).toEqual([1, 'Mine.\n'])

  const other = lock.replaceAll(/"digest": "sha256:[0-9a-f]{4}/g, '"digest": "sha256:0000')
  const evil = await temporaryFolder({ 'loadout.lock': other })
  const refused = await runCommand(['lock', '--install'], { cwd: evil })
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('0 installed') })
  expect(refused.stdout).toContain('no longer has the locked files')
  expect(existsSync(join(evil, '.agents'))).toBe(false)
  expect(commit).toMatch(/^[0-9a-f]{40}$/)
})

test('all skills that are here need no origin to be installed', async () => {
  const { folder } = await repository()
  const cwd = await temporaryFolder()
  await runCommand(['add', `file://${folder}`], { cwd })
  await rm(folder, { recursive: true })
  expect(await runCommand(['lock', '--install'], { cwd })).toMatchObject({
    code: 0,
    stdout: '0 installed, 2 already here, 0 different from the lock.\n',
  })
})

/** Lets git find a repository on GitHub, and on another forge, in a folder: nothing leaves this machine. */
async function onForges(folder: string): Promise<void> {
  const at = (base: string) => `[url "file://${folder}"]\n\tinsteadOf = ${base}\n`
  const git = ['https://github.com/acme/kit.git', 'https://github.com/acme/kit'].map(at).join('')
  const home = await temporaryFolder({ '.gitconfig': git + at('https://forge.example/a/b/kit') })
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
}

test.each([
  ['acme/kit', ['docx', 'pdf']],
  ['acme/kit@pdf', ['pdf']],
  ['acme/kit#feature/forms', ['docx', 'pdf']],
  ['github.com/acme/kit', ['docx', 'pdf']],
  ['https://www.github.com/acme/kit?tab=readme-ov-file#install', ['docx', 'pdf']],
  ['https://github.com/acme/kit/tree/main', ['docx', 'pdf']],
  ['https://github.com/acme/kit/tree/main/skills/pdf', ['pdf']],
  ['https://github.com/acme/kit/tree/main/skills/pdf/scripts/', ['pdf']],
  ['https://github.com/acme/kit/tree/feature/forms/skills', ['docx', 'pdf']],
  ['https://github.com/acme/kit/blob/main/skills/pdf/SKILL.md#usage', ['pdf']],
  ['https://github.com/acme/kit/raw/refs/heads/main/skills/pdf/SKILL.md', ['pdf']],
  ['https://raw.githubusercontent.com/acme/kit/main/skills/pdf/SKILL.md', ['pdf']],
  ['https://forge.example/a/b/kit/-/tree/main/skills/pdf', ['pdf']],
  ['https://forge.example/a/b/kit/src/branch/main/skills/pdf', ['pdf']],
  ['https://forge.example/a/b/kit/src/main/skills/docx', ['docx']],
])('%s is a source', async (address, names) => {
  const { folder } = await repository()
  git(folder, 'branch', 'feature/forms')
  await onForges(folder)
  const cwd = await temporaryFolder()
  const { code, stdout, stderr } = await runCommand(['add', address, '--json'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  const { added } = JSON.parse(stdout) as { added: { name: string; path: string }[] }
  expect(added.map(({ name }) => name)).toEqual(names)
  expect(added.at(-1)?.path).toBe(`skills/${names.at(-1)}`)
  expect(await runCommand(['update'], { cwd })).toMatchObject({ code: 0 })
})

test('an address of a folder without skills names the folder', async () => {
  const { folder } = await repository()
  await onForges(folder)
  const cwd = await temporaryFolder()
  const address = 'https://github.com/acme/kit/tree/main/docs'
  expect(await runCommand(['add', address], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no skill in "https://github.com/acme/kit/docs"'),
  })
})

test('a folder of the project comes before a repository of its name', async () => {
  const cwd = await temporaryFolder({ 'acme/kit/a/SKILL.md': skillText('a') })
  expect((await runCommand(['add', 'acme/kit'], { cwd })).stdout).toContain('from ./acme/kit;')
})

test('links that break and skills that were not copied are named where a skill is added', async () => {
  const origin = await temporaryFolder({
    'skills/plan/SKILL.md': `${skillText('plan')}
See [the tools](../../tools/a.md) and [the form](forms/a.md). First run \`/grilling\`, then the \`review\` skill.
Files are in /usr/bin and https://example.com/other.
`,
    'skills/grilling/SKILL.md': skillText('grilling'),
    'skills/review/SKILL.md': skillText('review'),
    'skills/usr/SKILL.md': skillText('usr'),
    'skills/other/SKILL.md': skillText('other'),
    'tools/a.md': 'A.\n',
  })
  const cwd = await temporaryFolder()
  const { stdout } = await runCommand(['add', origin, '--skill', 'plan', '--json'], { cwd })
  expect(JSON.parse(stdout).notes).toEqual([
    {
      skill: 'plan',
      text: 'The link "../../tools/a.md" leads out of the skill\'s folder, where files cannot be read.',
    },
    { skill: 'plan', text: 'The link "forms/a.md" leads to no file of the skill.' },
    ...['grilling', 'review'].map((name) => ({
      skill: 'plan',
      text: `It names the skill "${name}", which is not in the project. Its origin has it: --skill ${name}.`,
    })),
  ])
  const next = await temporaryFolder()
  const all = await runCommand(['add', origin], { cwd: next })
  expect(all.stdout).toContain('The link "forms/a.md" leads to no file')
  expect(all.stdout).not.toContain('It names the skill')
})
