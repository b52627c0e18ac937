import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { isObject, serialQueue } from '../../../entries/kit.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import { writeCutRun } from '../write-cut-run.ts'
import type { Exchange, ExchangeListener } from '../proxy/exchange-listener.ts'
import type { ObservedUsage } from '../observation.ts'
import { LatestTexts, type SharedText } from '../latest-texts.ts'
import { answerUsage, usageIn } from '../content/answer-usage.ts'
import { geminiModel } from '../content/gemini-body.ts'
import { jsonIn, list, object, text } from '../content/text-in-content.ts'
import { ExchangeRedactor, type SecretRules } from './exchange-redactor.ts'

/** The facts of a recorded exchange that a person reads. */
export interface RecordedExchange {
  readonly at: number
  readonly ms: number
  readonly address: string
  /** Null for a request to no model. */
  readonly asked: {
    readonly model: string
    readonly messages: number
    readonly tools: number
  } | null
  /** Null when there was no answer. */
  readonly status: number | null
  /** Null where the provider counted no tokens. */
  readonly usage: ObservedUsage | null
}

interface RecordingOptions extends SecretRules {
  /** The folder in which the agent runs. */
  readonly folder: string
  /** The name of the agent; absent where its requests alone say it. */
  readonly client?: string | undefined
  readonly onExchange: (exchange: RecordedExchange) => void
  /** Called once, when the file cannot be written. Nothing is recorded from then on. */
  readonly onFailure: (error: unknown) => void
}

/** A recording while it is written. */
interface Recording {
  readonly listener: ExchangeListener
  /** Resolves when everything that has ended is in the file. A file with nothing is removed. */
  close(): Promise<void>
}

/** Bytes of a body. Of a longer one, only the size is recorded. */
const LONGEST_BODY = 64 * 1024 * 1024

/** Characters of an answer that is no answer of a model, such as an error. */
const LONGEST_ERROR = 16_000

/**
 * Writes exchanges to a new file that only its owner can read: the entries of a HAR file, each in a line when it has ended. Keys,
 * cookies and accounts are left out, and secrets in texts are cut. Of an answer it has the tokens alone: the next
 * request has its text.
 */
export async function recordExchanges(file: string, options: RecordingOptions): Promise<Recording> {
  const handle = await open(file, 'ax', 0o600)
  const counter = await o200kCounter()
  const key = randomBytes(32)
  const redactor = new ExchangeRedactor(options, (run) =>
    writeCutRun(run, key, (text) => counter.count(text)),
  )
  const latest = new LatestTexts()
  const inOrder = serialQueue()
  let hasFailed = false
  let isEmpty = true
  const write = async (ended: EndedExchange): Promise<void> => {
    if (hasFailed) return
    try {
      const { entry, shown } = await recordedEntry(ended, redactor, latest)
      const { folder, client } = options
      const head = isEmpty ? [{ recording: 1, folder, client }] : []
      const lines = [...head, entry].map((line) => `${JSON.stringify(line)}\n`)
      await handle.appendFile(lines.join(''))
      isEmpty = false
      options.onExchange(shown)
    } catch (error) {
      hasFailed = true
      options.onFailure(error)
    }
  }
  return {
    listener: {
      begin: (head) => new OpenExchange(head, (ended) => void inOrder(() => write(ended))),
    },
    close: () =>
      inOrder(async () => {
        await handle.close()
        if (isEmpty) await rm(file, { force: true })
      }),
  }
}

type ExchangeHead = Parameters<ExchangeListener['begin']>[0]

/** An exchange with everything that passed. */
interface EndedExchange {
  readonly head: ExchangeHead
  readonly request: Body
  readonly answer: Parameters<Exchange['answered']>[0] | null
  readonly response: Body
  readonly how: Parameters<Exchange['ended']>[0]
  readonly endedAt: number
}

/** Collects what passes, until the exchange ends. */
class OpenExchange implements Exchange {
  readonly #head: ExchangeHead
  readonly #end: (ended: EndedExchange) => void
  readonly #request = new Body()
  readonly #response = new Body()
  #answer: EndedExchange['answer'] = null

  constructor(head: ExchangeHead, end: (ended: EndedExchange) => void) {
    this.#head = head
    this.#end = end
  }

  requestPart(bytes: Buffer): void {
    this.#request.add(bytes)
  }

  answered(head: Parameters<Exchange['answered']>[0]): void {
    this.#answer = head
  }

  responsePart(bytes: Buffer): void {
    this.#response.add(bytes)
  }

  ended(how: EndedExchange['how'], endedAt: number): void {
    const [request, response] = [this.#request, this.#response]
    this.#end({ head: this.#head, request, answer: this.#answer, response, how, endedAt })
  }
}

/** The bytes of a body; none of one that is too long. */
class Body {
  size = 0
  #parts: Buffer[] = []

  add(bytes: Buffer): void {
    this.size += bytes.length
    if (this.size > LONGEST_BODY) this.#parts = []
    else this.#parts.push(bytes)
  }

  /** Returns the text; '' for one that is too long, cut or in an encoding that is not known. */
  async text(headers: readonly string[]): Promise<string> {
    const bytes = Buffer.concat(this.#parts)
    const encoding = fieldIn(headers, 'content-encoding').toLowerCase()
    if (encoding === '' || encoding === 'identity') return bytes.toString()
    const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
    if (decode === undefined) return ''
    return decode(bytes, { maxOutputLength: LONGEST_BODY }).then(String, () => '')
  }
}

const DECODERS: Readonly<
  Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(gunzip),
  zstd: promisify(zstdDecompress),
}

function fieldIn(headers: readonly string[], name: string): string {
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name)
  return at < 0 ? '' : (headers[at + 1] ?? '')
}

/** Returns an exchange as an entry of a HAR file, and what is shown of it. */
async function recordedEntry(
  { head, request, answer, response, how, endedAt }: EndedExchange,
  redactor: ExchangeRedactor,
  latest: LatestTexts,
) {
  redactor.learn(head.url, [...head.headers, ...(answer?.headers ?? [])])
  const url = redactor.address(head.url)
  const body = redactor.body(await request.text(head.headers))
  const said = answer === null ? '' : await response.text(answer.headers)
  const isError = answer !== null && answer.status >= 400
  const kept = isError
    ? // A secret that the first cut divides is behind the second one.
      redactor.text(said.slice(0, 2 * LONGEST_ERROR)).slice(0, LONGEST_ERROR)
    : JSON.stringify({ usage: countsIn(answerUsage(said)) })
  const ms = endedAt - head.at
  const status = answer?.status ?? 0
  const entry = {
    startedDateTime: new Date(head.at).toISOString(),
    time: ms,
    request: {
      method: head.method,
      url,
      headers: redactor.fields(head.headers),
      bodySize: request.size,
      ...(body !== null && { postData: sharedData(latest.shorten(body)) }),
    },
    response: {
      status,
      headers: redactor.fields(answer?.headers ?? []),
      bodySize: response.size,
      content: { size: response.size, mimeType: 'application/json', text: kept },
    },
    _ended: how,
    _session: redactor.session(head.headers),
  }
  const shown = { at: head.at, ms, address: url, asked: askedIn(url, body) }
  return { entry, shown: { ...shown, status: answer?.status ?? null, usage: usageIn(said) } }
}

function askedIn(url: string, body: string | null): RecordedExchange['asked'] {
  const sent = object(jsonIn(body ?? ''))
  const model = geminiModel(url) ?? text(sent['model'])
  if (model === '') return null
  const messages = list(sent['messages'] ?? sent['input'] ?? sent['contents']).length
  return { model, messages, tools: list(sent['tools']).length }
}

/** Returns the numbers of what a provider counted: another provider may write any text there. */
function countsIn(usage: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const counts = Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
    if (!/^[a-z0-9_]{1,40}$/.test(name)) return []
    if (typeof value === 'number') return [[name, value]]
    return isObject(value) ? [[name, countsIn(value)]] : []
  })
  return Object.fromEntries(counts)
}

/** Returns the body of a request as a recording has it; a member with an underscore is the recording's own. */
function sharedData({ text, shared }: SharedText) {
  return { mimeType: 'application/json', text, ...(shared && { _shared: shared }) }
}
