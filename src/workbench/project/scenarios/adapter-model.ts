import type { Conversation, Provider } from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { checkOptions } from '../../../entries/kit.ts'
import { forAnthropic } from '../../../connections/wires/anthropic/for-anthropic.ts'
import { forChatCompletions } from '../../../connections/wires/openai/for-chat-completions.ts'
import { forOpenAI } from '../../../connections/wires/openai/for-open-ai.ts'
import type { ScenarioAnswer } from './read-scenario.ts'
import {
  answerQuestions,
  answerCalls,
  type ScenarioConversation,
  type ScenarioModel,
  type ScenarioSession,
} from './scenario-model.ts'
import { openScriptedServer, SCRIPTED, type ServedAnswer } from './scripted-server.ts'

/** The adapters of official clients: Responses, Chat Completions, and Messages. */
export const WIRE_ADAPTERS = ['openai', 'openai-chat', 'anthropic'] as const

export type WireAdapter = (typeof WIRE_ADAPTERS)[number]

/** Items of a history, requests and answers differ by wire, and only the adapter reads them. */
type AnyWire = Pick<Conversation, 'next' | 'answer' | 'resume'>

const WIRES: Readonly<
  Record<
    WireAdapter,
    {
      readonly path: string
      readonly provider: Provider
      connect(workspace: VirtualWorkspace): AnyWire
    }
  >
> = {
  openai: {
    path: '/responses',
    provider: 'openai',
    connect: (workspace) => forOpenAI(workspace) as unknown as AnyWire,
  },
  'openai-chat': {
    path: '/chat/completions',
    provider: 'openai',
    connect: (workspace) => forChatCompletions(workspace) as unknown as AnyWire,
  },
  anthropic: {
    path: '/messages',
    provider: 'anthropic',
    connect: (workspace) => forAnthropic(workspace) as unknown as AnyWire,
  },
}

/**
 * Returns a way to the scripted model through an adapter: its requests go over a socket to a server on this machine,
 * which answers as the scenario says.
 */
export function adapterModel(adapter: WireAdapter): ScenarioModel {
  checkOptions({ adapter }, { adapter: Object.keys(WIRES) })
  return {
    async open(session) {
      const { path, provider, connect } = WIRES[adapter]
      const server = await openScriptedServer()
      const wire = connect(session.workspace)
      const request = async (body: object) => {
        const response = await fetch(`${server.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: SCRIPTED, ...body }),
        })
        return (await response.json()) as object
      }
      const history: object[] = []
      return {
        async say(text, answers) {
          history.push({ role: 'user', content: text })
          server.script(servedAnswers(answers, session, provider))
          // A turn begins with its first request.
          for (let made = 0; made < Math.max(1, answers.length); made += 1) {
            await makeStep(wire, history, request, session)
          }
          return answers.findLast((answer) => 'text' in answer)?.text ?? null
        },
        close: () => server.close(),
      } satisfies ScenarioConversation
    },
  }
}

/** Makes one request, and the calls of its answer. */
async function makeStep(
  wire: AnyWire,
  history: object[],
  request: (body: object) => Promise<object>,
  session: ScenarioSession,
): Promise<void> {
  const response = await request(await wire.next(history))
  const { items, waiting } = await wire.answer(response, {})
  history.push(...items)
  if (!(await answerQuestions(session, waiting))) return
  const resumed = await wire.resume(history, {})
  history.push(...resumed.items)
}

/** Returns answers with the names under which a provider gets the tools; that of the session when absent. */
export function servedAnswers(
  answers: readonly ScenarioAnswer[],
  { workspace }: Pick<ScenarioSession, 'workspace'>,
  provider?: Provider,
): readonly ServedAnswer[] {
  return answers.map((answer) => ({
    ...('text' in answer && { text: answer.text }),
    calls: answerCalls(answer).map(({ call, with: input = {} }) => {
      return { name: workspace.calls.sentName(call, provider), input }
    }),
  }))
}
