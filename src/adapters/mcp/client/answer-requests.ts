import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { pathToFileURL } from 'node:url'
import type { JsonValue } from '../../../kernel/json-value.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'

/** A question of a server to the person, during a call. */
export interface ElicitationRequest {
  readonly message: string
  /** The fields of the answer; absent for an address. */
  readonly requestedSchema?: unknown
  /** An address for the person to open. It is never opened here. */
  readonly url?: string
}

/** The answer to a question of a server. */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, string | number | boolean | string[]>>
}

/** The question or request of a server, and the calls that run on its connection. */
export interface RequestContext {
  readonly server: string
  readonly signal: AbortSignal
  /** The calls that run now. With several, the protocol does not say which one asks. */
  readonly calls: readonly ToolContext['call'][]
}

/** The functions of the host for requests of a server. What has no function is refused. */
export interface ServerRequests {
  readonly name: string
  /** Asks the person. Its absence declines every question. */
  readonly elicit?:
    | ((request: ElicitationRequest, context: RequestContext) => Promise<ElicitationAnswer>)
    | undefined
  /** Asks a model for a server, at most `maxCalls` times in the life of the connection. */
  readonly sampling?:
    | {
        readonly maxCalls: number
        readonly maxTokens: number
        run(request: SamplingRequest, context: RequestContext): Promise<SamplingAnswer>
      }
    | undefined
  /** Folders that the server may know of, such as that of the project; none when absent. */
  readonly roots?: readonly string[] | undefined
}

/** A request of a server to a model, as the protocol has it. */
export interface SamplingRequest {
  readonly messages: readonly unknown[]
  readonly systemPrompt?: string
  readonly maxTokens: number
}

export interface SamplingAnswer {
  readonly model: string
  readonly text: string
  readonly stopReason?: string
}

/** Answers what a server asks of its client. A request without a function of the host is refused. */
export function answerRequests(
  client: Client,
  { name, elicit, sampling, roots }: ServerRequests,
  running: () => readonly ToolContext[],
): void {
  const contextOf = (signal: AbortSignal): RequestContext => ({
    server: name,
    signal,
    calls: running().map(({ call }) => call),
  })
  if (elicit !== undefined) {
    client.registerCapabilities({ elicitation: { form: { applyDefaults: true }, url: {} } })
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
      const { message } = params
      const asked: ElicitationRequest =
        'url' in params
          ? { message, url: params.url }
          : { message, requestedSchema: params.requestedSchema as JsonValue }
      const { action, content } = await elicit(asked, contextOf(signal))
      return { action, ...(content !== undefined && { content: { ...content } }) }
    })
  }
  if (sampling !== undefined) {
    const { maxCalls, maxTokens } = sampling
    let made = 0
    client.registerCapabilities({ sampling: {} })
    client.setRequestHandler(
      'sampling/createMessage',
      async ({ params }, { mcpReq: { signal } }) => {
        made += 1
        if (made > maxCalls) {
          throw new ProtocolError(
            -1,
            `The host allows this server ${maxCalls} requests to a model.`,
          )
        }
        const { messages, systemPrompt } = params
        const request: SamplingRequest = {
          messages,
          ...(systemPrompt !== undefined && { systemPrompt }),
          maxTokens: Math.min(params.maxTokens, maxTokens),
        }
        const { model, text, stopReason } = await sampling.run(request, contextOf(signal))
        return {
          model,
          role: 'assistant' as const,
          content: { type: 'text' as const, text },
          ...(stopReason !== undefined && { stopReason }),
        }
      },
    )
  }
  if (roots !== undefined) {
    client.registerCapabilities({ roots: {} })
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }))
  }
}
