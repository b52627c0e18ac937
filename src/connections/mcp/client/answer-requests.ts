import { type Client, type CreateMessageResult, ProtocolError } from '@modelcontextprotocol/client'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Elicitation, ElicitationAnswer } from '../../../entries/adapter.ts'
import type { JsonSchema, ToolContext } from '../../../entries/index.ts'
import { thrownMessage } from '../../../entries/kit.ts'
import type { SamplingMessage } from '../../../tools/definition/call-client.ts'
import { mcpParts } from '../../../tools/response/mcp-result.ts'
import { Budget } from '../../../workspace/commands/budget.ts'

/** The requests that a server may make. Everything else is refused. */
export interface ServerRequests {
  /** The most requests to a model that the server may make on one connection; none when absent. */
  readonly sampling?: SamplingBudget | undefined
  /** The folders that the server may know of, such as that of the project; none when absent. */
  readonly roots?: readonly string[] | undefined
}

export interface SamplingBudget {
  readonly maxCalls: number
  /** Tokens of one answer. */
  readonly maxTokens: number
}

/**
 * Answers what a server asks of its client, by the client of the call that runs: its person, and its model. Where there
 * is no call, or no one to ask, questions are declined and requests to a model are refused. No address is opened.
 *
 * @param running the calls on this connection, with their terms. The protocol does not say which one asks: the latest is taken
 */
export function answerRequests(
  client: Client,
  { sampling, roots }: ServerRequests,
  running: ReadonlyMap<ToolContext, { readonly maxQuestions?: number }>,
): void {
  const call = () => [...running.keys()].at(-1)
  const asked = new WeakMap<ToolContext, Budget>()
  let turns: Promise<void> = Promise.resolve()
  client.registerCapabilities({ elicitation: { form: { applyDefaults: true }, url: {} } })
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { message } = params
    const asking = call()
    if (asking !== undefined) {
      const { maxQuestions } = running.get(asking) ?? {}
      const budget = asked.get(asking) ?? new Budget('questions', undefined, maxQuestions)
      asked.set(asking, budget)
      const over = budget.take(JSON.stringify(params).length)
      if (over !== null) throw refusal(`The host allows no more questions: ${over} in a call.`)
    }
    // Each is written to the log. Other work of this process runs between them.
    await (turns = turns.then(() => setImmediate()))
    const question: Elicitation =
      'url' in params
        ? { message, url: params.url }
        : { message, schema: params.requestedSchema as JsonSchema }
    const answered = await asking?.elicit(question).catch(() => undefined)
    const answer: ElicitationAnswer = answered ?? { action: 'decline' }
    if (answer.action !== 'accept') return { action: answer.action }
    return {
      action: 'accept',
      content: answer.content as Record<string, string | number | boolean>,
    }
  })
  if (sampling !== undefined) answerSampling(client, sampling, call)
  if (roots !== undefined) {
    client.registerCapabilities({ roots: {} })
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }))
  }
}

/** Answers requests to a model by the model of the call that runs. */
function answerSampling(
  client: Client,
  sampling: SamplingBudget,
  call: () => ToolContext | undefined,
): void {
  let made = 0
  client.registerCapabilities({ sampling: {} })
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    made += 1
    if (made > sampling.maxCalls) {
      throw refusal(`The host allows this server ${sampling.maxCalls} requests to a model.`)
    }
    const running = call()
    if (running === undefined) throw refusal('No call is running.')
    const { systemPrompt: system, temperature } = params
    const maxTokens = Math.min(params.maxTokens, sampling.maxTokens)
    try {
      const answer = await running.sample({
        // One message for each part of the content.
        messages: params.messages.flatMap(({ role, content }) =>
          mcpParts([content].flat()).map((part) => ({
            role,
            content: part as SamplingMessage['content'],
          })),
        ),
        maxTokens,
        ...(system !== undefined && { system }),
        ...(temperature !== undefined && { temperature }),
      })
      return sampledMessage(answer)
    } catch (error) {
      throw refusal(thrownMessage(error))
    }
  })
}

/** The code of the protocol for a request that the user refuses. */
const REFUSED = -1

function refusal(message: string): ProtocolError {
  return new ProtocolError(REFUSED, message)
}

function sampledMessage({
  model,
  content,
  stopReason,
}: Awaited<ReturnType<ToolContext['sample']>>): CreateMessageResult {
  const text = 'text' in content ? (content.text ?? '') : ''
  return {
    model,
    role: 'assistant',
    content:
      content.type === 'image' || content.type === 'audio'
        ? { type: content.type, data: content.data, mimeType: content.mediaType }
        : { type: 'text', text },
    ...(stopReason !== undefined && { stopReason }),
  }
}
