import { execFileSync } from 'node:child_process'
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalog, type ToolResponse, VirtualWorkspace } from 'loadout'
import {
  fileTools,
  openFencedSandbox,
  openFolderSandbox,
  openMemorySandbox,
  type SandboxSession,
  shellTool,
} from 'loadout/node'
import { afterAll, beforeAll, expect, test, type TestContext, vi } from 'vitest'
import { isRunning } from '../scripts/a-scripted-skill.ts'
import { writeTree } from '../temporary-folder.ts'

const SECRET = 'canary-7f3a'

const roots: string[] = []

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true, force: true })
})

/** A folder for a sandbox, and next to it files that nothing in it may reach. */
async function staged() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'loadout-')))
  roots.push(root)
  await writeTree(root, {
    'inside/inside.txt': 'inside\n',
    'inside/sub/deep.txt': 'deep\n',
    'inside-evil/secret.txt': SECRET,
    'outside/secret.txt': SECRET,
    'outside/folder/secret.txt': SECRET,
    'outside/shared.txt': 'one file with two names',
  })
  const work = join(root, 'inside')
  await symlink('../outside/secret.txt', join(work, 'link-to-file'))
  await symlink(join(root, 'outside/secret.txt'), join(work, 'absolute-link'))
  await symlink('../outside', join(work, 'link-to-folder'))
  await symlink('sub/../../outside', join(work, 'winding-link'))
  await symlink('link-to-folder', join(work, 'link-to-link'))
  await symlink('../outside/new.txt', join(work, 'link-to-nothing'))
  await symlink('loop', join(work, 'loop'))
  await symlink('sub/deep.txt', join(work, 'good-link'))
  await link(join(root, 'outside/shared.txt'), join(work, 'hard-link'))
  execFileSync('mkfifo', [join(work, 'pipe')])
  await mkdir(join(work, 'a folder'))
  return { root, work }
}

type Kind = 'folder' | 'memory' | 'fence'

async function toolsIn(kind: Kind, work: string) {
  const sandbox: SandboxSession =
    kind === 'memory'
      ? await openMemorySandbox({ files: { 'inside.txt': 'inside\n', 'sub/deep.txt': 'deep\n' } })
      : kind === 'fence'
        ? await openFencedSandbox({ folder: work })
        : openFolderSandbox({ folder: work })
  const shell = { sandbox, timeoutMs: 5_000, floodBytes: 1_000_000 }
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [...fileTools({ sandbox }), shellTool(shell)] }),
    policy: { permissions: { allow: ['*'] } },
  })
  return (tool: string, input: unknown): Promise<ToolResponse> =>
    workspace.callTool(tool, input, { caller: 'model' })
}

/** One attempt to leave a sandbox by its file tools: `$ROOT` is the folder above that of the sandbox. */
interface PathEscape {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

const read = (file_path: string): PathEscape => ({ tool: 'Read', input: { file_path } })
const write = (file_path: string): PathEscape => ({
  tool: 'Write',
  input: { file_path, content: 'pwned' },
})
const list = (path: string): PathEscape => ({ tool: 'LS', input: { path } })

const PATHS: readonly PathEscape[] = [
  read('../outside/secret.txt'),
  read('sub/../../outside/secret.txt'),
  read('./../inside-evil/secret.txt'),
  read('$ROOT/outside/secret.txt'),
  read('$ROOT/inside/../outside/secret.txt'),
  read('$ROOT/inside-evil/secret.txt'),
  read('link-to-file'),
  read('absolute-link'),
  read('link-to-folder/secret.txt'),
  read('winding-link/secret.txt'),
  read('link-to-link/folder/secret.txt'),
  read('loop'),
  read('pipe'),
  read('/dev/zero'),
  read('/proc/self/environ'),
  read('inside.txt\0/../../outside/secret.txt'),
  read('file://$ROOT/outside/secret.txt'),
  read('~/.ssh/id_rsa'),
  read('..\\outside\\secret.txt'),
  read('%2e%2e/outside/secret.txt'),
  write('../outside/new.txt'),
  write('$ROOT/outside/secret.txt'),
  write('$ROOT/inside-evil/new.txt'),
  write('link-to-file'),
  write('absolute-link'),
  write('link-to-nothing'),
  write('link-to-folder/new.txt'),
  write('link-to-link/deep/er/new.txt'),
  write('winding-link/folder/secret.txt'),
  write('hard-link'),
  write('.'),
  write('a folder'),
  write('pipe'),
  write('/dev/full'),
  {
    tool: 'Edit',
    input: { file_path: 'link-to-file', old_string: SECRET, new_string: 'pwned' },
  },
  {
    tool: 'Edit',
    input: { file_path: '../outside/secret.txt', old_string: SECRET, new_string: 'pwned' },
  },
  list('..'),
  list('/'),
  list('$ROOT/outside'),
  list('link-to-folder'),
  { tool: 'Glob', input: { pattern: '../**' } },
  { tool: 'Glob', input: { pattern: '**/secret.txt' } },
  { tool: 'Glob', input: { pattern: '*', path: '../outside' } },
  { tool: 'Grep', input: { pattern: 'canary' } },
  { tool: 'Grep', input: { pattern: 'canary', path: 'link-to-folder' } },
  { tool: 'Grep', input: { pattern: 'canary', path: '../outside/secret.txt' } },
]

/** Commands that try to leave a sandbox, which a fence must stop. */
const COMMANDS: readonly { readonly what: string; readonly command: string }[] = [
  { what: 'reads a file outside', command: 'cat $ROOT/outside/secret.txt' },
  {
    what: 'climbs',
    command: 'cd ..; cat outside/secret.txt; cat ../../../..$ROOT/outside/secret.txt',
  },
  { what: 'writes a file outside', command: 'echo pwned > $ROOT/outside/pwned.txt' },
  { what: 'makes a link and follows it', command: 'ln -s $ROOT/outside out; cat out/secret.txt' },
  { what: 'reads the environment', command: 'env; export; cat /proc/self/environ /proc/1/environ' },
  {
    what: 'asks Python for files',
    command: `python3 -c "print(open('$ROOT/outside/secret.txt').read())"`,
  },
  {
    what: 'asks Python for variables and processes',
    command: `python3 -c "import os,subprocess; print(dict(os.environ)); print(subprocess.run(['cat','$ROOT/outside/secret.txt'],capture_output=True))"`,
  },
  {
    what: 'asks JavaScript for files',
    command: `js-exec -c "console.log(require('fs').readFileSync('$ROOT/outside/secret.txt','utf8'), JSON.stringify(process.env))"`,
  },
  {
    what: 'asks JavaScript for processes',
    command: `js-exec -c "console.log(require('child_process').execSync('cat $ROOT/outside/secret.txt').toString())"`,
  },
  {
    what: 'changes a setting of the kernel',
    // The value that it has already, so that a machine where it succeeds is as before.
    command: 'p=/proc/sys/kernel/core_pattern; v=$(cat $p) && echo "$v" > $p && echo canary-""7f3a',
  },
  {
    what: 'asks a server of the host',
    command: 'curl -s http://127.0.0.1:$PORT/; wget -qO- http://127.0.0.1:$PORT/',
  },
]

/** Commands that every sandbox must bound. */
const FLOODS: readonly { readonly what: string; readonly command: string }[] = [
  {
    what: 'writes without end',
    command: 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done',
  },
  {
    what: 'writes one endless line',
    command: 'while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done >&2',
  },
  { what: 'waits for ever', command: 'sleep 1000' },
  { what: 'leaves a process', command: 'sleep 987 & echo $!' },
  {
    what: 'leaves a process of its own session',
    command: 'setsid sleep 986 & nohup sleep 985 & echo done',
  },
]

let port = 0

beforeAll(async () => {
  const { createServer } = await import('node:http')
  const server = createServer((_, response) => response.end(SECRET))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
  vi.stubEnv('CANARY', SECRET)
  return async () => {
    vi.unstubAllEnvs()
    await new Promise((resolve) => server.close(resolve))
  }
})

const filled = (text: string, root: string) =>
  text.replaceAll('$ROOT', root).replaceAll('$PORT', String(port))

/** What is outside of the folder: nothing of it may change. */
async function outsideOf(root: string): Promise<unknown> {
  const names = (await readdir(root, { recursive: true })).filter(
    (name) => !/^inside(?:\/|$)/.test(name),
  )
  const texts = names.filter((name) => name.endsWith('.txt')).sort()
  return Promise.all(texts.map(async (name) => [name, await readFile(join(root, name), 'utf8')]))
}

/** One folder and one sandbox of each kind: no attempt may change what is outside. */
const opened = new Map<Kind, ReturnType<typeof openKind>>()

async function openKind(kind: Kind) {
  const { root, work } = await staged()
  return { root, call: await toolsIn(kind, work), before: await outsideOf(root) }
}

/** Makes the attempt, and returns what got out: a secret in the answer, or a change outside. */
async function escaped(kind: Kind, tool: string, input: unknown) {
  const opening = opened.get(kind) ?? openKind(kind)
  opened.set(kind, opening)
  const { root, call, before } = await opening
  const answer = await call(tool, JSON.parse(filled(JSON.stringify(input), root)))
  const text = JSON.stringify(answer)
  return {
    // The names of what is there are a secret, too. In memory they are of files that an attempt wrote.
    secret:
      text.includes(SECRET) || (kind !== 'memory' && /"(?:secret\.txt|outside\/?)"/.test(text)),
    changed: JSON.stringify(await outsideOf(root)) !== JSON.stringify(before),
    answer,
  }
}

const NOTHING = { secret: false, changed: false }

const hasFence = await openFencedSandbox({ folder: await realpath('/tmp') }).then(
  // Later ones start the runtime again.
  (fence) => fence.close().then(() => true),
  () => false,
)

const FENCES: readonly Kind[] = ['memory', 'fence']

/** Skips an attempt on a fence where the system has not what it needs. */
function needsFence(kind: Kind, { skip }: TestContext): void {
  skip(
    kind === 'fence' && !hasFence,
    'bubblewrap, socat or ripgrep is missing, or the user is root',
  )
}

test('there are fifty attempts and more', () => {
  expect(PATHS.length + COMMANDS.length + FLOODS.length).toBeGreaterThanOrEqual(50)
})

const attempts = (kinds: readonly Kind[]) =>
  PATHS.flatMap(({ tool, input }) => kinds.map((kind) => ({ kind, tool, input })))

test.for(attempts(['folder', ...FENCES]))(
  '$kind: $tool $input reaches nothing outside',
  async ({ kind, tool, input }, context) => {
    needsFence(kind, context)
    expect(await escaped(kind, tool, input)).toMatchObject(NOTHING)
  },
)

test.for(COMMANDS.flatMap((one) => FENCES.map((kind) => ({ kind, ...one }))))(
  '$kind: a command that $what reaches nothing outside',
  async ({ kind, command }, context) => {
    needsFence(kind, context)
    expect(await escaped(kind, 'Bash', { command })).toMatchObject(NOTHING)
  },
)

// Else an attempt that never ran would count as one that was stopped.
test.for(['folder', 'memory', 'fence'] as const)(
  '$0: a command reads and writes in its folder',
  async (kind, context) => {
    needsFence(kind, context)
    // In memory there is no program for temporary files.
    const temporary = kind === 'memory' ? 'true' : 'cat < "$(mktemp)"'
    const command = `cat inside.txt && echo made > made.txt && cat made.txt && ${temporary}`
    const { answer } = await escaped(kind, 'Bash', { command })
    expect(answer).toMatchObject({ data: { exitCode: 0, stdout: 'inside\nmade\n' } })
  },
)

test('a closed fence runs nothing, and another one can be open', async (context) => {
  needsFence('fence', context)
  const { work } = await staged()
  const [first, second] = await Promise.all([
    openFencedSandbox({ folder: work }),
    openFencedSandbox({ folder: work }),
  ])
  await first.close()
  await expect(first.run({ command: 'true' })).rejects.toThrow('The fence is closed.')
  expect(await second.run({ command: 'echo second' })).toMatchObject({ stdout: 'second\n' })
  await second.close()
})

test('programs of a fence are not named as left by a command', async (context) => {
  needsFence('fence', context)
  // They end with the command, so that not every run finds them.
  for (let run = 0; run < 10; run += 1) {
    const { answer } = await escaped('fence', 'Bash', { command: 'sleep 984 & true' })
    expect(answer).toMatchObject({ data: { exitCode: 0, stdout: '', stderr: '' } })
    expect(answer).not.toHaveProperty('data.ended')
  }
})

test('root gets no fence', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'the user is not root')
  await expect(openFencedSandbox({ folder: '/' })).rejects.toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('root'),
  })
})

test('a command in a folder of the host has the named variables alone', async () => {
  const { answer } = await escaped('folder', 'Bash', { command: 'env; cat /proc/self/environ' })
  expect(answer).toMatchObject({ ok: true, data: { exitCode: 0 } })
  expect(JSON.stringify(answer)).not.toContain(SECRET)
})

test.for(
  FLOODS.flatMap((one) => (['folder', ...FENCES] as const).map((kind) => ({ kind, ...one }))),
)('$kind: a command that $what is bounded', async ({ kind, command }, context) => {
  needsFence(kind, context)
  const { answer } = await escaped(kind, 'Bash', { command })
  expect(JSON.stringify(answer).length).toBeLessThan(100_000)
  expect(processesOf(command)).toEqual([])
})

/** The processes that sleep as long as a command says. */
function processesOf(command: string): readonly number[] {
  const times = [...command.matchAll(/sleep (\d+)/g)].map(([, time]) => time)
  return execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => times.some((time) => line.trim().endsWith(` sleep ${time}`)))
    .map((line) => Number.parseInt(line, 10))
    .filter(isRunning)
}

test('links that stay inside are followed, and a file keeps its permissions', async () => {
  const { work } = await staged()
  const call = await toolsIn('folder', work)
  expect(await call('Read', { file_path: 'good-link' })).toMatchObject({ data: { text: 'deep' } })
  await writeFile(join(work, 'run.sh'), 'true', { mode: 0o755 })
  await call('Write', { file_path: 'good-link', content: 'new' })
  await call('Write', { file_path: 'run.sh', content: 'false' })
  expect(await readFile(join(work, 'sub/deep.txt'), 'utf8')).toBe('new')
  const listed = await call('Bash', { command: 'stat -c %A run.sh good-link' })
  expect(listed).toMatchObject({ data: { stdout: '-rwxr-xr-x\nlrwxrwxrwx\n' } })
})

test('a folder that is swapped for a link while files are written in it leads nowhere', async () => {
  const { root, work } = await staged()
  const call = await toolsIn('folder', work)
  const before = await outsideOf(root)
  const swaps = execSwapping(work)
  for (let at = 0; at < 200; at += 1) {
    await call('Write', { file_path: `swapped/file-${at}.txt`, content: 'pwned' })
  }
  await swaps.end()
  expect(await outsideOf(root)).toEqual(before)
})

/** Starts a process that swaps a folder and a link to the outside, again and again. */
function execSwapping(work: string) {
  const sandbox = openFolderSandbox({ folder: work })
  const loop =
    'while :; do rm -rf swapped; ln -s ../outside swapped; rm -f swapped; mkdir -p swapped; done'
  const started = sandbox.spawn({ command: loop })
  return { end: async () => (await started).kill() }
}
