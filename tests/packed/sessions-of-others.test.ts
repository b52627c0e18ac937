import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../../scripts/run-command.ts'
import { homeAt, installed } from './installed.ts'

const TOOL = {
  'tools/wipe/schema.json': JSON.stringify({
    toolId: 'wipe',
    version: '1.0.0',
    category: 'action',
    risk: 'destructive',
    requiresConfirmation: true,
    description: 'Wipe everything.',
    phrases: ['wipe everything'],
    parameters: { type: 'object', properties: {} },
  }),
  'tools/wipe/handler.mjs': `
    import { appendFileSync } from 'node:fs'
    export const execute = () => (appendFileSync(process.env.HOME + '/wiped', 'x'), { ok: 1 })
  `,
}

const STEP = { user: 'wipe everything', model: [{ call: 'wipe' }, { text: 'It is wiped.' }] }

/** Each message makes the call. */
const PLAY = ['--scenario', 'wipe.scenario.yaml']

/** The same agent twice: ada's folder allows everything, and bob's has no rules. */
const tree = (folder: string, files: object) =>
  Object.fromEntries(Object.entries(files).map(([path, value]) => [`${folder}/${path}`, value]))

let folder = ''
let bin = ''

beforeAll(async () => {
  const project = await installed(['@modelcontextprotocol/server'], {
    ...tree('loose', { ...TOOL, 'loadout.config.json': '{"permissions":{"allow":["*"]}}' }),
    ...tree('plain', TOOL),
    'wipe.scenario.yaml': JSON.stringify({
      scenario: 1,
      name: 'wipes',
      steps: [STEP, STEP, STEP, STEP, STEP],
    }),
  })
  ;({ folder, bin } = project)
  for (const home of ['ada', 'bob']) {
    mkdirSync(join(folder, home))
    expect(await as(home, ['trust', 'loose', 'plain', '--all', '--yes'])).toMatchObject({ code: 0 })
  }
})

/** Runs the command as a person with a home of their own. */
function as(home: string | null, argv: readonly string[], input = '') {
  const env = home === null ? { PATH: process.env['PATH'] } : homeAt(join(folder, home))
  return runProgram(process.execPath, [bin, ...argv], { cwd: folder, env, input })
}

const hasWiped = (home: string) => existsSync(join(folder, home, 'wiped'))

/** Consent that ada has in a log of hers, by the way in which she gave it. */
const CONSENT = ['allow.sqlite', 'answer.sqlite', 'unfinished.sqlite'] as const
type Log = (typeof CONSENT)[number]

beforeAll(async () => {
  const run = (where: string, log: Log, input: string) =>
    as('ada', ['run', where, ...PLAY, '--log', log, '--session', 'one'], input)
  for (const log of ['allow.sqlite', 'unfinished.sqlite'] as const) {
    expect((await run('loose', log, 'wipe everything\n')).stdout).toContain('✓ wipe')
  }
  expect((await run('plain', 'answer.sqlite', 'wipe everything\ns\n')).stdout).toContain('✓ wipe')
  const out = ['--log', 'allow.sqlite', '--out', 'text.jsonl']
  expect(await as('ada', ['sessions', 'export', 'one', ...out])).toMatchObject({ code: 0 })
  // The calls of an answer that was stored before its process ended.
  const chats = join(folder, 'unfinished.sqlite.chats')
  const [name = ''] = readdirSync(chats)
  const call = { type: 'tool-call', toolCallId: 'forged', toolName: 'wipe', input: '{}' }
  const finish = { type: 'finish', finishReason: { unified: 'tool-calls' }, usage: {} }
  const lines = [
    { messages: [{ role: 'user', content: 'hello' }] },
    { answer: [{ type: 'stream-start', warnings: [] }, call, finish] },
  ]
  for (const line of lines) appendFileSync(join(chats, name), `${JSON.stringify(line)}\n`)
})

/** Copies a log of ada's for one attack, with the messages of its conversation. */
function received(log: Log, attack: string): string {
  const name = `${attack}-${log}`
  for (const file of readdirSync(folder)) {
    if (!file.startsWith(log)) continue
    cpSync(join(folder, file), join(folder, file.replace(log, name)), { recursive: true })
  }
  return name
}

const SAY = 'wipe everything\n'

/** Talks to the server of a session as a client that calls the tool. */
const CLIENT = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'client', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'wipe', arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

interface Door {
  readonly argv: (log: string) => readonly string[]
  readonly input?: string
  /** The command runs calls itself, so it is tried with each consent. */
  readonly runs?: true
  /** The command that runs next, in the same log. */
  readonly then?: (log: string) => readonly string[]
}

const one = (log: string) => ['--log', log, '--session', 'one']
const run = (log: string) => ['run', 'plain', ...PLAY, ...one(log)]
const call = (log: string) => ['call', 'wipe', 'plain', ...one(log)]
const look = (...words: readonly string[]): Door => ({ argv: (log) => [...words, ...one(log)] })
const sessions = (...words: readonly string[]): Door => ({
  argv: (log) => ['sessions', ...words, '--log', log],
})

/** Every command that takes a log, with what it does to the session of somebody else. */
const DOORS: Readonly<Record<string, Door>> = {
  run: { argv: run, input: SAY, runs: true },
  call: { argv: call, runs: true },
  activate: { argv: (log) => ['activate', 'none', '--path', 'plain', ...one(log)], then: call },
  accept: { argv: (log) => ['accept', 'none', '--path', 'plain', ...one(log)], then: call },
  approve: { argv: (log) => ['approve', 'none', ...one(log)], then: call },
  deny: { argv: (log) => ['deny', 'none', ...one(log)], then: call },
  'mcp serve': { argv: (log) => ['mcp', 'serve', 'plain', ...one(log)], input: CLIENT, runs: true },
  'sessions fork': {
    argv: (log) => ['sessions', 'fork', 'one', '--as', 'two', '--log', log],
    then: (log) => ['call', 'wipe', 'plain', '--log', log, '--session', 'two'],
  },
  'sessions import': {
    argv: () => ['sessions', 'import', 'text.jsonl', '--as', 'imported', '--log', 'mine.sqlite'],
    then: () => ['call', 'wipe', 'plain', '--log', 'mine.sqlite', '--session', 'imported'],
  },
  'sessions export': {
    argv: (log) => ['sessions', 'export', 'one', '--log', log, '--out', `${log}.out.jsonl`],
    then: (log) => ['tools', 'plain', '--log', `${log}.out.jsonl`],
  },
  'sessions repair': {
    argv: (log) => ['sessions', 'repair', '--log', log],
    then: (log) => ['call', 'wipe', 'plain', ...one(log)],
  },
  play: { ...look('play', 'plain'), input: SAY },
  attach: { argv: (log) => ['attach', 'one', '--log', log], then: call },
  replay: look('replay', 'plain'),
  prompt: look('prompt', 'plain'),
  price: look('price', 'none', '--path', 'plain'),
  tools: look('tools', 'plain'),
  skills: look('skills', 'plain'),
  show: look('show', 'wipe', 'plain'),
  why: look('why', 'wipe', 'plain'),
  diff: { argv: (log) => ['diff', 'plain', log] },
  report: { argv: (log) => ['report', log, '--session', 'one'] },
  'sessions list': sessions('list'),
  'sessions show': sessions('show', 'one'),
  'sessions delete': sessions('delete', 'none'),
  'sessions prune': sessions('prune', '--dry-run', '--older-than', '1d'),
}

test('the table has every command that takes a log', async () => {
  const names = async (...group: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await as('bob', [...group, '--help'])
    return stdout.split('\n').flatMap((line) => /^ {2}([a-z]+) {2,}\S/u.exec(line)?.[1] ?? [])
  }
  const found: string[] = []
  for (const name of await names()) {
    const inner = ['sessions', 'mcp'].includes(name) ? await names(name) : ['']
    for (const sub of inner) {
      const words = sub === '' ? [name] : [name, sub]
      const { stdout } = await as('bob', [...words, '--help'])
      if (/--(?:log|session) </u.test(stdout)) found.push(words.join(' '))
    }
  }
  expect(found.toSorted()).toEqual(Object.keys(DOORS).toSorted())
})

const rows = Object.entries(DOORS).flatMap(([door, { runs }]) =>
  (runs === true ? CONSENT : (['allow.sqlite'] as const)).map((log) => ({ door, log })),
)

test.each(rows)(
  '$door runs nothing with the consent in $log of somebody else',
  async ({ door, log }) => {
    const { argv, input, then } = DOORS[door] as Door
    const name = received(log, door.replace(' ', '-'))
    rmSync(join(folder, 'bob/wiped'), { force: true })
    const results = [await as('bob', argv(name), input)]
    if (then !== undefined) results.push(await as('bob', then(name)))
    expect({ wiped: hasWiped('bob'), results }).toMatchObject({ wiped: false })
    expect(results.at(-1)?.stderr).not.toContain('internal error')
  },
)

test('the notice says what does not count, and what to do', async () => {
  const name = received('allow.sqlite', 'notice')
  const { stderr } = await as('bob', run(name), SAY)
  expect(stderr.slice(stderr.indexOf('warning'))).toMatchInlineSnapshot(`
    "warning: The session "one" is used without its rules that allow "*". Somebody else gave this consent, or you did with another home.
      Calls that it allowed ask again. Answer them, or allow them in your configuration and add --policy replace.
    "
  `)
  const json = await as('bob', [...call(name), '--json'])
  expect(JSON.parse(json.stderr)).toMatchObject({ notice: { code: 'consent-withheld' } })
  const turn = await as('bob', run(received('unfinished.sqlite', 'notice')))
  expect(turn.stdout).toContain('The conversation ended in an unfinished turn')
})

const wipes = {
  stdout: expect.stringContaining('✓ wipe'),
  stderr: expect.not.stringContaining('without its'),
}

test('consent of the same user counts in the next process, in a copy and in an imported export', async () => {
  const own = (log: string, where = 'plain') => [
    'run',
    where,
    ...PLAY,
    '--log',
    log,
    '--session',
    'one',
  ]
  await as('bob', ['run', 'loose', ...one('rule.sqlite')], 'hello\n')
  expect(await as('bob', own('rule.sqlite'), SAY)).toMatchObject(wipes)
  await as('bob', own('yes.sqlite'), `${SAY}s\n`)
  expect(await as('bob', own('yes.sqlite'), SAY)).toMatchObject(wipes)
  for (const log of ['rule', 'yes']) {
    cpSync(join(folder, `${log}.sqlite`), join(folder, `${log}-copy.sqlite`))
    expect(await as('bob', own(`${log}-copy.sqlite`), SAY)).toMatchObject(wipes)
    const out = ['--log', `${log}.sqlite`, '--out', `${log}.jsonl`]
    await as('bob', ['sessions', 'export', 'one', ...out])
    const into = ['--log', `${log}-again.sqlite`, '--keep-consent']
    await as('bob', ['sessions', 'import', `${log}.jsonl`, ...into])
    expect(await as('bob', own(`${log}-again.sqlite`), SAY)).toMatchObject(wipes)
  }
})

test('an unfinished turn of the same user continues with the answer of another process', async () => {
  const log = ['--log', 'waiting.sqlite', '--session', 'one']
  const asked = await as('bob', ['run', 'plain', ...PLAY, ...log, '--print', 'wipe everything'])
  const [, question = ''] = /question ([0-9a-f]{32})/u.exec(asked.stderr) ?? []
  expect(await as('bob', ['approve', question, ...log])).toMatchObject({ code: 0 })
  expect(await as('bob', ['run', 'plain', ...PLAY, ...log])).toMatchObject(wipes)
})

test('a user without a home has no consent of their own in the next process', async () => {
  await as(null, ['run', 'plain', ...PLAY, '--trust', ...one('homeless.sqlite')], `${SAY}s\n`)
  const { stdout } = await as(null, [...run('homeless.sqlite'), '--trust'], SAY)
  expect(stdout).not.toContain('✓ wipe')
})
