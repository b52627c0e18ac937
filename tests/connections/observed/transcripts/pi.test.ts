import { expect, test } from 'vitest'
import { readPi } from '../../../../src/connections/observed/transcripts/read-pi.ts'
import { type Line, only } from './samples.ts'

const header: Line = { type: 'session', version: 3, id: 's', cwd: '/project' }

const entry = (id: string, parentId: string | null, message: Line): Line => ({
  type: 'message',
  id,
  parentId,
  message,
})
const user = (id: string, parentId: string | null, text: string): Line =>
  entry(id, parentId, { role: 'user', content: [{ type: 'text', text }] })
const call = (id: string, parentId: string, name: string, input: Line): Line =>
  entry(id, parentId, {
    role: 'assistant',
    model: 'm',
    usage: { input: 10, output: 2, cacheRead: 7, cacheWrite: 1 },
    content: [{ type: 'toolCall', id: `c${id}`, name, arguments: input }],
  })
const result = (
  id: string,
  parentId: string,
  callId: string,
  text: string,
  isError = false,
): Line =>
  entry(id, parentId, {
    role: 'toolResult',
    toolCallId: callId,
    content: [{ type: 'text', text }],
    isError,
  })

const seenOf = (...lines: readonly Line[]) => readPi([header, ...lines])[0]?.seen ?? []

test('only the branch that the person is on is read', () => {
  const seen = seenOf(
    user('1', null, 'One.'),
    call('2', '1', 'bash', {}),
    result('3', '2', 'c2', 'A'),
    user('4', '3', 'A wrong way.'),
    call('5', '4', 'bash', {}),
    user('6', '3', 'Another way.'),
    { type: 'model_change', id: '7', parentId: '6', modelId: 'n' },
    call('8', '7', 'bash', {}),
  )
  expect(seen.map(({ type }) => type)).toEqual([
    'turn',
    'request',
    'answer',
    'call',
    'result',
    'turn',
    'request',
    'answer',
    'call',
  ])
  expect(only(seen, 'turn').map(({ text }) => text)).toEqual(['One.', 'Another way.'])
  expect(only(seen, 'answer')[0]).toMatchObject({
    model: 'm',
    usage: { input: 18, cached: 7, written: 1, output: 2 },
  })
})

test('the first version, without ids, is read from its first line to its last', () => {
  const lines = [user('1', null, 'One.'), user('2', '1', 'Two.')].map(({ type, message }) => ({
    type,
    message,
  }))
  expect(only(seenOf(...lines), 'turn').map(({ text }) => text)).toEqual(['One.', 'Two.'])
})

const file = '---\nname: tidy-notes\ndescription: D.\n---\nSort.\n'

test.each([
  ['read with its path', 'read', { path: '/p/skills/tidy/SKILL.md' }, file, 'tidy-notes', 'Sort.'],
  [
    'read without front matter',
    'read',
    { path: '/p/skills/tidy/SKILL.md' },
    'Sort.',
    'tidy',
    'Sort.',
  ],
  [
    'read by a command',
    'bash',
    { command: 'cat skills/tidy/SKILL.md' },
    file,
    'tidy-notes',
    'Sort.',
  ],
])('a skill is loaded when its file is %s', (_, tool, input, text, skill, body) => {
  const seen = seenOf(
    user('1', null, 'Go.'),
    call('2', '1', tool, input),
    result('3', '2', 'c2', text),
  )
  expect(only(seen, 'loaded')).toMatchObject([{ skill, text: body, call: 'c2' }])
})

test.each([
  ['a later part of the file', 'read', { path: '/p/skills/tidy/SKILL.md', offset: 200 }, false],
  ['another file', 'read', { path: '/p/skills/tidy/notes.md' }, false],
  ['a failed call', 'read', { path: '/p/skills/tidy/SKILL.md' }, true],
  ['a call that writes it', 'write', { path: '/p/skills/tidy/SKILL.md' }, false],
])('%s loads no skill', (_, tool, input, isError) => {
  const seen = seenOf(
    user('1', null, 'Go.'),
    call('2', '1', tool, input),
    result('3', '2', 'c2', file, isError),
  )
  expect(only(seen, 'loaded')).toEqual([])
  expect(only(seen, 'result')).toMatchObject([{ outcome: isError ? 'failed' : 'ok' }])
})

test('a skill that the person names with a slash is loaded by no call', () => {
  const text = '<skill name="tidy-notes" location="/p/SKILL.md">\nSort.\n</skill>\n\nMine.'
  expect(only(seenOf(user('1', null, text)), 'loaded')).toMatchObject([
    { skill: 'tidy-notes', text: 'Sort.', call: null },
  ])
})

test('a compaction has its tokens, and an answer that the provider did not count is a request alone', () => {
  const failed = entry('2', '1', {
    role: 'assistant',
    content: [],
    stopReason: 'error',
    usage: { input: 0, output: 0 },
  })
  const compaction = {
    type: 'compaction',
    id: '3',
    parentId: '2',
    summary: 'So far.',
    tokensBefore: 90_000,
    firstKeptEntryId: '1',
  }
  expect(seenOf(user('1', null, 'Go.'), failed, compaction)).toMatchObject([
    { type: 'turn' },
    { type: 'request' },
    { type: 'compacted', tokens: 90_000 },
  ])
})
