import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { readCodex } from '../../../../src/connections/observed/transcripts/read-codex.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { type Line, only } from './samples.ts'

const item = (payload: Line): Line => ({ type: 'response_item', payload })
const event = (type: string, more: Line = {}): Line => ({
  type: 'event_msg',
  payload: { type, ...more },
})

const meta = (more: Line = {}): Line => ({
  type: 'session_meta',
  payload: { id: 'u', cwd: '/project', cli_version: '0.169.0', ...more },
})

const shell = (call: string, cmd: string, more: Line = {}): Line =>
  item({
    type: 'function_call',
    name: 'exec_command',
    call_id: call,
    arguments: JSON.stringify({ cmd, ...more }),
  })

const output = (call: string, text: unknown): Line =>
  item({ type: 'function_call_output', call_id: call, output: text })

const said = (text: string): Line =>
  event('item_completed', { item: { type: 'UserMessage', content: [{ type: 'text', text }] } })

const usage = {
  input_tokens: 100,
  cached_input_tokens: 40,
  cache_write_input_tokens: 3,
  output_tokens: 9,
  reasoning_output_tokens: 4,
}
const record: Line = { type: 'token_usage_record', payload: { usage } }

const command = (call: string, more: Line): Line =>
  event('item_completed', {
    item: { type: 'CommandExecution', id: call, status: 'completed', exit_code: 0, ...more },
  })

const listing = (...entries: readonly string[]): Line =>
  item({
    type: 'message',
    role: 'developer',
    content: [
      {
        type: 'input_text',
        text: [
          '<skills_instructions>',
          'About skills.',
          '### Skill roots',
          '- `r0` = `/home/user/.codex/skills`',
          '- `r1` = `/project/.agents/skills`',
          '### Available skills',
          ...entries,
          '</skills_instructions>',
        ].join('\n'),
      },
    ],
  })

const seenOf = (...lines: readonly Line[]) => readCodex(lines)[0]?.seen ?? []
const skill = (name: string, body: string) => `---\nname: ${name}\ndescription: D.\n---\n${body}\n`
const printed = (text: string, code = 0) =>
  `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 4\nOutput:\n${text}`

test('a step is what belongs to one response, until its tokens', () => {
  const seen = seenOf(
    meta(),
    { type: 'turn_context', payload: { model: 'm' } },
    said('Go.'),
    item({ type: 'reasoning' }),
    shell('a', 'ls'),
    output('a', 'A'),
    shell('b', 'ls'),
    record,
    output('b', 'B'),
    item({ type: 'message', role: 'assistant', content: [] }),
    record,
    record,
  )
  expect(seen.map(({ type }) => type)).toEqual([
    'turn',
    'request',
    'call',
    'result',
    'call',
    'answer',
    'result',
    'request',
    'answer',
    'request',
    'answer',
  ])
  expect(only(seen, 'answer')[0]).toMatchObject({
    model: 'm',
    usage: { input: 100, cached: 40, written: 3, output: 9, reasoning: 4 },
  })
})

test('earlier versions count tokens after each response, and again when a limit changed', () => {
  const count = (total: number): Line =>
    event('token_count', { info: { last_token_usage: usage, total_token_usage: { total } } })
  const seen = seenOf(
    meta(),
    event('user_message', { message: 'Go.' }),
    event('token_count', { info: null }),
    shell('a', 'ls'),
    shell('b', 'ls'),
    count(1),
    output('a', 'A'),
    output('b', 'B'),
    count(1),
    item({ type: 'message', role: 'assistant', content: [] }),
    count(2),
    event('user_message', { message: 'On.' }),
  )
  expect(seen.map(({ type }) => type)).toEqual([
    'turn',
    'request',
    'call',
    'call',
    'answer',
    'result',
    'result',
    'request',
    'answer',
    'turn',
  ])
})

test.each([
  [
    'its parsed path',
    'anything',
    [{ type: 'read', path: '.agents/skills/tidy/SKILL.md' }],
    ['tidy-notes'],
  ],
  [
    'a listing of the folder',
    'ls .agents/skills/tidy/SKILL.md',
    [{ type: 'list_files', path: '.agents/skills/tidy' }],
    [],
  ],
  [
    'two parsed paths',
    'anything',
    [
      { type: 'read', path: '/project/.agents/skills/tidy/SKILL.md' },
      { type: 'read', path: '/home/user/.codex/skills/x/SKILL.md' },
    ],
    ['tidy-notes', 'x'],
  ],
  [
    'the path in the command',
    'cat .agents/skills/tidy/SKILL.md | head -50',
    undefined,
    ['tidy-notes'],
  ],
  [
    'a path in quotes',
    'sed -n \'1,200p\' "/project/.agents/skills/tidy/SKILL.md"',
    undefined,
    ['tidy-notes'],
  ],
  [
    'a path with a way back',
    'cat ./src/../.agents/skills/tidy/SKILL.md',
    undefined,
    ['tidy-notes'],
  ],
  [
    'a path from another folder',
    'cd .agents/skills/tidy && cat SKILL.md',
    undefined,
    ['tidy-notes'],
  ],
  ['a search', 'rg name .agents/skills/tidy/SKILL.md', undefined, []],
  ['a command that writes it', 'cat > .agents/skills/tidy/SKILL.md <<EOF', undefined, []],
  ['a file of no listed skill', 'cat drafts/other/SKILL.md', undefined, []],
  ['another file of the skill', 'cat .agents/skills/tidy/NOTES.md', undefined, []],
])('a skill is loaded when a command reads its file, by %s', (_, cmd, parsed, expected) => {
  const text = expected.length > 0 ? skill('tidy-notes', 'Sort.') : 'other'
  const parsedItem = parsed && command('a', { parsed_cmd: parsed, aggregated_output: text })
  const seen = seenOf(
    meta(),
    listing('- tidy-notes: Sorts. (file: r1/tidy/SKILL.md)', '- x: X. (file: r0/x/SKILL.md)'),
    shell('a', cmd),
    ...(parsedItem ? [parsedItem] : []),
    output('a', printed(text)),
  )
  expect(only(seen, 'loaded').map((one) => one.skill)).toEqual(expected)
  for (const one of only(seen, 'loaded')) expect(one).toMatchObject({ text: 'Sort.', call: 'a' })
})

test('a later part of a file does not replace the instructions', () => {
  const seen = seenOf(
    meta(),
    listing('- x: X. (file: r0/x/SKILL.md)'),
    shell('a', 'head -5 /home/user/.codex/skills/x/SKILL.md'),
    output('a', printed(skill('x', 'First.'))),
    shell('b', 'tail -5 /home/user/.codex/skills/x/SKILL.md'),
    output('b', printed('Last.')),
  )
  expect(only(seen, 'loaded').map(({ text }) => text)).toEqual(['First.'])
})

test('a skill that the person names with a sign is loaded by no call', () => {
  const text = `<skill>\n<name>tidy-notes</name>\n<path>/p/SKILL.md</path>\n${skill('tidy-notes', 'Sort.')}</skill>`
  const message = item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  expect(only(seenOf(meta(), message), 'loaded')).toMatchObject([
    { skill: 'tidy-notes', text: 'Sort.', call: null },
  ])
})

test.each([
  ['an exit code in its text', undefined, printed('', 2), 'failed'],
  [
    'an exit code in the text of an earlier version',
    undefined,
    'Exit code: 1\nWall time: 0 seconds\nOutput:\nx',
    'failed',
  ],
  ['an exit code in JSON', undefined, '{"output":"x","metadata":{"exit_code":3}}', 'failed'],
  ['the exit code of its command', command('a', { exit_code: 1, status: 'failed' }), 'x', 'failed'],
  [
    'an error of a server',
    event('item_completed', {
      item: { type: 'McpToolCall', id: 'a', status: 'completed', result: { isError: true } },
    }),
    'x',
    'failed',
  ],
  [
    'a person who declined',
    command('a', { exit_code: null, status: 'declined' }),
    'exec command rejected by user',
    'refused',
  ],
  ['the text of a person who declined', undefined, 'exec command rejected by user', 'refused'],
  ['code 0', command('a', {}), printed('Process exited with code 1\nExit code: 1'), 'ok'],
  ['nothing', undefined, [{ type: 'input_text', text: 'x' }], 'ok'],
])('the outcome of a call follows from %s', (_, line, text, outcome) => {
  const seen = seenOf(meta(), shell('a', 'x'), ...(line ? [line] : []), output('a', text))
  expect(only(seen, 'result')).toMatchObject([{ outcome }])
})

test('calls of all kinds have the names that requests have', () => {
  const seen = seenOf(
    meta(),
    item({
      type: 'function_call',
      namespace: 'mcp__stock',
      name: 'count_items',
      call_id: 'a',
      arguments: '{"kind":"x"}',
    }),
    item({ type: 'custom_tool_call', name: 'apply_patch', call_id: 'b', input: '*** Begin Patch' }),
    item({ type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } }),
    item({
      type: 'function_call',
      name: 'shell',
      call_id: 'd',
      arguments: '{"command":["bash","-lc","ls"',
    }),
    item({ type: 'web_search_call', status: 'completed' }),
  )
  expect(only(seen, 'call').map(({ tool, input }) => [tool, input])).toEqual([
    ['mcp__stock__count_items', { kind: 'x' }],
    ['apply_patch', '*** Begin Patch'],
    ['local_shell', { type: 'exec', command: ['ls'] }],
    ['shell', '{"command":["bash","-lc","ls"'],
  ])
})

test('a list of skills replaces the one before; a description may have colons or be missing', () => {
  const seen = seenOf(
    meta(),
    listing(
      '- tools:plain: One: two. (file: r1/plain/SKILL.md)',
      '- my skill: D. (file: r1/my skill/SKILL.md)',
      '- cut: (file: r1/cut/SKILL.md)',
      '- bare (file: r1/bare/SKILL.md)',
    ),
    {
      type: 'world_state',
      payload: {
        state: {
          host_skills: {
            body: '### Available skills\n- b: B. (file: /x/b/SKILL.md)',
            includeInstructions: true,
          },
        },
      },
    },
  )
  expect(only(seen, 'skills').map(({ skills }) => skills)).toEqual([
    [
      { name: 'tools:plain', description: 'One: two.' },
      { name: 'my skill', description: 'D.' },
      { name: 'cut', description: null },
      { name: 'bare', description: null },
    ],
    [{ name: 'b', description: 'B.' }],
  ])
})

test('turns that the person went back from are not in the session', () => {
  const turns = [said('1'), shell('a', 'x'), said('2'), shell('b', 'x'), said('3'), shell('c', 'x')]
  const left = (count: unknown) =>
    only(
      seenOf(meta(), ...turns, event('thread_rolled_back', { num_turns: count }), said('4')),
      'turn',
    ).map(({ text }) => text)
  expect(left(1)).toEqual(['1', '2', '4'])
  expect(left(2)).toEqual(['1', '4'])
  expect(left(9)).toEqual(['4'])
  expect(left(0)).toEqual(['1', '2', '3', '4'])
  expect(left('x')).toEqual(['1', '2', '3', '4'])
})

test('a compaction has the tokens of the last request', () => {
  const seen = seenOf(
    meta(),
    said('Go.'),
    shell('a', 'x'),
    record,
    { type: 'compacted', payload: { message: 'So far.' } },
    said('On.'),
    shell('b', 'x'),
  )
  expect(only(seen, 'compacted')).toMatchObject([{ tokens: 100 }])
  expect(seen.map(({ type }) => type).slice(-3)).toEqual(['turn', 'request', 'call'])
})

test('a session that another one began has its parent, and a continued one its own header', () => {
  const source = { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1 } } }
  expect(readCodex([meta({ source }), meta({ id: 'p', source: 'cli' })])).toMatchObject([
    { session: 'u', parent: { session: 'p', call: null, agent: null } },
  ])
  expect(readCodex([meta({ source: 'exec' })])[0]).not.toHaveProperty('parent')
})

test('after going back, a session has the lines before the turn from its first file', async () => {
  const folder = join(await temporaryFolder(), 'sessions', '2026', '11', '30')
  await mkdir(folder, { recursive: true })
  const said = (ordinal: number, message: string) => ({
    ordinal,
    type: 'event_msg',
    payload: { type: 'user_message', message },
  })
  const meta = (ordinal: number, base?: object) => ({
    ordinal,
    type: 'session_meta',
    payload: { id: 'a', cwd: '/project', ...(base && { history_base: base }) },
  })
  const files = {
    'rollout-1-a.jsonl': [meta(0), said(1, 'First.'), said(2, 'Gone.')],
    'rollout-2-a_b.jsonl': [
      meta(2, { thread_id: 'a', end_ordinal_exclusive: 2 }),
      said(3, 'Second.'),
      said(4, 'Gone, too.'),
    ],
    'rollout-3-a_c.jsonl': [
      meta(4, { thread_id: 'b', end_ordinal_exclusive: 4 }),
      said(5, 'Third.'),
    ],
  }
  for (const [name, lines] of Object.entries(files)) {
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    await writeFile(join(folder, name), text)
  }
  const log = await readTranscript(join(folder, 'rollout-3-a_c.jsonl'))
  const turnsIn = async (session: string) => {
    const turns = (await log?.read(session))?.flatMap(({ event }) =>
      event.type === 'turn.begun' && event.said ? [event.said] : [],
    )
    const texts = await log?.definitions.get(turns ?? [])
    return turns?.map((hash) => texts?.get(hash))
  }
  expect(await turnsIn('a')).toEqual(['First.', 'Second.', 'Third.'])
  expect(await turnsIn('a-branch-1')).toEqual(['First.', 'Gone.'])
  expect(await turnsIn('a-branch-2')).toEqual(['First.', 'Second.', 'Gone, too.'])
})

test('the files of subagents are child sessions of the calls that began them, also one that a subagent began', async () => {
  const folder = join(await temporaryFolder(), 'sessions', '2026', '11', '30')
  const later = join(folder, '..', '31')
  await mkdir(folder, { recursive: true })
  await mkdir(later)
  const sample = join(import.meta.dirname, 'scripted', 'codex', 'subagent.jsonl')
  const [parent = '', child = ''] = (await readFile(sample, 'utf8')).split('\n\n')
  const [main, agent] = [
    '01a229ed-1570-79e3-b144-4b3c993a07d8',
    '01a229ed-1838-75f3-8742-9b730c7e4474',
  ]
  const file = join(folder, `rollout-1-${main}.jsonl`)
  await writeFile(file, parent)
  await writeFile(join(later, `rollout-2-${agent}.jsonl`), child)
  const spawn = { parent_thread_id: agent, agent_role: 'explorer' }
  const own = [meta({ id: 'below', source: { subagent: { thread_spawn: spawn } } }), said('Look.')]
  const other = [meta({ id: 'other', parent_thread_id: 'elsewhere' }), said('Not mine.')]
  const text = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line)).join('\n')
  await writeFile(join(folder, 'rollout-3-below.jsonl'), text(own))
  await writeFile(join(folder, 'rollout-4-other.jsonl'), text(other))
  await writeFile(join(folder, 'rollout-5-broken.jsonl'), '{"parent_thread_id":"')
  await symlink(join(later, `rollout-2-${agent}.jsonl`), join(folder, 'rollout-6-link.jsonl'))
  execFileSync('mkfifo', [join(folder, 'rollout-7-pipe.jsonl')])
  const log = await readTranscript(file)
  const sessions = (await log?.list())?.map(({ session }) => session)
  expect(sessions?.toSorted()).toEqual([main, agent, 'below'].toSorted())
  const events = async (session: string) => (await log?.read(session))?.map(({ event }) => event)
  expect((await events(agent))?.[0]).toMatchObject({ parent: { session: main, call: 'call_1' } })
  expect((await events('below'))?.[0]).toMatchObject({ parent: { session: agent, call: null } })
  expect(await events(agent)).toContainEqual(
    expect.objectContaining({ type: 'child.opened', child: 'below', agent: 'explorer' }),
  )
  const opened = expect.objectContaining({ type: 'child.opened', child: agent, call: 'call_1' })
  expect(await events(main)).toContainEqual(opened)
})

test('subagents of Codex that name each other as parents are read once, and that of a branch is its child', () => {
  const spawned = (id: string, parent: string) => [
    meta({ id, parent_thread_id: parent }),
    said(`I am ${id}.`),
  ]
  const call = item({
    type: 'function_call',
    name: 'spawn_agent',
    call_id: 's',
    arguments: '{"message":"Go."}',
  })
  const sessions = readCodex(
    [
      meta(),
      said('1'),
      said('2'),
      call,
      output('s', '{"agent_id":"x","nickname":"Halley"}'),
      event('thread_rolled_back', { num_turns: 1 }),
    ],
    [spawned('x', 'u'), spawned('y', 'z'), spawned('z', 'y')],
  )
  expect(sessions.map(({ session, parent }) => [session, parent?.session, parent?.call])).toEqual([
    ['u', undefined, undefined],
    ['u-branch-1', undefined, undefined],
    ['x', 'u-branch-1', 's'],
    ['y', 'z', null],
    ['z', 'y', null],
  ])
})
