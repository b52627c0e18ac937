import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertToModelMessages, type UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import {
  messagesIn,
  readMessages,
} from '../../../../src/connections/observed/transcripts/read-messages.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

const ui: UIMessage[] = [
  { id: '0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Count bolts.' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.' },
      {
        type: 'tool-count',
        toolCallId: 'a',
        state: 'output-available',
        input: { kind: 'bolts' },
        output: { count: 42 },
      },
      {
        type: 'tool-count',
        toolCallId: 'b',
        state: 'output-error',
        input: { kind: 'x' },
        errorText: 'No such kind.',
      },
      { type: 'step-start' },
      {
        type: 'dynamic-tool',
        toolName: 'mcp-read',
        toolCallId: 'c',
        state: 'output-available',
        input: {},
        output: 'text',
      },
      { type: 'step-start' },
      { type: 'text', text: '42.' },
    ],
  },
]

const seenIn = (file: unknown) => readMessages(messagesIn(file) ?? [], file).seen

/** The calls, results, turns and steps, without what only one of the two forms has. */
const shape = (file: unknown) =>
  seenIn(file).map((one) => {
    if (one.type === 'call') return [one.tool, one.call, one.input]
    if (one.type === 'result') return [one.outcome, one.call, one.text]
    return one.type === 'turn' ? [one.text] : [one.type]
  })

test('messages of a UI have a request for each step', () => {
  expect(shape(ui)).toEqual([
    ['texts'],
    ['Count bolts.'],
    ['request'],
    ['count', 'a', { kind: 'bolts' }],
    ['ok', 'a', '{"count":42}'],
    ['count', 'b', { kind: 'x' }],
    ['failed', 'b', 'No such kind.'],
    ['request'],
    ['mcp-read', 'c', {}],
    ['ok', 'c', 'text'],
    ['request'],
  ])
})

test('messages of a model say the same as those of the UI that they were made of', async () => {
  const sorted = (file: unknown) =>
    shape(file)
      .map((one) => JSON.stringify(one))
      .toSorted()
  expect(sorted(await convertToModelMessages(ui))).toEqual(sorted(ui))
})

test.each([
  [
    'denied by a person, in a UI',
    {
      role: 'assistant',
      parts: [
        {
          type: 'tool-x',
          toolCallId: 'a',
          state: 'output-denied',
          input: {},
          approval: { reason: 'No.' },
        },
      ],
    },
    'refused',
    'No.',
  ],
  [
    'denied by a person, for a model',
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'x',
          output: { type: 'execution-denied', reason: 'No.' },
        },
      ],
    },
    'refused',
    'No.',
  ],
  [
    'an error',
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'x',
          output: { type: 'error-json', value: { code: 1 } },
        },
      ],
    },
    'failed',
    '{"code":1}',
  ],
  [
    'content',
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'x',
          output: { type: 'content', value: [{ type: 'text', text: 'A' }] },
        },
      ],
    },
    'ok',
    'A',
  ],
  [
    'of version 4',
    {
      role: 'assistant',
      content: '',
      parts: [
        {
          type: 'tool-invocation',
          toolInvocation: {
            state: 'result',
            toolCallId: 'a',
            toolName: 'x',
            args: {},
            result: 'A',
          },
        },
      ],
    },
    'ok',
    'A',
  ],
  [
    'of version 4, for a model',
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'x', result: 'A', isError: true },
      ],
    },
    'failed',
    'A',
  ],
])('a result %s', (_, message, outcome, text) => {
  expect(seenIn([message]).filter(({ type }) => type === 'result')).toMatchObject([
    { call: 'a', outcome, text },
  ])
})

test.each([
  ['a list', ui, 'messages'],
  ['a chat', { id: 'chat-1', messages: ui }, 'chat-1'],
])('%s of messages in a file opens as a session', async (_, value, session) => {
  const folder = await temporaryFolder()
  for (const [index, text] of [
    JSON.stringify(value),
    `\uFEFF${JSON.stringify(value, null, 2)}\r\n`,
  ].entries()) {
    const file = join(folder, `${index}.json`)
    await writeFile(file, text)
    expect(await (await readTranscript(file))?.list()).toMatchObject([{ session }])
  }
})

test.each([
  [[]],
  [[{ role: 'user' }]],
  [[{ role: 'robot', content: '' }]],
  [{ messages: {} }],
  [null],
  ['x'],
  [[null]],
])('%j is no list of messages', (value) => {
  expect(messagesIn(value)).toBeNull()
})
