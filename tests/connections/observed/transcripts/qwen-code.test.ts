import { expect, test } from 'vitest'
import { readQwenCode } from '../../../../src/connections/observed/transcripts/read-qwen-code.ts'
import { type Line, only } from './samples.ts'

const line = (uuid: string, parentUuid: string | null, type: string, more: Line): Line => ({
  uuid,
  parentUuid,
  sessionId: 's',
  type,
  cwd: '/project',
  version: '0.15.10',
  ...more,
})
const user = (uuid: string, parentUuid: string | null, text: string, more: Line = {}): Line =>
  line(uuid, parentUuid, 'user', { message: { parts: [{ text }] }, ...more })
const call = (uuid: string, parentUuid: string, name: string, args: Line): Line =>
  line(uuid, parentUuid, 'assistant', {
    model: 'm',
    message: { parts: [{ functionCall: { id: `c${uuid}`, name, args } }] },
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, cachedContentTokenCount: 7 },
  })
const result = (uuid: string, parentUuid: string, id: string, response: Line, more: Line): Line =>
  line(uuid, parentUuid, 'tool_result', {
    message: { parts: [{ functionResponse: { id, name: 'x', response } }] },
    toolCallResult: { callId: id, ...more },
  })

test('a skill that a tool loads has the name that was asked for, and the text below the folder', () => {
  const output =
    'Base directory for this skill: /project/.agents/skills/folder\nImportant: Resolve paths.\n\nPlan it.\n'
  const [session] = readQwenCode([
    user('1', null, 'Go.'),
    call('2', '1', 'skill', { skill: 'plan' }),
    result('3', '2', 'c2', { output }, { status: 'success' }),
    call('4', '3', 'run_shell_command', { command: 'cat .agents/skills/tidy/SKILL.md' }),
    result(
      '5',
      '4',
      'c4',
      { output: 'Command: cat x\nDirectory: (root)\nOutput: ---\nname: tidy\n---\nTidy.' },
      { status: 'success' },
    ),
  ])
  expect(session).toMatchObject({ session: 's', client: 'qwen-code', version: '0.15.10' })
  const seen = session?.seen ?? []
  expect(only(seen, 'call').map(({ skill }) => skill)).toEqual(['plan', 'tidy'])
  expect(only(seen, 'loaded')).toMatchObject([
    { skill: 'plan', text: 'Plan it.', call: 'c2' },
    { skill: 'tidy', text: 'Tidy.', call: 'c4' },
  ])
})

test('a part that the person went back from is a session of its own', () => {
  const [session, branch] = readQwenCode([
    user('1', null, 'One.'),
    call('2', '1', 'glob', {}),
    user('3', '2', 'A wrong way.'),
    call('4', '3', 'glob', {}),
    line('5', '2', 'system', { subtype: 'rewind', systemPayload: {} }),
    user('6', '5', 'Another way.'),
  ])
  const turns = (one: typeof session) => only(one?.seen ?? [], 'turn').map(({ text }) => text)
  expect(turns(session)).toEqual(['One.', 'Another way.'])
  expect(turns(branch)).toEqual(['A wrong way.'])
})

test('messages of the client are no turns, and a summary says how many tokens it replaced', () => {
  const info = { originalTokenCount: 900, newTokenCount: 90 }
  const [session] = readQwenCode([
    user('1', null, 'Go.'),
    user('2', '1', 'A task ended.', { subtype: 'notification' }),
    line('3', '2', 'system', { subtype: 'chat_compression', systemPayload: { info } }),
  ])
  const seen = session?.seen ?? []
  expect(only(seen, 'turn')).toHaveLength(1)
  expect(only(seen, 'compacted')).toMatchObject([{ tokens: 900, after: 90 }])
})

test.each([
  [{ status: 'error', errorType: 'execution_denied' }, 'refused'],
  [{ status: 'cancelled' }, 'refused'],
  [{ status: 'error', errorType: 'tool_not_registered' }, 'failed'],
  [{ status: 'success' }, 'ok'],
])('the outcome of a call with %j is %s', (more, outcome) => {
  const response = outcome === 'ok' ? { output: 'Done.' } : { error: 'No.' }
  const [session] = readQwenCode([
    call('2', '1', 'glob', {}),
    result('3', '2', 'c2', response, more),
  ])
  expect(only(session?.seen ?? [], 'result')).toMatchObject([{ outcome }])
})
