import type { ShownRequest } from '../observation.ts'
import { lifetimeIn, messageText, settingsIn, sharedLength } from '../content/message-text.ts'
import { list, memberIn, number, object, text } from '../content/text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** Leaves out what no reader needs of a line: most of a long transcript is in it two or three times. */
export function withoutCopies(line: Line): Line {
  if (line['type'] === 'api-request-blob') {
    const { message, ...more } = line
    return { ...more, said: messageText(message) }
  }
  const result = line['toolUseResult']
  if (typeof result !== 'object') return line
  const { commandName, agentId } = object(result)
  return { ...line, toolUseResult: { commandName, agentId } }
}

/** A request as a line of the transcript has it: the hashes of its messages as a difference from another request. */
interface LoggedRequest {
  readonly shape: string
  readonly params: Line
  readonly base: string
  readonly keep: number
  readonly tail: readonly string[]
  readonly marks: readonly unknown[]
}

/** A complete request, and its instructions and tools in the form of the provider. */
interface ReadRequest {
  readonly shape: Line | null
  readonly sent: ShownRequest
  readonly lifetimeMs: number | undefined
}

/** The requests in a transcript of Claude Code 2.1.328: `api-request` lines, and the parts that they refer to. */
export class RequestLog {
  #shapes = new Map<string, Line>()
  #messages = new Map<string, string>()
  #requests = new Map<string, LoggedRequest>()
  /** The hashes of the messages of the last request of the conversation. */
  #last: string[] = []
  #lastId = ''

  /** Returns a log of the same requests, of which the next one follows the last one that was read here. */
  fork(): RequestLog {
    const fork = new RequestLog()
    fork.#shapes = this.#shapes
    fork.#messages = this.#messages
    fork.#requests = this.#requests
    fork.#last = [...this.#last]
    fork.#lastId = this.#lastId
    return fork
  }

  add(line: Line): void {
    switch (line['type']) {
      case 'api-request-shape':
        this.#shapes.set(text(line['shapeHash']), object(line['shape']))
        return
      case 'api-request-blob':
        this.#messages.set(text(line['hash']), text(line['said']) || messageText(line['message']))
        return
      case 'api-request':
        this.#requests.set(text(line['id']), {
          shape: text(line['shapeHash']),
          params: object(line['params']),
          base: text(line['base']),
          keep: number(line['keep']),
          tail: list(line['tail']).map(text),
          marks: list(line['cacheControl']).map((mark) => memberIn(mark, 'value')),
        })
    }
  }

  /** Returns the request that an answer belongs to; null where the transcript does not have it. */
  read(id: string): ReadRequest | null {
    const request = this.#requests.get(id)
    if (request === undefined) return null
    const { params, marks, shape } = request
    const settings = settingsIn({ ...params, model: undefined })
    return {
      shape: this.#shapes.get(shape) ?? null,
      sent: { settings, ...this.#difference(id, request) },
      lifetimeMs: lifetimeIn(marks),
    }
  }

  /** Returns the messages of a request as a difference from the last one that was read; none where one is missing. */
  #difference(id: string, request: LoggedRequest): Pick<ShownRequest, 'kept' | 'added'> {
    const { base, keep, tail } = request
    const isNext = base === this.#lastId && base !== ''
    const hashes = isNext ? null : this.#hashes(request)
    if (!isNext && hashes === null) return {}
    const kept =
      hashes === null ? Math.min(keep, this.#last.length) : sharedLength(this.#last, hashes)
    const added = hashes?.slice(kept) ?? tail
    const texts = added.flatMap((hash) => this.#messages.get(hash) ?? [])
    if (texts.length < added.length) return {}
    // A long conversation is not copied for each of its requests.
    this.#last.splice(kept, Infinity, ...added)
    this.#lastId = id
    return { kept, added: texts }
  }

  /** Returns the hashes of all messages of a request; null where a request that it continues is missing. */
  #hashes(request: LoggedRequest): string[] | null {
    const way = [request]
    const ids = new Set<string>()
    for (let one = request; one.base !== '' && one.keep > 0;) {
      const base = this.#requests.get(one.base)
      if (base === undefined || ids.has(one.base)) return null
      ids.add(one.base)
      way.push(base)
      one = base
    }
    let hashes: string[] = []
    for (const { keep, tail } of way.toReversed()) hashes = [...hashes.slice(0, keep), ...tail]
    return hashes
  }
}
