import { createRequire } from 'node:module'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { ServerSecrets } from './recorder-upstream.ts'

/** The secrets of a run. Each has a part of the form `PLANTED`. */
export interface Planted extends ServerSecrets {
  readonly key: string
  readonly environment: string
  /** Returns a text with more of them. */
  inText(random: () => number): string
  count(): number
}

/** A request that is sent: its id ends with the way in which it is answered. */
export interface Asked {
  readonly id: string
  /** Characters of its first message. */
  readonly size: number
  readonly planted: string
}

type Ask = (asked: Asked) => Promise<void>

/** The form of the part of a secret that is looked for. */
export const PLANTED = 'zq[0-9a-f]{22}'

export function plantSecrets(random: () => number): Planted {
  let count = 0
  const one = (by: () => number) => {
    count += 1
    return `zq${Array.from({ length: 22 }, () => Math.floor(by() * 16).toString(16)).join('')}`
  }
  const key = `sk-ant-api03-${one(random)}`
  const environment = one(random)
  const account = `org-${one(random)}`
  return {
    key,
    environment,
    cookie: one(random),
    account,
    count: () => count,
    inText(by) {
      const named = JSON.stringify({ password: one(by), inner: JSON.stringify({ token: one(by) }) })
      const url = `postgres://app:${one(by)}@db.example/app`
      return `Use ${key} of ${account}. ${environment} is set.\nDB_PASSWORD=${one(by)}\nghp_${one(by)}\n${named}\n${url}\n`
    },
  }
}

/** Opens the clients that are installed: each sends a request by an official SDK, or as programs without one do. */
export async function openClients(
  port: number,
  planted: Planted,
  installed: string,
): Promise<Readonly<Record<string, Ask>>> {
  const at = `http://127.0.0.1:${port}`
  const gemini = await openGemini(`${at}/gemini`, planted, installed)
  const openai = new OpenAI({
    baseURL: `${at}/openai`,
    apiKey: planted.key,
    organization: planted.account,
  })
  return {
    anthropic: askAnthropic(new Anthropic({ baseURL: `${at}/anthropic`, apiKey: planted.key })),
    responses: askResponses(openai),
    chat: askChat(openai),
    ...(gemini && { gemini }),
    http: (asked) => askBy(port, planted, asked),
  }
}

const isStreamed = ({ id }: Asked) => /:(?:stream|cut|slow)$/.test(id)

function messageOf({ size, planted }: Asked): string {
  return planted + 'Ä word '.repeat(size / 7)
}

/** Reads an answer; of a slow one the first parts, and then it leaves. Errors are part of the run. */
async function read(
  asked: Asked,
  ask: (signal: AbortSignal) => PromiseLike<unknown>,
): Promise<void> {
  const leaving = new AbortController()
  try {
    const answer = await ask(leaving.signal)
    if (!isStreamed(asked)) return
    for await (const _ of answer as AsyncIterable<unknown>) {
      if (asked.id.endsWith(':slow')) leaving.abort()
    }
  } catch {
    // The server cuts answers and refuses requests.
  }
}

function askAnthropic(client: Anthropic): Ask {
  return (asked) =>
    read(asked, (signal) => {
      const input = { password: 'x', note: asked.planted }
      const stream = isStreamed(asked)
      return client.messages.create(
        {
          model: 'claude-opus-4-8',
          max_tokens: 9,
          stream,
          metadata: { user_id: asked.planted },
          system: 'You help.',
          messages: [
            { role: 'user', content: messageOf(asked) },
            { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'search', input }] },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: 'c', content: asked.planted }],
            },
          ],
        },
        { headers: { 'x-bench': asked.id }, signal },
      )
    })
}

function askResponses(client: OpenAI): Ask {
  return (asked) =>
    read(asked, (signal) => {
      const input = messageOf(asked)
      const stream = isStreamed(asked)
      return client.responses.create(
        { model: 'gpt-5', input, stream, safety_identifier: asked.planted },
        { headers: { 'x-bench': asked.id }, signal },
      )
    })
}

function askChat(client: OpenAI): Ask {
  return (asked) =>
    read(asked, (signal) => {
      const stream = isStreamed(asked)
      return client.chat.completions.create(
        { model: 'gpt-5', stream, messages: [{ role: 'user', content: messageOf(asked) }] },
        { headers: { 'x-bench': asked.id }, signal },
      )
    })
}

/** The part of the SDK of Gemini that is used. */
interface GeminiModule {
  readonly GoogleGenAI: new (options: object) => {
    readonly models: Readonly<
      Record<'generateContent' | 'generateContentStream', (request: object) => Promise<unknown>>
    >
  }
}

/** Returns null where the SDK is not installed: it is with the clients, and not with this package. */
async function openGemini(
  baseUrl: string,
  { key }: Planted,
  installed: string,
): Promise<Ask | null> {
  const from = createRequire(join(installed, 'package.json'))
  let file: string
  try {
    file = from.resolve('@google/genai')
  } catch {
    return null
  }
  const { GoogleGenAI } = (await import(pathToFileURL(file).href)) as GeminiModule
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } })
  return (asked) =>
    read(asked, (abortSignal) => {
      const way = isStreamed(asked) ? 'generateContentStream' : 'generateContent'
      const httpOptions = { headers: { 'x-bench': asked.id } }
      const contents = messageOf(asked)
      return models[way]({ model: 'gemini-3', contents, config: { httpOptions, abortSignal } })
    })
}

/** Sends a request with a compressed body, a query and trailers, as programs without an SDK may. */
export async function askBy(port: number, { key }: Planted, asked: Asked): Promise<void> {
  const content = messageOf(asked)
  const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  const isZstd = asked.size % 2 === 0
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: `/anthropic/v1/messages?key=${key}&beta=true`,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Encoding': isZstd ? 'zstd' : 'gzip',
      'X-Bench': asked.id,
      Authorization: `Bearer ${key}`,
      Cookie: [`a=${key}`, 'b=2'],
      Trailer: 'X-Sum',
      'Transfer-Encoding': 'chunked',
    },
  })
  outgoing.addTrailers({ 'X-Sum': `${text.length}` })
  outgoing.end(isZstd ? zstdCompressSync(text) : gzipSync(text))
  const [answer] = await once(outgoing, 'response')
  try {
    for await (const _ of answer) if (asked.id.endsWith(':slow')) outgoing.destroy()
  } catch {
    // The server cuts answers.
  }
}
