import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { isObject } from '../../../entries/kit.ts'

/** An answer of the scripted model, with the names of tools as the provider knows them. */
export interface ServedAnswer {
  readonly text?: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
}

/** A model on this machine that answers as a script says, in the forms of three providers. */
export interface ScriptedServer {
  /** Such as `http://127.0.0.1:40123/v1`. */
  readonly url: string
  /** Replaces the answers, one for each request. A request after the last one gets an empty text. */
  script(answers: readonly ServedAnswer[]): void
  close(): Promise<void>
}

/** The name of its model. */
export const SCRIPTED = 'scripted'

const NOTHING: ServedAnswer = { calls: [] }

/** Opens the server on a free port of the loopback. */
export async function openScriptedServer(): Promise<ScriptedServer> {
  let answers: readonly ServedAnswer[] = []
  let served = 0
  const take = () => {
    const [answer = NOTHING, ...others] = answers
    answers = others
    served += 1
    return answer
  }
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = request.method === 'POST' ? await json(request) : null
    switch (request.url) {
      case '/v1/chat/completions':
        if (isObject(body) && body['stream'] === true) streamChunks(response, take(), served)
        else send(response, completion(take(), served))
        break
      case '/v1/responses':
        send(response, writeResponse(take(), served))
        break
      case '/v1/messages':
        send(response, message(take(), served))
        break
      default:
        send(response, { object: 'list', data: [{ id: SCRIPTED, object: 'model' }] })
    }
  }
  const server = createServer((request, response) => {
    answerTo(request, response).catch(() => response.destroy())
  })
  // A server that closes an idle connection resets a client that is about to use it again.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    script: (given) => {
      answers = given
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

/** The calls of an answer in the form of Chat Completions. */
function toolCalls({ calls }: ServedAnswer, served: number) {
  return calls.map(({ name, input }, index) => ({
    id: callId(served, index),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

function callId(served: number, index: number): string {
  return `call_${served}_${index}`
}

function completion(answer: ServedAnswer, served: number): object {
  const calls = toolCalls(answer, served)
  return {
    id: `chatcmpl-${served}`,
    object: 'chat.completion',
    created: 0,
    model: SCRIPTED,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  }
}

function streamChunks(response: ServerResponse, answer: ServedAnswer, served: number): void {
  const chunk = (delta: object, reason: string | null) => ({
    id: `chatcmpl-${served}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: SCRIPTED,
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const calls = toolCalls(answer, served).map((call, index) => ({ index, ...call }))
  const delta = {
    role: 'assistant',
    content: answer.text ?? '',
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  response.setHeader('content-type', 'text/event-stream')
  const chunks = [chunk(delta, null), chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')]
  response.end(
    [...chunks.map((one) => JSON.stringify(one)), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join(''),
  )
}

function writeResponse({ text, calls }: ServedAnswer, served: number): object {
  const said = {
    type: 'message',
    id: `msg_${served}`,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: text ?? '', annotations: [] }],
  }
  return {
    id: `resp_${served}`,
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: SCRIPTED,
    output: [
      ...(text === undefined && calls.length > 0 ? [] : [said]),
      ...calls.map(({ name, input }, index) => ({
        type: 'function_call',
        id: `fc_${served}_${index}`,
        call_id: callId(served, index),
        name,
        arguments: JSON.stringify(input),
        status: 'completed',
      })),
    ],
    error: null,
    incomplete_details: null,
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  }
}

function message({ text, calls }: ServedAnswer, served: number): object {
  return {
    id: `msg_${served}`,
    type: 'message',
    role: 'assistant',
    model: SCRIPTED,
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, input }, index) => ({
        type: 'tool_use',
        id: callId(served, index),
        name,
        input,
      })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  }
}
