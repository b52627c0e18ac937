import { createCatalog, VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'skills/beta/SKILL.md': skillText('beta'),
}

/** A project whose home holds two sessions: `first`, and `second` that changed last. */
async function withSessions() {
  const cwd = await temporaryFolder(TREE)
  const run = (...argv: string[]) => runCommand(argv, { cwd, home: join(cwd, 'home') })
  const kept = join(cwd, 'home/.local/state/loadout/sessions.sqlite')
  await run('activate', 'alpha', 'skills', '--trust', '--session', 'first')
  await run('activate', 'alpha', 'beta', 'skills', '--trust', '--session', 'second')
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)
  return { cwd, kept, run, json }
}

const WHEN = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

test("sessions are stored in the user's home, and listed with their last entry", async () => {
  const { cwd, kept, run } = await withSessions()
  await access(kept)
  const { code, stdout, stderr } = await run('sessions')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replaceAll(WHEN, 'WHEN')).toMatchInlineSnapshot(`
    "SESSION  ENTRIES  CHANGED               AGENT  LAST
    second   4        WHEN  -      #3 by the user: skill "beta" activated, with 0 tools
    first    3        WHEN  -      #2 by the user: skill "alpha" activated, with 1 tool
    "
  `)
  expect((await run('sessions', 'list', kept)).stdout).toBe(stdout)
  const env = { XDG_STATE_HOME: join(cwd, 'home/.local/state') }
  expect((await runCommand(['sessions'], { cwd, env })).stdout).toBe(stdout)
})

test('the JSON list has times, agents and last entries', async () => {
  const { json, kept } = await withSessions()
  const list = await json('sessions', 'list')
  expect(list).toMatchObject({
    log: kept,
    sessions: [
      { session: 'second', entries: 4, agent: null, damage: null, last: { seq: 3 } },
      { session: 'first', entries: 3 },
    ],
  })
  expect(list.sessions[0].changedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('without sessions the list is empty, and no file is created', async () => {
  const cwd = await temporaryFolder(TREE)
  const home = join(cwd, 'home')
  const { code, stdout } = await runCommand(['sessions'], { cwd, home })
  expect([code, stdout]).toEqual([
    0,
    `No sessions in ${join(home, '.local/state/loadout/sessions.sqlite')}.\n`,
  ])
  for (const argv of [
    ['sessions', 'show', 'latest'],
    ['sessions', 'delete', 'latest'],
    ['sessions', 'repair'],
    ['replay', 'latest'],
    ['prompt', '--session', 'latest'],
  ]) {
    const { code, stderr } = await runCommand(argv, { cwd, home })
    expect([code, stderr]).toEqual([2, expect.stringContaining('No log exists at')])
  }
  expect(await readdir(cwd)).toEqual(['skills'])
})

test('"latest" is the latest session of the folder that the command runs in', async () => {
  const home = await temporaryFolder({})
  const [here, there, third] = [
    await temporaryFolder(TREE),
    await temporaryFolder(TREE),
    await temporaryFolder(TREE),
  ]
  const run = (cwd: string, ...argv: string[]) => runCommand(argv, { cwd, home })
  const shown = async (cwd: string, ...more: string[]) => {
    const { stdout } = await run(cwd, 'sessions', 'show', 'latest', '--json', ...more)
    return stdout === '' ? null : JSON.parse(stdout).session
  }
  for (const [cwd, session] of [
    [here, 'mine'],
    [there, 'theirs'],
  ] as const) {
    await run(cwd, 'activate', 'alpha', 'skills', '--trust', '--session', session)
    await run(cwd, 'activate', 'alpha', 'skills', '--trust', '--session', session, '--log', 'a.db')
  }
  expect([await shown(here), await shown(there), await shown(third)]).toEqual([
    'mine',
    'theirs',
    null,
  ])
  await run(here, 'activate', 'beta', 'skills', '--trust', '--session', 'latest')
  expect((await run(here, 'sessions', 'show', 'mine')).stdout).toContain('beta')
  const { stderr } = await run(third, 'prompt', 'skills', '--session', 'latest')
  expect(stderr).toContain('has no session of this folder.')
  // A log that is given may be from another machine.
  expect(await shown(third, '--log', join(there, 'a.db'))).toBe('theirs')
  const kept = join(home, '.local/state/loadout/sessions.sqlite')
  const log = await openSqliteLog(kept)
  const first = await log.read('theirs', 0, 0)
  expect(JSON.stringify(first)).not.toContain(there)
  const catalog = await createCatalog({})
  await (await VirtualWorkspace.open({ catalog, log, session: 'of a host' })).close()
  await log.close()
  expect([await shown(here), await shown(third)]).toEqual(['of a host', 'of a host'])
})

test('show prints the agent of a session and its entries, up to a given one', async () => {
  const { kept, run, json } = await withSessions()
  const { code, stdout } = await run('sessions', 'show', 'second@2')
  expect(code).toBe(0)
  expect(stdout.replaceAll(WHEN, 'WHEN').replaceAll(kept, 'KEPT')).toMatchInlineSnapshot(`
    "second in KEPT: 4 entries
    opened WHEN, changed WHEN, no agent, text mode
    #0 when the session opened: session "second" opened without an agent, in text mode
    #1 when the session opened: global tools of "loadout" registered, with 3 tools
    #2 by the user: skill "alpha" activated, with 1 tool
    "
  `)
  const shown = await json('sessions', 'show', 'second', '--at', '1')
  expect(shown).toMatchObject({ session: 'second', mode: 'text', agent: null, damage: null })
  expect(shown.entries).toHaveLength(2)
  for (const argv of [
    ['sessions', 'show', 'second@9'],
    ['tools', '--session', 'second', '--at', '9'],
  ]) {
    expect(await run(...argv)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"second" has no entry 9'),
    })
  }
})

test('--session continues a session, and reading commands write nothing', async () => {
  const { kept, run, json } = await withSessions()
  const before = await readFile(kept)
  for (const argv of [
    ['tools', 'skills', '--session', 'first'],
    ['prompt', 'skills', '--session', 'first', '--at', '1'],
    ['why', 'echo', 'skills', '--session', 'first'],
    ['replay', 'first', 'skills'],
    ['play', 'skills', '--session', 'first', '--activate', 'beta'],
    ['play', 'skills', '--session', 'first', '--snapshot', 'text'],
    ['activate', 'beta', 'skills', '--session', 'first', '--at', '1'],
  ]) {
    expect(await run(...argv, '--trust')).toMatchObject({ code: 0, stderr: '' })
  }
  expect(await readFile(kept)).toEqual(before)
  expect(await readdir(join(kept, '..'))).toEqual(['sessions.sqlite'])
  await run('activate', 'beta', 'skills', '--session', 'first')
  expect(await json('replay', 'first', 'skills')).toMatchObject({ skills: ['alpha', 'beta'] })
})

test('a frame at an earlier entry shows the complete state of that entry', async () => {
  const { run } = await withSessions()
  const frame = ['--session', 'first', '--snapshot', 'text', '--columns', '80', '--rows', '12']
  const { stdout: now } = await run('play', 'skills', ...frame)
  expect(now).toMatch(/^now #2 .*\n.*1 of 2 active/u)
  const { stdout: then } = await run('play', 'skills', ...frame, '--at', '1')
  expect(then).toMatch(/^MOMENT #1 of #2 .*\n.*0 of 2 active/u)
})

test('a session that does not exist is created, with a warning', async () => {
  const { run } = await withSessions()
  const { code, stderr } = await run('activate', 'alpha', 'skills', '--session', 'frist')
  expect(code).toBe(0)
  expect(stderr).toContain('Created the session "frist" in')
  const looked = await run('replay', 'firts', 'skills')
  expect(looked).toMatchObject({ code: 1, stdout: '' })
  expect(looked.stderr).toContain('Did you mean')
})

test('replay and diff take ids with an entry', async () => {
  const { run, json } = await withSessions()
  expect(await json('replay', 'second@2', 'skills')).toMatchObject({ seq: 2, skills: ['alpha'] })
  expect(await run('diff', 'first', 'first@2')).toMatchObject({ code: 0 })
  const { code, stdout } = await run('diff', 'second@1', 'second', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    a: { kind: 'log', label: 'second@1' },
    tools: [{ name: 'echo', what: 'added' }],
  })
  expect(await run('diff', 'second', 'nobody')).toMatchObject({ code: 2 })
})

test('a random id can be shortened to its first characters, a chosen one cannot', async () => {
  const { cwd, run, json } = await withSessions()
  await run('activate', 'alpha', 'skills', '--log', 'run.sqlite')
  const [{ session }] = (await json('sessions', 'list', 'run.sqlite')).sessions
  await run('sessions', 'export', session, '--log', 'run.sqlite', '--out', 'run.jsonl')
  await run('sessions', 'import', 'run.jsonl')
  expect(await json('sessions', 'show', session.slice(0, 6))).toMatchObject({ session })
  expect(await run('sessions', 'show', 'seco')).toMatchObject({ code: 1 })
  expect(await readdir(cwd)).toContain('run.jsonl')
})

test('a session is the same after export and import', async () => {
  const { cwd, run, json } = await withSessions()
  expect(await run('sessions', 'export', 'second', '--out', 'second.jsonl')).toMatchObject({
    code: 0,
    stdout: 'Exported session "second" to second.jsonl.\n',
  })
  const written = await readFile(join(cwd, 'second.jsonl'), 'utf8')
  expect((await run('sessions', 'export', 'second')).stdout).toBe(written)
  expect(await json('sessions', 'export', 'second')).toMatchObject({ text: written, out: null })
  expect(await run('sessions', 'export', 'second', '--out', 'second.jsonl')).toMatchObject({
    code: 2,
  })
  const other = ['--log', 'other.sqlite']
  expect(await run('sessions', 'import', 'second.jsonl', ...other)).toMatchObject({ code: 0 })
  expect((await run('sessions', 'export', 'second', ...other)).stdout).toBe(written)
  expect(await run('sessions', 'import', 'second.jsonl', ...other)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already has a session "second"'),
  })
  const again = ['sessions', 'import', 'second.jsonl', '--as', 'third', ...other]
  expect(await run(...again)).toMatchObject({ code: 0 })
  expect(await json('replay', '--session', 'third', ...other)).toMatchObject({
    skills: ['alpha', 'beta'],
  })
})

test('a session is imported from standard input, and never exported to a terminal', async () => {
  const { cwd, run } = await withSessions()
  const { stdout: input } = await run('sessions', 'export', 'first')
  const imported = await runCommand(['sessions', 'import', '-', '--log', 'a.sqlite'], {
    cwd,
    input,
  })
  expect(imported).toMatchObject({ code: 0 })
  const onTerminal = { cwd, columns: 80 }
  expect(await runCommand(['sessions', 'export', 'a.sqlite'], onTerminal)).toMatchObject({
    code: 2,
    stdout: '',
  })
})

test('a damaged session is shown up to its damage, and repaired after a copy', async () => {
  const { kept, run, json } = await withSessions()
  change(kept, `UPDATE entry SET sum = 'x' WHERE session = '"second"' AND seq = 2`)
  const replayed = await run('replay', 'second', 'skills')
  expect(replayed.code).toBe(1)
  expect(replayed.stderr).toContain('loadout sessions repair')
  const { code, stdout } = await run('sessions', 'show', 'second')
  expect(code).toBe(1)
  expect(stdout.replaceAll(WHEN, 'WHEN').replaceAll(kept, 'KEPT')).toMatchInlineSnapshot(`
    "second in KEPT: 2 entries
    opened WHEN, changed WHEN, no agent, text mode
    #0 when the session opened: session "second" opened without an agent, in text mode
    #1 when the session opened: global tools of "loadout" registered, with 3 tools
    Session "second" is damaged after entry 1: entry 2 is not what was written. 2 entries are lost.
    Repair it: loadout sessions repair --log KEPT
    "
  `)
  const planned = await run('sessions', 'repair', '--dry-run')
  expect(planned.code).toBe(0)
  expect(await readdir(join(kept, '..'))).toEqual(['sessions.sqlite'])
  const done = await run('sessions', 'repair')
  expect(done.stdout.replaceAll(kept, 'KEPT')).toMatchInlineSnapshot(`
    "Session "second" is damaged after entry 1: entry 2 is not what was written. 2 entries are lost.
    Repaired KEPT. The original is in KEPT.damaged-1.
    "
  `)
  expect(await json('sessions', 'show', 'second')).toMatchObject({ damage: null })
  const nothing = await run('sessions', 'repair')
  expect(nothing).toMatchObject({ code: 1, stdout: '' })
  expect(nothing.stderr).toContain('is damaged.\nNothing was changed.')
})

test('errors of the system have a hint', async () => {
  const { run } = await withSessions()
  const { code, stderr } = await run('sessions', 'export', 'first', '--out', 'no/such/run.jsonl')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^loadout: system error: ENOENT.*\nCheck the path: a folder in it/u)
})

test('repair accepts any reference to a session, and fails for a missing one', async () => {
  const { kept, run } = await withSessions()
  change(kept, `UPDATE entry SET sum = 'x' WHERE session = '"second"' AND seq = 2`)
  expect((await run('sessions', 'repair', 'first')).stderr).toContain('is damaged.')
  for (const extra of [[], ['--dry-run']]) {
    const { code, stderr } = await run('sessions', 'repair', 'third', ...extra)
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no session "third".')])
  }
  const { code, stdout } = await run('sessions', 'repair', 'latest')
  expect([code, stdout]).toEqual([0, expect.stringContaining('"second" is damaged after entry 1')])
})

test('a damaged row is listed with the others', async () => {
  const { kept, run, json } = await withSessions()
  change(kept, `UPDATE session SET version = 2 WHERE name = '"first"'`)
  expect((await json('sessions', 'list')).sessions).toMatchObject([
    { session: 'second', damage: null },
    { session: 'first', damage: 'its row is not what was written' },
  ])
  expect((await run('sessions', 'list')).stdout).toContain('DAMAGED: its row is not')
  expect(await run('sessions', 'show', 'first')).toMatchObject({ code: 1 })
  expect(await run('sessions', 'repair', 'first')).toMatchObject({ code: 0 })
  expect((await json('sessions', 'list')).sessions[1]).toMatchObject({ entries: 3, damage: null })
})

test('a damaged JSON Lines log is repaired', async () => {
  const { cwd, run, json } = await withSessions()
  await run('sessions', 'export', 'second', '--out', 'run.jsonl')
  const text = await readFile(join(cwd, 'run.jsonl'), 'utf8')
  await writeFile(join(cwd, 'run.jsonl'), text.replace('"seq":2', '"seq":7'))
  expect(await run('sessions', 'show', 'run.jsonl')).toMatchObject({ code: 1 })
  expect(await json('sessions', 'repair', 'run.jsonl')).toMatchObject({
    damages: [{ session: 'second', lastGoodSeq: 1, lost: { unit: 'line' } }],
    copy: join(cwd, 'run.jsonl.damaged-1'),
  })
  expect(await json('replay', 'run.jsonl')).toMatchObject({ seq: 1 })
})

test('either all given sessions are deleted or none', async () => {
  const { run, json } = await withSessions()
  expect(await run('sessions', 'delete', 'first', 'nobody')).toMatchObject({ code: 1 })
  expect((await json('sessions', 'list')).sessions).toHaveLength(2)
  expect(await run('sessions', 'delete', 'first@1')).toMatchObject({ code: 2 })
  expect(await json('sessions', 'delete', 'first', 'latest')).toMatchObject({
    deleted: [{ session: 'first' }, { session: 'second' }],
  })
  expect((await json('sessions', 'list')).sessions).toEqual([])
})

test('a log of several sessions needs --session', async () => {
  const { kept, run } = await withSessions()
  const { code, stderr } = await run('replay', kept)
  expect(code).toBe(2)
  expect(stderr).toContain('contains 2 sessions.\nChoose one with --session: second, first.')
})

test.each([
  ['sessions', 'lsit'],
  ['sessions', 'show'],
  ['sessions', 'show', 'a', 'b'],
  ['sessions', 'delete'],
  ['sessions', 'list', 'gone.jsonl'],
  ['sessions', 'import', 'gone.jsonl'],
  ['sessions', 'repair', 'gone.jsonl', '--log', 'gone.sqlite'],
  ['sessions', 'show', 'first', '--log', 'gone.sqlite'],
  ['replay'],
  ['prompt', '--at', '3'],
])('loadout %s %s %s is wrong usage', async (...argv) => {
  const { run } = await withSessions()
  const { code, stdout, stderr } = await run(...argv)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^loadout: [^\n]+\n[^\n]+\n$/)
})

test('hidden characters in session ids are shown', async () => {
  const { run } = await withSessions()
  const odd = 'x\u001B]52;c;AA==\u0007\u202Ey'
  await run('activate', 'alpha', 'skills', '--session', odd)
  for (const argv of [['sessions'], ['sessions', '--json'], ['sessions', 'show', odd]]) {
    const { code, stdout, stderr } = await run(...argv)
    expect(code).toBe(0)
    expect(stdout + stderr).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n]]/v)
  }
  expect(await run('sessions', 'delete', odd)).toMatchObject({ code: 0 })
})

test('an id may end with @ and a number', async () => {
  const { run, json } = await withSessions()
  await run('activate', 'alpha', 'skills', '--session', 'first@1')
  expect(await json('sessions', 'show', 'first@1')).toMatchObject({ session: 'first@1' })
})

test('a fork copies entries, and the original session is unchanged', async () => {
  const { run, json } = await withSessions()
  const { code, stdout } = await run('sessions', 'fork', 'second@2', '--as', 'again')
  expect(code).toBe(0)
  expect(stdout).toContain('loadout play --session again\n')
  expect(await json('replay', 'again')).toMatchObject({ skills: ['alpha'] })
  expect(await json('replay', 'second')).toMatchObject({ skills: ['alpha', 'beta'], seq: 3 })
  const taken = await run('sessions', 'fork', 'second', '--as', 'again')
  expect(taken).toMatchObject({ code: 1, stdout: '' })
  expect(await run('sessions', 'fork', 'second', '--at', '9')).toMatchObject({ code: 2 })
})

test('the line that continues a fork can be pasted, whatever the log and the session are called', async () => {
  const { run } = await withSessions()
  await run('sessions', 'fork', 'first', '--as', 'one', '--into', 'my log.sqlite')
  const forked = await run('sessions', 'fork', 'one', '--log', 'my log.sqlite', '--as', 'two')
  const line = forked.stdout.split('\n')[1]
  expect(line).toBe("Continue it: loadout play --session two --log 'my log.sqlite'")
  const named = await run('sessions', 'fork', 'first', '--as', "it's; ls")
  expect(named.stdout.split('\n')[1]).toBe(`Continue it: loadout play --session 'it'\\''s; ls'`)
})

test('a fork of a JSON Lines log is stored in the default log, or in another one', async () => {
  const { run, json } = await withSessions()
  await run('sessions', 'export', 'second', '--out', 'run.jsonl')
  expect(await json('sessions', 'fork', 'run.jsonl@1', '--as', 'a')).toMatchObject({ session: 'a' })
  expect(await json('replay', 'a')).toMatchObject({ skills: [] })
  const into = ['--as', 'b', '--into', 'other.sqlite']
  expect(await run('sessions', 'fork', 'run.jsonl', ...into)).toMatchObject({ code: 0 })
  expect(await json('replay', 'other.sqlite')).toMatchObject({ session: 'b' })
})

test('no command writes to a JSON Lines file, and each says how its session goes on', async () => {
  const { cwd, run, json } = await withSessions()
  await run('sessions', 'export', 'second', '--out', 'my run.jsonl')
  const before = await readFile(join(cwd, 'my run.jsonl'))
  const log = ['--log', 'my run.jsonl']
  for (const argv of [
    ['activate', 'beta', 'skills', ...log],
    ['call', 'loadSkill', 'skills', ...log],
    ['run', 'skills', ...log],
    ['approve', 'first', ...log],
    ['sessions', 'import', 'my run.jsonl', ...log],
    ['sessions', 'fork', 'first', '--into', 'my run.jsonl'],
    ['sessions', 'delete', 'my run.jsonl'],
    ['sessions', 'prune', ...log],
  ]) {
    expect([argv, await run(...argv)]).toEqual([
      argv,
      {
        code: 2,
        stdout: '',
        stderr:
          'loadout: "my run.jsonl" is a JSON Lines file: commands read it, and do not write to it.\n' +
          "To continue its session, import it: loadout sessions import 'my run.jsonl' --log 'my run.sqlite'. Then use --log 'my run.sqlite'.\n",
      },
    ])
  }
  expect(await readFile(join(cwd, 'my run.jsonl'))).toEqual(before)
  const advised = ['sessions', 'import', 'my run.jsonl', '--log', 'my run.sqlite']
  expect(await run(...advised)).toMatchObject({ code: 0 })
  const other = ['--log', 'my run.sqlite']
  expect(await run('activate', 'gamma', 'skills', ...other)).toMatchObject({ code: 1 })
  expect(await json('replay', ...other)).toMatchObject({
    session: 'second',
    skills: ['alpha', 'beta'],
  })
  expect(await run('activate', 'alpha', 'skills', '--log', 'new.jsonl')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give a SQLite file: --log new.sqlite.'),
  })
  expect(await readdir(cwd)).not.toContain('new.jsonl')
})

test('reading an empty file does not turn it into a database', async () => {
  const { cwd, run } = await withSessions()
  await writeFile(join(cwd, 'empty.sqlite'), '')
  expect(await run('sessions', 'list', 'empty.sqlite')).toMatchObject({ code: 2 })
  expect(await readFile(join(cwd, 'empty.sqlite'), 'utf8')).toBe('')
  expect(await run('sessions', 'import', 'skills/alpha/SKILL.md')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"skills/alpha/SKILL.md" is not a Loadout log.'),
  })
})

test('no stored session contains secrets of the environment', async () => {
  const { cwd, kept } = await withSessions()
  const secret = 'hunter2-and-more'
  const at = { cwd, home: join(cwd, 'home'), env: { SHOP_PASSWORD: secret } }
  const args = JSON.stringify({ text: `it is ${secret}` })
  const call = ['call', 'echo', 'skills', '--trust', '--session', 'first', '--args-json', args]
  expect((await runCommand(call, at)).code).toBe(0)
  const { stdout } = await runCommand(['sessions', 'export', 'first'], at)
  expect(stdout).toContain('"call.ended"')
  expect(stdout).not.toContain(secret)
  expect((await readFile(kept)).includes(secret)).toBe(false)
})

test('it is an error when the folder of the log cannot be created', async () => {
  const { cwd } = await withSessions()
  const env = { XDG_STATE_HOME: join(cwd, 'skills/alpha/SKILL.md') }
  expect(await runCommand(['sessions'], { cwd, env })).toMatchObject({ code: 0, stderr: '' })
  const begun = ['activate', 'alpha', 'skills', '--session', 'try']
  expect(await runCommand(begun, { cwd, env })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^loadout: system error: ENOTDIR/),
  })
})

test('a session is found by its id even if a file or folder has the same name', async () => {
  const { cwd, kept, run, json } = await withSessions()
  await run('activate', 'alpha', 'skills', '--trust', '--session', 'skills')
  expect(await json('sessions', 'show', 'skills')).toMatchObject({ session: 'skills' })
  expect(await json('sessions', 'show', 'skills@1')).toMatchObject({ session: 'skills' })
  await writeFile(join(cwd, 'first'), 'something else')
  expect(await json('sessions', 'show', 'first', '--log', kept)).toMatchObject({ session: 'first' })
  expect((await run('sessions', 'show', 'first')).stderr).toContain('is not a Loadout log')
})

test('prune deletes old sessions, and then what no other session refers to', async () => {
  const { kept, run, json } = await withSessions()
  const dry = await json('sessions', 'prune', '--older-than', '0h', '--dry-run')
  expect(dry).toMatchObject({ log: kept, dryRun: true, sessions: ['first', 'second'] })
  expect(dry.definitions).toBeGreaterThan(1)
  expect((await json('sessions')).sessions).toHaveLength(2)

  await run('sessions', 'delete', 'second')
  const unused = await run('sessions', 'prune')
  expect(unused.stdout).toMatch(
    /^Deleted 0 sessions, 0 conversations and 1 definition \([\d,]+ bytes\) of /,
  )
  expect((await run('why', 'echo', '--session', 'first', 'skills')).code).toBe(0)

  expect((await run('sessions', 'prune', '--older-than', '1d')).stdout).toContain(
    'Deleted 0 sessions',
  )
  const { stdout } = await run('sessions', 'prune', '--older-than', '0h')
  expect(stdout).toContain('Deleted "first".')
  expect(stdout).toContain('Deleted 1 session, 0 conversations and ')
  expect((await json('sessions')).sessions).toEqual([])
  expect(await run('sessions', 'prune', '--older-than', 'soon')).toMatchObject({ code: 2 })
  expect((await run('sessions', 'prune', '--log', 'none.sqlite')).stdout).toContain('0 sessions')
})

test('a session is given by a word, by --session or as the only one of --log, in every command', async () => {
  const { cwd, run, kept } = await withSessions()
  const one = join(cwd, 'one.jsonl')
  await run('sessions', 'export', 'second', '--out', one)
  const ways = [['second'], ['--session', 'second'], ['--session', 'second', '--log', kept]]
  const commands = [
    ['sessions', 'show'],
    ['sessions', 'export', '--at', '2', '--json'],
    ['replay'],
    ['attach', '--json'],
    ['sessions', 'repair', '--dry-run', '--json'],
  ]
  for (const command of commands) {
    const answers = await Promise.all(ways.map((way) => run(...command, ...way)))
    expect(answers).toEqual(ways.map(() => ({ ...answers[0], code: 0 })))
    const [word, name] = [['first'], ['--session', 'second']]
    if (command[0] === 'replay') continue
    const twice = await run(...command, ...word, ...name)
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Two sessions') })
  }
  expect(await run('sessions', 'show', '--log', one)).toMatchObject({ code: 0 })
  const two = await run('sessions', 'show', '--log', kept)
  expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('--session: second') })
  for (const command of [['show'], ['export'], ['fork'], ['delete']]) {
    const none = await run('sessions', ...command)
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('No session is given') })
  }
})

test('an export ends with the entry of --at, or of @2', async () => {
  const { run } = await withSessions()
  const whole = (await run('sessions', 'export', 'second')).stdout.split('\n')
  const part = (await run('sessions', 'export', 'second@2')).stdout
  expect(part).toBe((await run('sessions', 'export', 'second', '--at', '2')).stdout)
  const entries = (text: string) =>
    text.split('\n').flatMap((line) => {
      const { entry } = line === '' ? {} : JSON.parse(line)
      return entry === undefined ? [] : [entry.seq]
    })
  expect(entries(part)).toEqual([0, 1, 2])
  expect(entries(whole.join('\n'))).toEqual([0, 1, 2, 3])
  expect((await run('sessions', 'export', 'second@9')).code).toBe(2)
})
