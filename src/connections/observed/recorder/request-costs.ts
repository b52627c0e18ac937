import {
  predictChange,
  type ProviderFacts,
  type RequestImage,
  type RequestPart,
} from '../../../entries/adapter.ts'
import type { Tool } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import { requestTokens, type RequestChange, type StepCost } from '../../../entries/plan.ts'
import { toolDefinition } from '../../../entries/manifest.ts'
import { changedText, toolAsLines } from './changed-text.ts'
import type { ShownRequest } from '../observation.ts'

/** Characters of a text whose tokens are counted; those of a longer one are estimated from its beginning. */
const MOST_COUNTED = 4_000

/** Characters of a session whose tokens are counted; those of later texts are estimated from them. */
const MOST_COUNTED_IN_ALL = 400_000

/** The parts of one request that are not messages. */
interface SeenRequest {
  /** Those whose definitions are in the prompt. */
  readonly tools: readonly Tool[]
  /** Those that the provider keeps out of it. */
  readonly deferred: readonly Tool[]
  readonly instructions: readonly { readonly id: string; readonly text: string }[]
  readonly sent?: ShownRequest | undefined
}

/** A request in the form that is compared with the next one. */
interface ComparedRequest {
  readonly tools: readonly RequestPart[]
  readonly instructions: readonly RequestPart[]
  readonly settings: ShownRequest['settings']
  /** The file has all of its settings and messages. */
  readonly isComplete: boolean
  readonly messages: readonly RequestPart[]
}

/** A message of a request, with those before it: forks share them. */
interface LastMessage {
  readonly part: RequestPart
  /** The number of messages up to this one, and their tokens. */
  readonly length: number
  readonly sum: number
  readonly before: LastMessage | null
}

/** Counts the tokens of the texts of a session; those of a long one are estimated from its first texts. */
export class TokenSampler {
  readonly #count: (text: string) => number
  #counted = { characters: 0, tokens: 0 }

  constructor(count: (text: string) => number) {
    this.#count = count
  }

  fork(): TokenSampler {
    const fork = new TokenSampler(this.#count)
    fork.#counted = { ...this.#counted }
    return fork
  }

  count(text: string): number {
    const counted = this.#counted
    if (counted.characters > MOST_COUNTED_IN_ALL) {
      return Math.round(text.length * (counted.tokens / counted.characters))
    }
    const head = text.slice(0, MOST_COUNTED)
    const tokens = this.#count(head)
    counted.characters += head.length
    counted.tokens += tokens
    return Math.round(tokens * (text.length / Math.max(1, head.length)))
  }
}

/** Counts and compares the requests of an observed session, as the ledger does those of Loadout. */
export class RequestCosts {
  readonly #facts: ProviderFacts
  readonly #sampler: TokenSampler
  #definitions = new Map<string, RequestPart>()
  #texts = new Map<string, RequestPart>()
  /** The last message of the request before, and the number of its messages that the next one has. */
  #last: LastMessage | null = null
  #kept = 0
  #keptTokens = 0
  /** Messages since then that no complete request has shown yet. */
  #added: string[] = []
  /** The messages are those of a complete request. */
  #isExact = false
  #before: ComparedRequest | null = null
  #previous = 0

  constructor(facts: ProviderFacts, sampler: TokenSampler) {
    this.#facts = facts
    this.#sampler = sampler
  }

  /** Returns the costs of a session that continues this one in another way. */
  fork(): RequestCosts {
    const fork = new RequestCosts(this.#facts, this.#sampler.fork())
    fork.#definitions = new Map(this.#definitions)
    fork.#texts = new Map(this.#texts)
    fork.#last = this.#last
    fork.#kept = this.#kept
    fork.#added = [...this.#added]
    fork.#isExact = this.#isExact
    fork.#before = this.#before
    fork.#previous = this.#previous
    return fork
  }

  /** Adds a message to the conversation. */
  add(text: string): void {
    if (text !== '') this.#added.push(text)
  }

  /** Begins the conversation again. */
  compact(): void {
    this.#added = []
    if (!this.#isExact) this.#kept = 0
  }

  /** Returns the cost of a request that is sent now. */
  next({ tools, deferred, instructions, sent }: SeenRequest): StepCost {
    const gone = this.#send(sent)
    const before = this.#before && { ...this.#before, messages: gone }
    const now: ComparedRequest = {
      tools: tools.map((tool) => this.#definition(tool)),
      instructions: instructions.map(({ id, text }) => this.#text(id, text)),
      settings: sent?.settings ?? {},
      isComplete: sent?.kept !== undefined,
      messages: this.#after(this.#kept),
    }
    const areComplete = now.isComplete && before?.isComplete !== false
    const image = this.#image(now, areComplete)
    const previous = before && this.#image(before, areComplete)
    const { changed, kept, price, lost, shared } = predictChange(previous, image, this.#facts)
    const tokens = {
      tools: sum(image.tools),
      instructions: sum(image.instructions),
      conversation: sum(image.conversation),
    }
    const cost: StepCost = {
      provider: this.#facts.name,
      order: this.#facts.order,
      tokens,
      messages: tokens.conversation,
      deferred: sum(deferred.map((tool) => this.#definition(tool))),
      instructions: textHash(instructions.map(({ text }) => text).join('\n\n')),
      previous: this.#previous,
      kept,
      changed: changed && this.#change(changed, shared, previous, image),
      price,
      lost,
    }
    this.#before = { ...now, messages: [] }
    this.#previous = requestTokens(cost)
    this.#kept = this.#length
    return cost
  }

  /** Takes the messages of the next request. Returns those that it no longer has from the place where it differs. */
  #send(sent: ShownRequest | undefined): readonly RequestPart[] {
    const { kept, added } = sent ?? {}
    const isFirst = kept !== undefined && !this.#isExact
    if (kept !== undefined && added !== undefined) {
      this.#kept = isFirst ? 0 : Math.min(kept, this.#length)
      this.#added = [...added]
      this.#isExact = true
    }
    const gone = this.#after(this.#kept)
    while (this.#last && this.#length > this.#kept) this.#last = this.#last.before
    this.#keptTokens = this.#last?.sum ?? 0
    for (const text of this.#added) {
      const part = this.#part('messages', text)
      const sum = (this.#last?.sum ?? 0) + part.tokens
      this.#last = { part, length: this.#length + 1, sum, before: this.#last }
    }
    this.#added = []
    // The messages before were not those of a request.
    return isFirst ? [] : gone
  }

  get #length(): number {
    return this.#last?.length ?? 0
  }

  /** Returns the messages after the first ones. */
  #after(count: number): readonly RequestPart[] {
    const parts: RequestPart[] = []
    for (let one = this.#last; one && one.length > count; one = one.before) parts.push(one.part)
    return parts.toReversed()
  }

  /** Returns a request as its provider reads it. The messages that both have are one part. */
  #image(
    { tools, instructions, settings, messages }: ComparedRequest,
    areComplete: boolean,
  ): RequestImage {
    const { order, name } = this.#facts
    const parts = Object.entries(settings)
      .filter(([id]) => areComplete || id === 'model')
      .map(([id, value]): RequestPart => ({ id, key: value, tokens: 0, text: () => value }))
    // Anthropic keeps tools and instructions when a parameter changes.
    const isWide = ({ id }: RequestPart) => id === 'model' || name !== 'anthropic'
    const [wide, narrow] = [parts.filter(isWide), parts.filter((part) => !isWide(part))]
    const head = { id: 'messages', key: 'kept', tokens: this.#keptTokens }
    const image = { tools, instructions, conversation: [...narrow, head, ...messages] }
    const [first = 'tools'] = order
    return { ...image, [first]: [...wide, ...image[first]] }
  }

  #change(
    { segment, part, at }: RequestChange,
    shared: number,
    previous: RequestImage | null,
    image: RequestImage,
  ): RequestChange {
    const { order } = this.#facts
    const [old, fresh] = [previous, image].map((one) =>
      one === null ? undefined : order.flatMap((name) => one[name])[shared],
    )
    const isMessage = segment === 'conversation' && part === 'messages'
    const ahead = order.slice(0, order.indexOf(segment)).flatMap((name) => image[name])
    const head = image[segment].findIndex(({ key }) => key === 'kept')
    return {
      segment,
      part,
      at,
      ...(isMessage && { message: this.#kept + shared - ahead.length - head - 1 }),
      text: changedText(old?.id === part ? old : undefined, fresh?.id === part ? fresh : undefined),
    }
  }

  #definition(tool: Tool): RequestPart {
    const known = this.#definitions.get(tool.hash)
    if (known !== undefined) return known
    const part: RequestPart = {
      ...this.#part(tool.name, JSON.stringify(toolDefinition(tool))),
      text: () => toolAsLines(tool),
    }
    this.#definitions.set(tool.hash, part)
    return part
  }

  /** Returns a part of the instructions. Each is counted once: nearly all requests have the same ones. */
  #text(id: string, text: string): RequestPart {
    const known = this.#texts.get(id)
    if (known?.text?.() === text) return known
    const part = this.#part(id, text)
    this.#texts.set(id, part)
    return part
  }

  #part(id: string, text: string): RequestPart {
    // A key may be the text itself: nothing stores it, and few parts are compared.
    return { id, key: text, tokens: this.#sampler.count(text), text: () => text }
  }
}

function sum(parts: readonly RequestPart[]): number {
  return parts.reduce((all, { tokens }) => all + tokens, 0)
}
