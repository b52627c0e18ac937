import { setImmediate } from 'node:timers/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, wrapLanguageModel } from 'ai'
import { type Redactor, WorkspaceError } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import type { ChatModel, ChatNotice } from './chat-event.ts'
import { type ChatPlace, openChatStore } from './chat-store.ts'
import {
  type ChatOpener,
  configuredModel,
  type ForkDesk,
  forkRunner,
  openChat,
  type OpenChat,
} from './open-chat.ts'
import { playScenario } from './play-scenario.ts'
import { toolsAsText } from './tools-as-text.ts'
import { modelFloods } from './whole-answers.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import type { Scenario } from '../../project/scenarios/read-scenario.ts'

export interface ModelChoice {
  /** `scripted` for the search without a model, or the address of a server and a model: `http://localhost:11434/v1#qwen3`. */
  readonly address?: string | undefined
  /** The model of the configuration, which answers when no address is given. */
  readonly configured?: unknown
  readonly key?: string | undefined
  /** Tokens of a request at most; asked from the server when absent. */
  readonly context?: number | undefined
  /** Hides secrets in the messages. */
  readonly redactor?: Redactor | undefined
}

/** Opens the model that the options of a command choose. Returns undefined for the search. */
export async function openModel({
  address,
  configured,
  key,
  context,
}: ModelChoice): Promise<ChatModel | undefined> {
  if (address === undefined && configured !== undefined) return configuredModel(configured, context)
  if (address === undefined || address === 'scripted') return undefined
  if (/^https?:\/\//u.test(address) && URL.canParse(address)) {
    return openServerModel(address, key, context)
  }
  throw new WorkspaceError('WRONG_USAGE', `"${address}" is not the address of a model.`, {
    hint: 'Write the URL of a server and the name of a model: --model http://localhost:11434/v1#qwen3. Or "scripted".',
  })
}

/** Opens the stored conversation of a session, with a scenario that is played, or with the model of the options. */
export async function openStoredChat(
  parts: Parameters<ChatOpener>[0],
  chats: ChatPlace | null,
  scenario: Scenario | null,
  choice: ModelChoice,
  forks: ForkDesk,
): Promise<OpenChat> {
  const { workspace, ask, store: known } = parts
  const store = known ?? openChatStore(chats, workspace.session, choice.redactor)
  const model =
    scenario === null
      ? await openModel(choice)
      : playScenario(scenario, workspace, () => store.messages)
  // The search and a scenario answer in the conversation of the person alone.
  forks.run = scenario === null && model !== undefined ? forkRunner(parts, model) : null
  return openChat({ workspace, ask, store, model })
}

/** Milliseconds to wait for the list of models. */
const LIST_MS = 5_000

/**
 * Opens a model of a server with the Chat Completions of OpenAI: Ollama, llama.cpp, LM Studio, vLLM. The list of its
 * models says the name, when only one is there, and how much the model reads.
 */
async function openServerModel(
  address: string,
  key: string | undefined,
  context: number | undefined,
): Promise<ChatModel> {
  const { baseURL, wanted } = readAddress(address)
  const listed = await listModels(baseURL, key)
  const id = wanted ?? onlyModel(listed, baseURL)
  const entry = listed.find((one) => one['id'] === id)
  const state = { isText: false, notices: [] as ChatNotice[] }
  const name = `${id} at ${new URL(baseURL).host}`
  const model = createOpenAICompatible({
    name: 'server',
    baseURL,
    ...(key !== undefined && { apiKey: key }),
    includeUsage: true,
    fetch: boundedFetch,
  })(id)
  return {
    // The outer one makes a refused request again: then the inner one writes the tools as text.
    model: wrapLanguageModel({
      model: wrapLanguageModel({ model, middleware: toolsAsText(() => state.isText) }),
      middleware: {
        specificationVersion: 'v4',
        async wrapStream({ doStream, params, model: inner }) {
          try {
            return await doStream()
          } catch (error) {
            if (state.isText || !refusesTools(error)) throw error
            state.isText = true
            state.notices.push(textNotice(name))
            return inner.doStream(params)
          }
        },
      },
    }),
    name,
    server: serverOf(entry ?? listed[0], baseURL),
    context: context ?? contextOf(entry),
    notices: () => state.notices.splice(0),
  }
}

function readAddress(address: string): { readonly baseURL: string; readonly wanted?: string } {
  const url = new URL(address)
  const wanted = decodeURIComponent(url.hash.slice(1))
  url.hash = ''
  const { href } = url
  const baseURL = href.endsWith('/') ? href.slice(0, -1) : href
  return wanted === '' ? { baseURL } : { baseURL, wanted }
}

/** The bytes of a response that are read without a break. */
const MOST_AT_ONCE = 16_384

/** Fetches a response that ends with an error when it is over its budget: a body may go on for ever. */
async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  const budget = new Budget('response')
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        const over = budget.take(chunk.length)
        if (over !== null) return controller.error(modelFloods(over))
        // What is made of a part takes long. Other work of this process runs before the next one.
        for (let at = 0; at < chunk.length; at += MOST_AT_ONCE) {
          controller.enqueue(chunk.subarray(at, at + MOST_AT_ONCE))
          await setImmediate()
        }
      },
    }),
  )
  const { status, statusText, headers } = response
  return counted === undefined ? response : new Response(counted, { status, statusText, headers })
}

type Listed = Readonly<Record<string, unknown>>

/** Returns the models of a server; none when it has no list. */
async function listModels(baseURL: string, key: string | undefined): Promise<readonly Listed[]> {
  try {
    const response = await boundedFetch(`${baseURL}/models`, {
      ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
      signal: AbortSignal.timeout(LIST_MS),
    })
    if (!response.ok) return []
    const read: unknown = await response.json()
    const data = isObject(read) ? read['data'] : null
    return Array.isArray(data) ? data.filter((one): one is Listed => isObject(one)) : []
  } catch {
    // The first request says what is wrong.
    return []
  }
}

function onlyModel(listed: readonly Listed[], baseURL: string): string {
  const ids = listed.map(({ id }) => id).filter((id) => typeof id === 'string')
  const [only] = ids
  if (only !== undefined && ids.length === 1) return only
  const known = ids.length === 0 ? '' : ` The server has ${ids.slice(0, 20).join(', ')}.`
  throw new WorkspaceError('WRONG_USAGE', `--model names no model of ${baseURL}.`, {
    hint: `Write its name after a #: --model ${baseURL}#${ids[0] ?? 'qwen3'}.${known}`,
  })
}

/** The fields in which servers say how many tokens a model reads, the one that is in use first. */
const CONTEXT_FIELDS = [
  'loaded_context_length',
  'max_model_len',
  'context_length',
  'max_context_length',
  'context_window',
]

function contextOf(entry: Listed | undefined): number | null {
  if (entry === undefined) return null
  const meta = isObject(entry['meta']) ? entry['meta'] : {}
  const values = [
    ...CONTEXT_FIELDS.map((field) => entry[field]),
    meta['n_ctx'],
    meta['n_ctx_train'],
  ]
  const found = values.find((value) => typeof value === 'number' && value > 0)
  return typeof found === 'number' ? found : null
}

function serverOf(entry: Listed | undefined, baseURL: string): string | null {
  const owner = String(entry?.['owned_by'] ?? '')
  if (/llama-?\.?cpp/iu.test(owner)) return 'llama.cpp'
  if (owner === 'vllm' || owner === 'sglang') return owner
  if (owner === 'library' || new URL(baseURL).port === '11434') return 'ollama'
  return null
}

/** Returns true for the refusal of a request because it has tools. */
function refusesTools(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false
  const { statusCode, responseBody = '' } = error
  const isRefused = statusCode === 400 || statusCode === 422 || statusCode === 501
  return isRefused && /\btool|\bfunction[_ ]call/iu.test(`${responseBody} ${error.message}`)
}

function textNotice(name: string): ChatNotice {
  return {
    type: 'notice',
    code: 'tools-as-text',
    message: `The server refuses tools, so they are described to ${name} in its instructions, and its calls are read from its text.`,
    hint: 'A model that was trained to call tools does better.',
  }
}
