import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { readClaudeCode } from '../../../../src/connections/observed/transcripts/read-claude-code.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { type Line, only } from './samples.ts'

const base = { sessionId: 's', cwd: '/project', version: '2.1.328', isSidechain: false }

const user = (uuid: string, parentUuid: string | null, content: unknown, more: Line = {}): Line => {
  return { ...base, type: 'user', uuid, parentUuid, message: { role: 'user', content }, ...more }
}

const assistant = (
  uuid: string,
  parentUuid: string,
  id: string,
  content: unknown,
  more: Line = {},
): Line => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 1,
    output_tokens: 3,
  }
  const message = { id, role: 'assistant', model: 'm', content, usage }
  return { ...base, type: 'assistant', uuid, parentUuid, message, ...more }
}

const use = (id: string, name: string, input: unknown = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
})

const result = (id: string, content: unknown, more: Line = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})

const seenOf = (...lines: readonly Line[]) => readClaudeCode(lines)[0]?.seen ?? []

const shapeOf = (lines: readonly Line[]) =>
  seenOf(...lines).map((one) => {
    if (one.type === 'call' || one.type === 'result') return `${one.type} ${one.call}`
    return one.type === 'turn' ? `turn ${one.text}` : one.type
  })

test('parallel calls are one request, whichever line their results follow', () => {
  const lines = [
    user('1', null, 'Go.'),
    assistant('2', '1', 'msg', [{ type: 'text', text: 'I will.' }]),
    assistant('3', '2', 'msg', [use('a', 'Read')]),
    user('5', '3', [result('a', 'A')]),
    assistant('4', '3', 'msg', [use('b', 'Read')]),
    user('6', '4', [result('b', [{ type: 'text', text: 'B' }])]),
    assistant('7', '6', 'next', [{ type: 'text', text: 'Done.' }]),
  ]
  expect(shapeOf(lines)).toEqual([
    'turn Go.',
    'request',
    'said',
    'call a',
    'result a',
    'answer',
    'call b',
    'result b',
    'request',
    'answer',
    'said',
  ])
  const [first] = only(seenOf(...lines), 'answer')
  expect(first?.usage).toEqual({ input: 16, cached: 5, written: 1, output: 3 })
})

test('a branch that the person went back from is not in the session, with all that hangs on it', () => {
  const lines = [
    user('1', null, 'One.'),
    assistant('2', '1', 'm1', [use('a', 'Read')]),
    user('3', '2', [result('a', 'A')]),
    user('4', '3', 'A wrong way.'),
    assistant('5', '4', 'm2', [use('b', 'Read')]),
    user('6', '5', [result('b', 'B')]),
    {
      ...base,
      type: 'attachment',
      uuid: '7',
      parentUuid: '6',
      attachment: { type: 'skill_listing', content: '- x: X', names: ['x'] },
    },
    user('8', '3', 'Another way.'),
    assistant('9', '8', 'm3', [use('c', 'Read')]),
  ]
  expect(shapeOf(lines)).toEqual([
    'turn One.',
    'request',
    'answer',
    'call a',
    'result a',
    'turn Another way.',
    'request',
    'answer',
    'call c',
  ])
})

test('a person who goes back to the first message begins again', () => {
  const lines = [user('1', null, 'One.'), assistant('2', '1', 'm1', []), user('3', null, 'Two.')]
  expect(shapeOf(lines)).toEqual(['turn Two.'])
})

test('a lost line does not take the conversation before it along', () => {
  const lines = [user('1', null, 'One.'), assistant('2', '1', 'm1', []), user('4', '3', 'Two.')]
  expect(shapeOf(lines)).toEqual(['turn One.', 'request', 'answer', 'turn Two.'])
})

test('entries whose parents lead in a circle are read once', () => {
  const lines = [user('1', '2', 'One.'), user('2', '1', 'Two.'), user('3', '3', 'Three.')]
  expect(shapeOf(lines)).toEqual(['turn Three.'])
})

test('a compaction keeps what came before it, and its summary is no turn', () => {
  const lines = [
    user('1', null, 'One.'),
    assistant('2', '1', 'm1', []),
    {
      ...base,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: '3',
      parentUuid: null,
      logicalParentUuid: '2',
      compactMetadata: { trigger: 'auto', preTokens: 155_000, postTokens: 9_000 },
    },
    user('4', '3', 'This session continues …', {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    }),
    user('5', '4', 'Two.'),
  ]
  expect(shapeOf(lines)).toEqual([
    'turn One.',
    'request',
    'answer',
    'compacted',
    'said',
    'turn Two.',
  ])
  expect(only(seenOf(...lines), 'compacted')).toMatchObject([{ tokens: 155_000, after: 9_000 }])
})

const agentLines = (agent: string, prompt = 'Look.') => {
  const own = { isSidechain: true, agentId: agent }
  return [
    user(`${agent}1`, null, prompt, own),
    assistant(`${agent}2`, `${agent}1`, `${agent}m`, [use(`${agent}c`, 'Grep')], own),
    user(`${agent}3`, `${agent}2`, [result(`${agent}c`, 'found')], own),
  ]
}

test('a subagent is a session of its own, of the call that began it where a line says which', () => {
  const start = (id: string, prompt: string) =>
    use(id, 'Agent', { prompt, subagent_type: 'Explore' })
  const lines = [
    user('1', null, 'Go.'),
    assistant('2', '1', 'm1', [start('t', 'Look.'), start('p', 'Find it.'), start('o', 'Look.')]),
    ...agentLines('x'),
    ...agentLines('y'),
    ...agentLines('z', 'Find it.'),
    { type: 'progress', sessionId: 's', parentToolUseID: 'o', data: { agentId: 'y' } },
    user('3', '2', [result('t', 'found')], {
      toolUseResult: { status: 'completed', agentId: 'x' },
    }),
    ...agentLines('w'),
  ]
  const sessions = readClaudeCode(lines)
  const known = (call: string) => ({ session: 's', call, agent: 'Explore' })
  expect(sessions.map(({ session, parent }) => [session, parent])).toEqual([
    ['s', undefined],
    ['s-x', known('t')],
    ['s-y', known('o')],
    ['s-z', known('p')],
    ['s-w', { session: 's', call: null, agent: null }],
  ])
})

test('what the client says of a subagent in the name of the person is no turn', () => {
  const lines = [
    user('1', null, 'Go.'),
    assistant('2', '1', 'm1', [use('t', 'Agent')]),
    user('3', '2', '<task-notification>done</task-notification>', { promptSource: 'system' }),
    assistant('4', '3', 'm2', 'Done.'),
    user('5', '4', 'Thanks.', { promptSource: 'sdk' }),
  ]
  expect(only(seenOf(...lines), 'turn').map((one) => one.text)).toEqual(['Go.', 'Thanks.'])
})

test('a subagent of a subagent, and one of an early version without ids, have their parents', () => {
  const own = { isSidechain: true }
  const lines = [
    user('1', null, 'Go.'),
    assistant('2', '1', 'm1', [use('t', 'Task', { prompt: 'One.' })]),
    user('a1', null, 'One.', own),
    assistant('a2', 'a1', 'am', [use('u', 'Task', { prompt: 'Two.' })], own),
    user('b1', null, 'Two.', own),
    user('a3', 'a2', [result('u', 'done')], own),
  ]
  expect(readClaudeCode(lines).map(({ session, parent }) => [session, parent?.call])).toEqual([
    ['s', undefined],
    ['s-agent', 't'],
    ['s-agent-2', 'u'],
  ])
})

test('a subagent of a call that the person went back from belongs to the branch', () => {
  const lines = [
    user('1', null, 'Go.'),
    user('2', '1', 'A wrong way.'),
    assistant('3', '2', 'm1', [use('t', 'Agent')]),
    user('4', '3', [result('t', 'found')], { toolUseResult: { agentId: 'x' } }),
    ...agentLines('x'),
    user('5', '1', 'Another way.'),
  ]
  const parent = { session: 's-branch-1', call: 't', agent: null }
  expect(readClaudeCode(lines)).toMatchObject([
    { session: 's' },
    { session: 's-branch-1', forkedFrom: { session: 's', seen: 1 } },
    { session: 's-x', parent },
  ])
})

test('the files of subagents next to a transcript are read with it', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 's', 'subagents'), { recursive: true })
  const write = (name: string, lines: readonly Line[]) =>
    writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await write('s.jsonl', [user('1', null, 'Go.')])
  await write('s/subagents/agent-x.jsonl', agentLines('x'))
  await write('s/subagents/agent-y.jsonl', agentLines('y'))
  await write('s/subagents/notes.jsonl', agentLines('z'))
  await mkdir(join(folder, 's', 'subagents', 'agent-folder.jsonl'))
  await write('s/subagents/agent-x.meta.json', [{ agentType: 'Explore' }])
  const list = async (name: string) => {
    const log = await readTranscript(join(folder, name))
    return (await log?.list())?.map(({ session }) => session).toSorted()
  }
  expect(await list('s.jsonl')).toEqual(['s', 's-x', 's-y'])
  expect(await list('s/subagents/agent-y.jsonl')).toEqual(['s-y'])
})

test('a call that a person or a rule did not allow is refused', () => {
  const lines = [
    assistant('1', '0', 'm', [use('a', 'Bash'), use('b', 'Bash'), use('c', 'Bash')]),
    user('2', '1', [result('a', 'No.', { is_error: true })], {
      permissionDecision: { decision: 'reject', source: 'user_reject' },
    }),
    user('3', '1', [result('b', 'exit 1', { is_error: true })], {
      permissionDecision: { decision: 'accept', source: 'config' },
    }),
    user('4', '1', [result('c', 'fine')], { permissionDecision: 'accept' }),
  ]
  expect(only(seenOf(...lines), 'result').map(({ outcome }) => outcome)).toEqual([
    'refused',
    'failed',
    'ok',
  ])
})

test('earlier versions say only in the text of a result that a person did not allow the call', () => {
  const said =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, …). STOP."
  const lines = [
    assistant('1', '0', 'm', [use('a', 'Bash'), use('b', 'Bash'), use('c', 'Bash')]),
    user('2', '1', [result('a', said, { is_error: true })], {
      toolUseResult: 'User rejected tool use',
    }),
    user('3', '1', [result('b', said)]),
    user('4', '1', [
      result('c', 'Permission to use Bash with command rm x has been denied.', { is_error: true }),
    ]),
  ]
  expect(only(seenOf(...lines), 'result').map(({ outcome }) => outcome)).toEqual([
    'refused',
    'ok',
    'refused',
  ])
})

test('a skill that the person names with a slash is loaded by no call', () => {
  const lines = [
    user(
      '1',
      null,
      '<command-message>tidy-notes</command-message>\n<command-name>/tidy-notes</command-name>',
    ),
    user(
      '2',
      '1',
      [{ type: 'text', text: 'Base directory for this skill: /p/.claude/skills/tidy\n\nSort.\n' }],
      { isMeta: true },
    ),
    user('3', '2', 'Another.'),
    user(
      '4',
      '3',
      [{ type: 'text', text: 'Base directory for this skill: C:\\p\\skills\\other\n\nDo.' }],
      { isMeta: true },
    ),
  ]
  expect(only(seenOf(...lines), 'loaded')).toMatchObject([
    { skill: 'tidy-notes', text: 'Sort.', call: null },
    { skill: 'other', text: 'Do.', call: null },
  ])
})

test('a list of skills may have names with spaces, skills without a description, and later ones only what is new', () => {
  const listing = (
    content: string,
    names: readonly string[] | undefined,
    isInitial: boolean,
  ): Line => ({
    ...base,
    type: 'attachment',
    attachment: { type: 'skill_listing', content, names, isInitial },
  })
  const lines = [
    listing(
      '- a-first (twin): One.\n  more\n- bare\n- tools:plain: Two: three.',
      ['a-first (twin)', 'bare', 'tools:plain'],
      true,
    ),
    listing('- late: New.\n- bare: Described.', undefined, false),
  ]
  expect(only(seenOf(...lines), 'skills').map(({ skills }) => skills)).toEqual([
    [
      { name: 'a-first (twin)', description: 'One.\n  more' },
      { name: 'bare', description: null },
      { name: 'tools:plain', description: 'Two: three.' },
    ],
    [
      { name: 'a-first (twin)', description: 'One.\n  more' },
      { name: 'bare', description: 'Described.' },
      { name: 'tools:plain', description: 'Two: three.' },
      { name: 'late', description: 'New.' },
    ],
  ])
})

test('a file that begins with a summary of another session, or a snapshot of files, is recognised', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 's.jsonl')
  const first = [
    { type: 'summary', summary: 'x', leafUuid: 'y' },
    { type: 'file-history-snapshot', snapshot: {} },
  ]
  await writeFile(
    file,
    [...first, user('1', null, 'Go.')].map((line) => JSON.stringify(line)).join('\n'),
  )
  expect(await (await readTranscript(file))?.list()).toMatchObject([{ session: 's' }])
})

test.each([
  [
    'a log of this project',
    '{"loadout":"log","format":7,"session":"x"}\n{"sessionId":"s","type":"user"}',
  ],
  ['other objects', '{"a":1}\n{"b":2}\n'],
  ['text', 'hello\n'],
  ['nothing', ''],
])('%s is no transcript', async (_, text) => {
  const file = join(await temporaryFolder(), 'a.jsonl')
  await writeFile(file, text)
  expect(await readTranscript(file)).toBeNull()
})

test('a folder, a pipe and a missing file are no transcripts, and nobody waits for them', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'a.jsonl'))
  execFileSync('mkfifo', [join(folder, 'b.jsonl')])
  for (const name of ['a.jsonl', 'b.jsonl', 'c.jsonl']) {
    expect(await readTranscript(join(folder, name))).toBeNull()
  }
})

test('texts, tools and skills that the client writes again are observed once', () => {
  const attachment = (own: Line): Line => ({ ...base, type: 'attachment', attachment: own })
  const snapshot = attachment({
    type: 'prompt_snapshot',
    systemPrompt: ['One.', 'Two.'],
    tools: [{ schema: { name: 'Read' } }],
  })
  const listing = attachment({
    type: 'skill_listing',
    content: '- x: X.',
    names: ['x'],
    isInitial: true,
  })
  const shape: Line = {
    ...base,
    type: 'api-request-shape',
    shape: { system: [{ text: 'Zero.' }, { text: 'One.\n\nTwo.' }], tools: [{ name: 'Read' }] },
  }
  const seen = seenOf(snapshot, listing, shape, snapshot, listing, shape)
  expect(seen.map(({ type }) => type)).toEqual(['texts', 'tools', 'skills', 'texts'])
  expect(
    only(seen, 'texts')
      .at(-1)
      ?.texts.map(({ text }) => text),
  ).toEqual(['Zero.', 'One.\n\nTwo.'])
})
