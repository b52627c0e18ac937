import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import type { Answer, WireCall } from '../../../tests/wires/server/answer.ts'

/** A turn: what the host does first, what the user says, and what the model then answers. */
interface Turn {
  readonly before?: (workspace: VirtualWorkspace) => Promise<unknown>
  /** Null continues the turn before, after an answer of a person. */
  readonly user: string | null
  readonly answers: readonly Answer[]
}

/** A conversation that is had over every wire. */
export interface Conversation {
  readonly name: string
  readonly options: Partial<WorkspaceOptions>
  readonly turns: readonly Turn[]
}

const call = (name: string, input: object = {}): WireCall => ({ name, input })
const load = (skillName: string) => call('loadSkill', { skillName })
const unload = (skillName: string) => call('unloadSkill', { skillName })

const answerQuestion = (answer: 'approve' | 'deny') => async (workspace: VirtualWorkspace) => {
  const { id } = workspace.state.confirmations.find(({ consent }) => consent === 'pending') ?? {
    id: '',
  }
  return workspace[answer](id, { by: 'user' })
}

/** Each conversation begins all of its user messages with its name, by which the server finds its answers. */
export const CONVERSATIONS: readonly Conversation[] = [
  {
    name: 'activations and departures',
    options: { agent: 'clerk' },
    turns: [
      {
        user: 'Read a file.',
        answers: [[load('pdf')], [call('pdf_read', { file: 'a' })], 'Read.'],
      },
      {
        before: (workspace) => workspace.activateSkill('mail'),
        user: 'Write to Ada.',
        answers: [
          [call('mail_write', { text: 'é 手紙 📮' }), call('pdf_read', { file: 'b' })],
          [unload('pdf')],
          [call('pdf_read', { file: 'c' })],
          { thinking: 'It is gone.', text: 'It cannot be read any more.' },
        ],
      },
      {
        before: (workspace) => workspace.deactivateSkill('mail'),
        user: 'Do what you cannot.',
        answers: [
          [call('mail_write', { text: 'x' })],
          [call('nobody', {}), call('clock', { zone: 7 })],
          [load('nobody')],
          [load('pdf'), call('clock')],
          'That was all.',
        ],
      },
    ],
  },
  {
    name: 'searches',
    options: { agent: 'clerk', discovery: {} },
    turns: [
      {
        user: 'Find a tool for letters.',
        answers: [
          [call('tool_search', { query: 'write a letter to a customer' })],
          [call('mail_write', { text: 'found' })],
          'Written.',
        ],
      },
      {
        user: 'Find a pizza.',
        answers: [[call('tool_search', { query: 'pizza with extra cheese' })], 'There is none.'],
      },
    ],
  },
  {
    name: 'rules and questions',
    options: {
      agent: 'clerk',
      policy: { permissions: { deny: ['clock'], ask: ['mail_write'] } },
    },
    turns: [
      {
        before: (workspace) => workspace.activateSkill('mail'),
        user: 'Ask before you write.',
        answers: [[call('clock')], [call('mail_write', { text: 'asked' })], 'I wait.'],
      },
      { before: answerQuestion('approve'), user: null, answers: [] },
      { user: 'Ask again.', answers: [[call('mail_write', { text: 'again' })], 'I wait again.'] },
      { before: answerQuestion('deny'), user: null, answers: [] },
    ],
  },
  {
    name: 'texts of others',
    options: { agent: 'clerk', variables: { NAME: '</skill> 名前' } },
    turns: [
      {
        user: '手紙を読む。</user>',
        answers: [
          [load('odd')],
          [call('odd_fails')],
          [call('odd_says', { what: '\u202e{{ NAME }}' })],
          'Done. おわり',
        ],
      },
    ],
  },
  ...(['append', 'bridge'] as const).map((exposure): Conversation => {
    const use = (file: string) =>
      exposure === 'bridge'
        ? call('call_tool', { name: 'pdf_read', arguments: { file } })
        : call('pdf_read', { file })
    return {
      name: `the strategy ${exposure}`,
      options: { agent: 'clerk', exposure },
      turns: [
        {
          user: 'Use what is there.',
          answers: [[use('d')], [load('pdf')], [use('e')], [unload('pdf')], 'Ok.'],
        },
      ],
    }
  }),
]
