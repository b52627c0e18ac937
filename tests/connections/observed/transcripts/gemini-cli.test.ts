import { expect, test } from 'vitest'
import { readGeminiCli } from '../../../../src/connections/observed/transcripts/read-gemini-cli.ts'
import { type Line, only } from './samples.ts'

const header: Line = { sessionId: 's', projectHash: 'h', kind: 'main' }

const user = (id: string, text: string): Line => ({ id, type: 'user', content: [{ text }] })

const answer = (id: string, ...toolCalls: readonly Line[]): Line => ({
  id,
  type: 'gemini',
  content: '',
  model: 'm',
  tokens: { input: 10, output: 2, cached: 7, thoughts: 1 },
  ...(toolCalls.length > 0 && { toolCalls }),
})

const call = (id: string, name: string, args: Line, response: Line, status = 'success'): Line => ({
  id,
  name,
  args,
  status,
  result: [{ functionResponse: { id, name, response } }],
})

const loading = call(
  'c1',
  'activate_skill',
  { name: 'plan' },
  {
    output:
      '<activated_skill name="plan">\n  <instructions>\n    Plan it.\n  </instructions>\n\n  <available_resources>\n    none\n  </available_resources>\n</activated_skill>',
  },
)

test('a message that is written again has its calls and results once', () => {
  const [session] = readGeminiCli([header, user('1', 'Go.'), answer('2'), answer('2', loading)])
  const seen = session?.seen ?? []
  expect(seen.map(({ type }) => type)).toEqual([
    'turn',
    'request',
    'answer',
    'call',
    'result',
    'loaded',
  ])
  expect(only(seen, 'answer')).toMatchObject([
    { model: 'm', usage: { input: 10, cached: 7, output: 3, reasoning: 1 } },
  ])
  expect(only(seen, 'call')).toMatchObject([{ tool: 'activate_skill', skill: 'plan' }])
  expect(only(seen, 'loaded')).toMatchObject([{ skill: 'plan', text: 'Plan it.', call: 'c1' }])
})

test('a part that the person went back from is a session of its own', () => {
  const [session, branch, ...others] = readGeminiCli([
    header,
    user('1', 'One.'),
    answer('2', loading),
    user('3', 'A wrong way.'),
    answer('4'),
    { $rewindTo: '3' },
    user('5', 'Another way.'),
    answer('6'),
  ])
  const turns = (one: typeof session) => only(one?.seen ?? [], 'turn').map(({ text }) => text)
  expect(turns(session)).toEqual(['One.', 'Another way.'])
  expect(only(session?.seen ?? [], 'loaded')).toHaveLength(1)
  expect(turns(branch)).toEqual(['A wrong way.'])
  expect(branch?.forkedFrom).toMatchObject({ session: 's', seen: 6 })
  expect(others).toEqual([])
})

test('a session that goes on has its messages once, and a summary in the place of the first ones is no turn', () => {
  const again = { id: '2_response', type: 'user', content: [{ functionResponse: { id: 'c1' } }] }
  const first = [user('1', 'One.'), answer('2', loading)]
  const [session] = readGeminiCli([
    header,
    { $set: { messages: first } },
    header,
    { $set: { messages: [user('1', 'One.'), answer('2'), again] } },
    user('3', 'Two.'),
    { $set: { messages: [user('9', '<state_snapshot>'), answer('8'), user('3', 'Two.')] } },
    answer('4'),
  ])
  const seen = session?.seen ?? []
  expect(only(seen, 'turn').map(({ text }) => text)).toEqual(['One.', 'Two.'])
  expect(only(seen, 'loaded')).toHaveLength(1)
  expect(only(seen, 'compacted')).toMatchObject([{ tokens: 10 }])
  expect(only(seen, 'request')).toHaveLength(2)
})

test('a call that failed, that the person refused, or that reads the file of a skill', () => {
  const [session] = readGeminiCli([
    header,
    user('1', 'Go.'),
    answer(
      '2',
      call('a', 'activate_skill', { name: 'no' }, { error: 'Not allowed.' }, 'error'),
      call('b', 'run_shell_command', { command: 'ls' }, { error: 'Denied.' }, 'cancelled'),
      call(
        'c',
        'read_file',
        { file_path: '.agents/skills/tidy/SKILL.md' },
        { output: '---\nname: tidy\n---\nTidy up.\n' },
      ),
      call('d', 'read_file', { file_path: 'tidy/SKILL.md', start_line: 5 }, { output: 'up' }),
    ),
  ])
  const seen = session?.seen ?? []
  expect(only(seen, 'result').map(({ outcome }) => outcome)).toEqual([
    'failed',
    'refused',
    'ok',
    'ok',
  ])
  expect(only(seen, 'loaded')).toMatchObject([{ skill: 'tidy', text: 'Tidy up.', call: 'c' }])
})
