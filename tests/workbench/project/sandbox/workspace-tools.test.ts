import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createJustBashSandbox } from '@ai-sdk/sandbox-just-bash'
import {
  createCatalog,
  defineSkill,
  type ToolResponse,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import {
  fileTools,
  openFolderSandbox,
  openScriptRunner,
  type SandboxSession,
  shellTool,
} from 'loadout/node'
import { expect, test } from 'vitest'
import { temporaryFolder, type Tree } from '../temporary-folder.ts'
import { aScriptedSkill } from '../scripts/a-scripted-skill.ts'

/** A workspace with file tools and a shell in a folder of the host; nothing is asked unless a test says so. */
async function inFolder(files: Tree = {}, options: Partial<WorkspaceOptions> = {}) {
  const folder = await temporaryFolder(files)
  const sandbox = openFolderSandbox({ folder })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [...fileTools({ sandbox }), shellTool({ sandbox })] }),
    policy: { permissions: { allow: ['*'] } },
    confirmations: { keepArguments: true },
    ...options,
  })
  const call = (tool: string, input: unknown): Promise<ToolResponse> =>
    workspace.callTool(tool, input, { caller: 'model' })
  return { folder, sandbox, workspace, call }
}

test('a script of a skill reads what the model wrote, and the model reads what the script wrote', async () => {
  const { skill, trust } = await aScriptedSkill({
    'double.mjs':
      "import { readFileSync, writeFileSync } from 'node:fs'\n" +
      "const { numbers } = JSON.parse(readFileSync('input.json', 'utf8'))\n" +
      "writeFileSync('output.json', JSON.stringify(numbers.map((one) => 2 * one)))\n",
  })
  const sandbox = openFolderSandbox({ folder: await temporaryFolder() })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [skill], tools: fileTools({ sandbox }) }),
    metaTools: ['loadSkill', 'runSkillScript'],
    scripts: openScriptRunner({ trust, sandbox }),
    policy: { permissions: { allow: ['*'] } },
  })
  const call = (tool: string, input: unknown) =>
    workspace.callTool(tool, input, { caller: 'model' })
  await call('loadSkill', { skillName: 's' })
  await call('Write', { file_path: 'input.json', content: '{"numbers":[1,2,21]}' })
  const ran = await call('runSkillScript', { skillName: 's', path: 'double' })
  expect(ran).toMatchObject({ ok: true, data: { exitCode: 0 } })
  const read = await call('Read', { file_path: 'output.json' })
  expect(read).toMatchObject({ ok: true, data: { text: '[2,4,42]', lines: 1 } })
})

test('a file is read in ranges, and the answer says where to read on', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`)
  const { call } = await inFolder({ 'long.txt': `${lines.join('\n')}\n` })
  const all = await call('Read', { file_path: 'long.txt' })
  expect(all).toMatchObject({ data: { lines: 5_000, nextOffset: 2_001 } })
  const range = await call('Read', { file_path: './long.txt', offset: 4_999, limit: 10 })
  expect(range).toEqual(
    expect.objectContaining({
      data: { path: './long.txt', text: 'line 4999\nline 5000', lines: 5_000 },
    }),
  )
})

test('one long line is shown in part', async () => {
  const { call } = await inFolder({ 'long.txt': 'x'.repeat(300_000) })
  const answer = await call('Read', { file_path: 'long.txt' })
  expect(JSON.stringify(answer).length).toBeLessThan(60_000)
  expect(answer).toMatchObject({
    data: { notice: 'Line 1 has 300000 characters; this is its beginning.' },
  })
})

test('a file that is not text is refused with its size', async () => {
  const { call } = await inFolder({ 'a.bin': new Uint8Array([1, 0, 2]) })
  expect(await call('Read', { file_path: 'a.bin' })).toMatchObject({
    ok: false,
    error: { message: '"a.bin" is not text: it has 3 bytes.' },
  })
})

test.each([
  { what: 'a text that is there once', old: 'two', next: '2', text: 'one\n2\none\n' },
  { what: 'every place, if asked for', old: 'one', next: '1', all: true, text: '1\ntwo\n1\n' },
  { what: 'a text that is there twice', old: 'one', next: '1', code: 'edit-not-unique' },
  { what: 'a text that is not there', old: 'three', next: '3', code: 'edit-not-found' },
  { what: 'a text with itself', old: 'two', next: 'two', code: 'edit-without-change' },
  {
    what: 'with characters that a pattern would read',
    old: 'two',
    next: '$&',
    text: 'one\n$&\none\n',
  },
])('an edit replaces $what', async ({ old, next, all, text, code }) => {
  const { call, folder } = await inFolder({ 'a.txt': 'one\ntwo\none\n' })
  const input = { file_path: 'a.txt', old_string: old, new_string: next }
  const answer = await call('Edit', { ...input, ...(all && { replace_all: true }) })
  if (code === undefined) expect(answer).toMatchObject({ ok: true })
  else expect(answer).toMatchObject({ ok: false, error: { details: { code } } })
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe(text ?? 'one\ntwo\none\n')
})

test('an edit of a file with CRLF keeps it', async () => {
  const { call, folder } = await inFolder({ 'a.txt': 'one\r\ntwo\r\n' })
  await call('Edit', { file_path: 'a.txt', old_string: 'one\ntwo', new_string: '1\n2' })
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('1\r\n2\r\n')
})

test('files are listed, found by their path, and searched', async () => {
  const { call } = await inFolder({
    'a.md': 'alpha\nbeta 42\n',
    'src/b.ts': 'const beta = 42\n',
    'src/deep/c.tsx': 'gamma\n',
    'node_modules/d.ts': 'beta 42\n',
  })
  expect(await call('LS', {})).toMatchObject({
    data: { entries: ['a.md', 'node_modules/', 'src/'] },
  })
  expect(await call('LS', { path: 'nowhere' })).toMatchObject({ error: { type: 'NOT_FOUND' } })
  expect(await call('Glob', { pattern: '**/*.{ts,tsx}' })).toMatchObject({
    data: { entries: ['src/b.ts', 'src/deep/c.tsx'] },
  })
  expect(await call('Glob', { pattern: '*.ts', path: 'src' })).toMatchObject({
    data: { entries: ['src/b.ts'] },
  })
  expect(await call('Grep', { pattern: 'beta.*42$' })).toMatchObject({
    data: { entries: ['a.md:2: beta 42', 'src/b.ts:1: const beta = 42'] },
  })
  expect(await call('Grep', { pattern: 'beta', glob: '*.ts' })).toMatchObject({
    data: { entries: ['src/b.ts:1: const beta = 42'] },
  })
})

test('a list is read page by page', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 450 }, (_, at) => [`f${1000 + at}.txt`, '']),
  )
  const { call } = await inFolder(files)
  const seen: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const answer = await call('Glob', { pattern: '*', offset })
    const { entries, nextOffset } = (answer as { data: { entries: string[]; nextOffset?: number } })
      .data
    seen.push(...entries)
    offset = nextOffset
  }
  expect(seen).toEqual(Object.keys(files))
})

test('a pattern of a model takes linear time, and a search that takes too long is refused', async () => {
  const { call } = await inFolder({ 'a.txt': `${'a'.repeat(500_000)}\n` })
  expect(await call('Grep', { pattern: '(a+)+$' })).toMatchObject({ ok: true })
  expect(await call('Grep', { pattern: '(a)\\1' })).toMatchObject({
    error: { details: { code: 'pattern-invalid' } },
  })
})

test('a person is asked before a file is written, with the change', async () => {
  const { call, workspace, folder } = await inFolder(
    { 'a.txt': 'one\ntwo\n' },
    { policy: { permissions: {} } },
  )
  const input = { file_path: 'a.txt', old_string: 'two', new_string: 'three' }
  const asked = await call('Edit', input)
  expect(asked).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
  const [question] = workspace.state.confirmations
  expect(question?.preview).toMatchInlineSnapshot(`
    {
      "kind": "diff",
      "text": "--- a.txt
    +++ a.txt
    @@ line 1 @@
     one
    -two
    +three
     ",
    }
  `)
  await workspace.approve(question?.id ?? '')
  expect(await call('Edit', input)).toMatchObject({ ok: true })
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\nthree\n')
  expect(await call('Write', { file_path: 'b.txt', content: 'b' })).toMatchObject({
    error: {
      type: 'CONFIRMATION_REQUIRED',
      details: { preview: { kind: 'diff', text: '--- (no file)\n+++ b.txt\n@@ line 1 @@\n+b' } },
    },
  })
  expect(await call('Bash', { command: 'rm a.txt' })).toMatchObject({
    error: {
      type: 'CONFIRMATION_REQUIRED',
      details: { preview: { kind: 'text', text: 'rm a.txt' } },
    },
  })
  expect(await call('Read', { file_path: 'a.txt' })).toMatchObject({ ok: true })
})

test('an edit that cannot be made is asked about with the reason', async () => {
  const { call } = await inFolder({ 'a.txt': '' }, { policy: { permissions: {} } })
  const asked = await call('Edit', { file_path: 'a.txt', old_string: 'x', new_string: 'y' })
  expect(asked).toMatchObject({
    error: {
      details: {
        preview: { kind: 'missing', text: expect.stringContaining('does not contain') as string },
      },
    },
  })
})

test('a rule lets commands run that begin with certain words', async () => {
  const allow = [{ tool: 'Bash', where: { command: { command: 'wc' } } }]
  const { call } = await inFolder({ 'a.txt': 'x\n' }, { policy: { permissions: { allow } } })
  expect(await call('Bash', { command: 'wc -l a.txt' })).toMatchObject({
    data: { exitCode: 0, stdout: '1 a.txt\n' },
  })
  expect(await call('Bash', { command: 'wc -l a.txt; rm a.txt' })).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
})

test('a command answers with its exit code, and names what was ended with it', async () => {
  const { call } = await inFolder()
  expect(await call('Bash', { command: 'echo out; echo err >&2; exit 3' })).toMatchObject({
    data: { exitCode: 3, stdout: 'out\n', stderr: 'err\n' },
  })
  // The shell waits until the other program has taken the place of its copy.
  const isSleep = 'grep -qx sleep /proc/$!/comm'
  const answer = await call('Bash', { command: `sleep 100 & until ${isSleep}; do :; done` })
  expect(answer).toMatchObject({ data: { exitCode: 0, ended: ['sleep 100'] } })
})

test('a command that takes too long is ended, and what it wrote is shown', async () => {
  const { call } = await inFolder()
  expect(await call('Bash', { command: 'echo started; sleep 100', timeout: 3_000 })).toMatchObject({
    error: { type: 'TIMEOUT', details: { stdout: 'started\n' } },
  })
})

test('the tools have the names that the host gives', async () => {
  const sandbox = openFolderSandbox({ folder: await temporaryFolder() })
  const tools = fileTools({ sandbox, names: { read: 'read_file', search: 'search_files' } })
  expect(tools.map(({ name }) => name)).toEqual([
    'read_file',
    'Write',
    'Edit',
    'LS',
    'Glob',
    'search_files',
  ])
  expect(shellTool({ sandbox, name: 'shell' }).name).toBe('shell')
})

test('hidden characters of a file are shown', async () => {
  const { call, folder } = await inFolder()
  await writeFile(join(folder, 'a.txt'), 'a\u001b]52;c;x\u0007b\u202e')
  const answer = await call('Read', { file_path: 'a.txt' })
  expect(JSON.stringify(answer)).not.toMatch(/\\u001b|\u202e/u)
})

test('a session that another package made fits, and is asked about', async () => {
  const made = await createJustBashSandbox().createSession()
  // Its types are those of an earlier version, without folders.
  const sandbox = made.restricted() as unknown as SandboxSession
  const tools = [...fileTools({ sandbox }), shellTool({ sandbox })]
  const asks = await inFolder({}, { catalog: await createCatalog({ tools }), policy: {} })
  const input = { file_path: 'a.txt', content: 'one\n' }
  expect(await asks.call('Write', input)).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
  const { call } = await inFolder({}, { catalog: await createCatalog({ tools }) })
  await call('Write', input)
  expect(await call('Read', { file_path: 'a.txt' })).toMatchObject({ data: { text: 'one' } })
  expect(await call('Bash', { command: 'cat a.txt' })).toMatchObject({ data: { stdout: 'one\n' } })
})

test('the file tools note the files that they used, and not those that a result names', async () => {
  const sandbox = openFolderSandbox({
    folder: await temporaryFolder({ 'notes.md': 'see docs/guide.md', 'src/a.ts': '1' }),
  })
  const about = (name: string, glob: string) =>
    defineSkill({ name, description: `For ${name}.`, when: { paths: [glob] } })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({
      skills: [
        about('docs', 'docs/**'),
        about('source', 'src/**'),
        about('new', '*.txt'),
        about('missing', 'gone/**'),
      ],
      tools: fileTools({ sandbox }),
    }),
    policy: { permissions: { allow: ['*'] } },
  })
  const call = (tool: string, input: unknown) =>
    workspace.callTool(tool, input, { caller: 'model' })
  const active = async () => {
    await workspace.beginStep()
    return workspace.skillManager.getActiveSkills().map(({ name }) => name)
  }
  await call('Read', { file_path: 'notes.md' })
  await call('Grep', { pattern: 'docs' })
  await call('Read', { file_path: 'gone/x' })
  expect(await active()).toEqual([])
  await call('Edit', {
    file_path: join(sandbox.folder, 'src/a.ts'),
    old_string: '1',
    new_string: '2',
  })
  expect(await active()).toEqual(['source'])
  await call('Write', { file_path: './b.txt', content: 'b' })
  expect(await active()).toEqual(['source', 'new'])
})
