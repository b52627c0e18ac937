import { execFileSync, spawn } from 'node:child_process'
import { readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openScriptRunner, SCRIPT_INTERPRETERS } from 'loadout/node'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { aScriptedSkill, isRunning } from './a-scripted-skill.ts'

const ECHO = 'console.log(JSON.stringify(process.argv.slice(2)))\n'

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.each([
  {
    name: 'sh by its ending',
    script: 'a.sh',
    text: 'echo "$BASH_VERSION" | head -c 1 | tr 0-9 B',
    out: 'B',
  },
  { name: 'node by its ending', script: 'a.mjs', text: 'console.log(1 + 1)', out: '2\n' },
  {
    name: 'types are stripped',
    script: 'a.ts',
    text: 'const a: number = 3\nconsole.log(a)',
    out: '3\n',
  },
  { name: 'a first line', script: 'tool', text: '#!/usr/bin/env node\nconsole.log(4)', out: '4\n' },
  {
    name: 'a first line with options',
    script: 'b',
    text: '#!/bin/bash -u\necho 5; echo $no',
    out: '5\n',
  },
  {
    name: 'options next to an ending',
    script: 'c.sh',
    text: '#!/bin/bash -e\necho 6; false; echo 7',
    out: '6\n',
  },
])('an interpreter is chosen: $name', async ({ script, text, out }) => {
  const { run } = await aScriptedSkill({ [script]: text })
  expect(await run(script)).toMatchObject({ ended: 'exited', stdout: out })
})

test.runIf(hasPython)('Python runs, next to its modules, and leaves no bytecode', async () => {
  const { run, folder } = await aScriptedSkill({
    'a.py': 'import sys, helper\nprint(helper.twice(int(sys.argv[1])))\n',
    'helper.py': 'def twice(x): return 2 * x\n',
  })
  expect(await run('a.py', { given: ['21'] })).toMatchObject({ exitCode: 0, stdout: '42\n' })
  expect(await readdir(folder)).toEqual(['a.py', 'helper.py'])
  expect(await run('a.py', { given: ['4'] })).toMatchObject({ stdout: '8\n' })
})

test('a script that no interpreter is for does not run', async () => {
  const { run } = await aScriptedSkill({
    'a.rb': 'puts 1',
    b: '#!/opt/evil/thing\n',
    c: '',
    constructor: '',
  })
  for (const script of ['a.rb', 'b', 'c', 'constructor']) {
    await expect(run(script)).rejects.toMatchObject({
      code: 'SCRIPT_WITHOUT_INTERPRETER',
      hint: `This host runs scripts with these extensions or programs: ${Object.keys(SCRIPT_INTERPRETERS).join(', ')}.`,
    })
  }
})

const HOSTILE = [
  '; touch pwned',
  '$(touch pwned)',
  '`touch pwned`',
  '&& touch pwned',
  '| tee pwned',
  '> pwned',
  '-rf',
  '--inspect-brk',
  '--require=/etc/passwd',
  '-e',
  '-',
  '--',
  '',
  ' ',
  '*',
  '~',
  'two\nlines',
  '"quoted" \'twice\'',
  '\\',
  '%PATH%',
  '$HOME',
  'å 🙂',
  '\u001b[31m',
]

test('hostile arguments arrive unchanged, and nothing reads them before', async () => {
  const { run, cwd } = await aScriptedSkill({
    'a.mjs': ECHO,
    'a.sh': String.raw`printf '%s\0' "$@" | od -An -v -tx1`,
  })
  const { stdout } = await run('a.mjs', { given: HOSTILE })
  expect(JSON.parse(stdout)).toEqual(HOSTILE)
  const bytes = (await run('a.sh', { given: HOSTILE })).stdout.replace(/\s/g, '')
  expect(Buffer.from(bytes, 'hex').toString().split('\0')).toEqual([...HOSTILE, ''])
  for (const first of ['-e', '--inspect-brk', '-c', '--', '-']) {
    expect(await run('a.sh', { given: [first] })).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse((await run('a.mjs', { given: [first] })).stdout)).toEqual([first])
  }
  expect(await readdir(cwd)).toEqual([])
})

test('the environment holds what the host names, and nothing else', async () => {
  vi.stubEnv('CANARY_SECRET', 'canary-1')
  vi.stubEnv('API_KEY', 'canary-2')
  vi.stubEnv('LANG', 'C.UTF-8')
  const text = 'console.log(JSON.stringify(process.env))\n'
  const plain = await aScriptedSkill({ 'a.mjs': text })
  const { stdout } = await plain.run('a.mjs')
  expect(Object.keys(JSON.parse(stdout) as object).sort()).toEqual([
    'CLAUDE_SKILL_DIR',
    'LANG',
    'LOADOUT_SCRIPT_RUN',
    'LOADOUT_SKILL_DIR',
    'PATH',
    'PYTHONDONTWRITEBYTECODE',
    'PYTHONPATH',
  ])
  const environment = {
    pass: ['PATH', 'API_KEY', 'NOT_THERE'],
    set: { MODE: 'test', API_KEY: 'x' },
  }
  const named = await aScriptedSkill({ 'a.mjs': text }, { environment })
  const told = JSON.parse((await named.run('a.mjs')).stdout) as Record<string, string>
  expect(told).toMatchObject({ MODE: 'test', API_KEY: 'x' })
  expect(JSON.stringify([stdout, told])).not.toContain('canary')
  vi.unstubAllEnvs()
})

test('it runs in the folder the host chose, and reads what it is given', async () => {
  const { run, cwd } = await aScriptedSkill({ 'a.sh': 'pwd; cat' })
  expect(await run('a.sh', { stdin: 'lines\nof text' })).toMatchObject({
    stdout: `${cwd}\nlines\nof text`,
  })
})

test('a script may leave its input unread', async () => {
  const { run } = await aScriptedSkill({ 'a.sh': 'exec 0<&-; exit 3' })
  expect(await run('a.sh', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 3 })
})

test('exit codes, signals and both streams are reported', async () => {
  const { run } = await aScriptedSkill({
    'a.sh': 'echo out; echo err >&2; exit 7',
    'b.sh': 'kill -SEGV $$',
  })
  expect(await run('a.sh')).toEqual({
    ended: 'exited',
    exitCode: 7,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    durationMs: expect.any(Number),
  })
  expect(await run('b.sh')).toMatchObject({ ended: 'exited', exitCode: null, signal: 'SIGSEGV' })
})

test('escape sequences are shown, not passed on', async () => {
  const { run } = await aScriptedSkill({
    'a.sh': String.raw`printf '\033]52;c;aGk=\007\xe2\x80\xae\xff'`,
  })
  expect((await run('a.sh')).stdout).toBe('<U+001B>]52;c;aGk=<U+0007><U+202E>\uFFFD')
})

test('a script that heeds nothing is killed, with all it started', async () => {
  const script = `
    trap '' TERM
    for i in 1 2 3 4 5; do (trap '' TERM; echo $BASHPID >> pids; while :; do sleep 60; done) & done
    for i in 1 2 3; do setsid bash -c 'echo $$ >> pids; exec sleep 600' & done
    while [ "$(wc -l < pids)" -lt 8 ]; do :; done
    echo started
    while :; do sleep 60; done`
  const { result, cwd } = await runPastItsStart(script, 'started\n', 50)
  expect(result).toMatchObject({ ended: 'timed-out', exitCode: null, signal: 'SIGKILL' })
  const pids = (await readFile(join(cwd, 'pids'), 'utf8')).trim().split('\n').map(Number)
  expect(pids).toHaveLength(8)
  expect(pids.filter(isRunning)).toEqual([])
})

test('one that heeds the request to end may tidy up', async () => {
  const script = `trap 'exit 9' TERM; echo on; while :; do sleep 0.01; done`
  const { result } = await runPastItsStart(script, 'on\n', 60_000)
  expect(result).toMatchObject({ ended: 'timed-out', exitCode: 9 })
})

/** Runs a script with a time limit that is long enough for it to print its first line, also on a busy machine. */
async function runPastItsStart(script: string, line: string, graceMs: number) {
  for (let timeoutMs = 1_000; ; timeoutMs *= 2) {
    const { run, cwd } = await aScriptedSkill({ 'a.sh': script }, { timeoutMs, graceMs })
    const result = await run('a.sh')
    if (result.stdout === line) return { result, cwd }
  }
}

/** Ways of a process to leave its group, its parent and its environment. */
const WAYS_OUT = {
  inside: '(echo $BASHPID > inside; exec sleep 600) &',
  outside: `setsid bash -c 'echo $$ > outside; exec sleep 600' &`,
  cleared: `env -i setsid bash -c 'echo $$ > cleared; exec sleep 600' > /dev/null 2>&1 &`,
  daemon: `(env -i PATH=/usr/bin:/bin setsid bash -c 'cd / ; (echo $BASHPID > "$0/daemon"; exec env -i sleep 600) &' "$PWD" &)`,
}

test('nothing a script leaves behind goes on when it has ended by itself', async () => {
  const names = Object.keys(WAYS_OUT)
  const { run, cwd } = await aScriptedSkill({
    'a.sh': `
      ${Object.values(WAYS_OUT).join('\n')}
      while ${names.map((one) => `[ ! -s ${one} ]`).join(' || ')}; do :; done
      echo done`,
  })
  const { left, ...result } = await run('a.sh')
  expect(result).toMatchObject({ ended: 'exited', exitCode: 0, stdout: 'done\n' })
  expect(left).toHaveLength(names.length)
  const pids = await Promise.all(names.map((one) => readFile(join(cwd, one), 'utf8')))
  // The system ends them soon after they were killed.
  await expect.poll(() => pids.map(Number).filter(isRunning)).toEqual([])
})

test('100 MB of output are cut in the middle', async () => {
  const text = `
    process.stdout.write('BEGIN')
    const some = 'é'.repeat(500_000)
    for (let left = 100; left > 0; left -= 1) process.stdout.write(some)
    process.stdout.write('END')`
  const { run } = await aScriptedSkill(
    { 'a.mjs': text },
    { floodBytes: 200_000_000, maxBytes: 1_000 },
  )
  const { ended, stdout } = await run('a.mjs')
  expect(ended).toBe('exited')
  expect(stdout).toMatch(/^BEGIN(é+)\n\[… 99,999,008 bytes left out …\]\né+END$/)
  expect(stdout).not.toContain('\uFFFD')
})

test('a flood ends the script', async () => {
  const { run } = await aScriptedSkill({ 'a.sh': 'yes' }, { floodBytes: 500_000, maxBytes: 100 })
  const { ended, stdout } = await run('a.sh')
  expect(ended).toBe('too-much-output')
  expect(stdout.length).toBeLessThan(200)
})

/** The process id that a script writes into a file. */
async function writtenPid(cwd: string, name = 'pid'): Promise<number> {
  const read = () => readFile(join(cwd, name), 'utf8').catch(() => '')
  await expect.poll(read).not.toBe('')
  return Number(await read())
}

test('a call that is given up on ends the script', async () => {
  const { run, cwd } = await aScriptedSkill({ 'a.sh': 'echo $$ > pid; exec sleep 600' })
  const controller = new AbortController()
  const running = run('a.sh', { signal: controller.signal })
  const pid = await writtenPid(cwd)
  controller.abort()
  expect(await running).toMatchObject({ ended: 'aborted' })
  expect(isRunning(pid)).toBe(false)
  expect(await run('a.sh', { signal: controller.signal })).toMatchObject({ ended: 'aborted' })
})

test('a host that is killed takes its scripts along', async () => {
  const { skills, cwd, trust } = await aScriptedSkill({
    'a.sh': `
      trap "" TERM HUP
      setsid bash -c 'echo $$ > outside; while :; do sleep 0.1; done' &
      env -i setsid bash -c 'echo $$ > cleared; while :; do /bin/sleep 0.1; done' &
      echo $$ > pid
      while :; do sleep 60; done`,
  })
  const main = join(import.meta.dirname, 'host-that-is-killed.ts')
  const host = spawn(process.execPath, [main, skills, cwd, trust.file ?? ''], { stdio: 'inherit' })
  const pids = await Promise.all(['pid', 'outside', 'cleared'].map((file) => writtenPid(cwd, file)))
  expect(pids.filter(isRunning)).toEqual(pids)
  host.kill('SIGKILL')
  await expect.poll(() => pids.filter(isRunning)).toEqual([])
})

const CHANGES: Record<string, (script: string, root: string) => Promise<unknown>> = {
  'another text of the same length': (script) => writeFile(script, 'echo bad'),
  'a longer text': (script) => writeFile(script, 'echo good; echo bad'),
  'no file': (script) => rm(script),
  'a link out of the folder': async (script, root) => {
    await rename(script, join(root, 'elsewhere.sh'))
    await symlink(join(root, 'elsewhere.sh'), script)
  },
}

test.each(Object.entries(CHANGES))('a script that is now %s does not run', async (_, change) => {
  const { run, folder, root, trust, skills } = await aScriptedSkill({ 'a.sh': 'echo ok!' })
  await change(join(folder, 'a.sh'), root)
  const refusal = { code: expect.stringMatching(/^SCRIPT_(UNTRUSTED|CHANGED)$/) }
  await expect(run('a.sh')).rejects.toMatchObject(refusal)
  await trust.trust(skills)
  await expect(run('a.sh')).rejects.toMatchObject({ code: 'SCRIPT_CHANGED' })
})

test('what a script may load is trusted with it', async () => {
  const { run, folder, skills } = await aScriptedSkill({
    'a.sh': '. "$(dirname "$0")/lib/words.txt"; echo $word',
    'lib/words.txt': 'word=good',
  })
  expect(await run('a.sh')).toMatchObject({ stdout: 'good\n' })
  await writeFile(join(folder, 'lib/words.txt'), 'word=evil')
  await expect(run('a.sh')).rejects.toMatchObject({
    code: 'SCRIPT_UNTRUSTED',
    facts: { status: 'changed', files: ['s/scripts/lib/words.txt'] },
    hint: expect.stringContaining(`loadout trust "${skills}`),
  })
})

test('scripts of a folder that nobody trusts do not run', async () => {
  const { run, trust, skills } = await aScriptedSkill({ 'a.sh': 'echo ran' })
  await trust.untrust(skills)
  await expect(run('a.sh')).rejects.toMatchObject({
    code: 'SCRIPT_UNTRUSTED',
    facts: { status: 'untrusted' },
  })
})

test.each([
  {
    what: 'an interpreter that is not there',
    options: { environment: { set: { PATH: '/no/such/folder' } } },
  },
  { what: 'a working directory that is not there', options: { cwd: '/no/such/folder' } },
] as const)('$what is reported', async ({ options }) => {
  const { run } = await aScriptedSkill({ 'a.sh': 'true' }, options)
  await expect(run('a.sh')).rejects.toMatchObject({ code: 'SCRIPT_NOT_STARTED' })
})

test('a skill that was defined in code has no scripts to run', async () => {
  const { runner } = await aScriptedSkill({ 'a.sh': 'true' })
  const file = { path: 'scripts/a.sh', size: 4, hash: 'sha256:0' } as const
  const { signal } = new AbortController()
  const request = { skill: { name: 'coded' }, file, arguments: [], stdin: '', signal }
  await expect(runner.run(request)).rejects.toMatchObject({ code: 'SCRIPT_NOT_ON_DISK' })
  const gone = { ...request, skill: { name: 'gone', baseDirectory: '/no/such/folder' } }
  await expect(runner.run(gone)).rejects.toMatchObject({ code: 'SCRIPT_NOT_ON_DISK' })
})

test('on Windows the lack of process groups is reported', async () => {
  const cwd = await temporaryFolder()
  vi.stubGlobal('process', Object.create(process, { platform: { value: 'win32' } }))
  const trust = { check: () => Promise.resolve({ status: 'untrusted' } as const) }
  expect(() => openScriptRunner({ trust, cwd })).toThrow('do not run on Windows')
  vi.unstubAllGlobals()
})
