import {
  predictChange,
  type ProviderFacts,
  type RequestImage,
  type RequestPart,
} from '../../entries/adapter.ts'
import type { Tool } from '../../entries/index.ts'
import { textHash } from '../../entries/kit.ts'
import { requestTokens, type StepCost } from '../../entries/plan.ts'
import { toolDefinition } from '../../entries/manifest.ts'

/** Characters of a text whose tokens are counted; those of a longer one are estimated from its beginning. */
const MOST_COUNTED = 20_000

/** The tools and the instructions of one request. */
interface SeenRequest {
  /** Those whose definitions are in the prompt. */
  readonly tools: readonly Tool[]
  /** Those that the provider keeps out of it. */
  readonly deferred: readonly Tool[]
  readonly instructions: string
}

/** Counts and compares the requests of an observed session, as the ledger does those of Loadout. */
export class RequestCosts {
  readonly #facts: ProviderFacts
  readonly #count: (text: string) => number
  readonly #definitions = new Map<string, RequestPart>()
  #conversation: RequestPart[] = []
  #before: RequestImage | null = null
  #previous = 0

  constructor(facts: ProviderFacts, count: (text: string) => number) {
    this.#facts = facts
    this.#count = count
  }

  /** Adds a message to the conversation. */
  add(text: string): void {
    if (text !== '') this.#conversation.push(this.#part('messages', text))
  }

  /** Begins the conversation again. */
  compact(): void {
    this.#conversation = []
  }

  /** Returns the cost of a request that is sent now. */
  next({ tools, deferred, instructions }: SeenRequest): StepCost {
    const image: RequestImage = {
      tools: tools.map((tool) => this.#definition(tool)),
      instructions: [this.#part('system', instructions)],
      conversation: [...this.#conversation],
    }
    const { changed, kept, price, lost } = predictChange(this.#before, image, this.#facts)
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
      instructions: textHash(instructions),
      previous: this.#previous,
      kept,
      changed: changed && { segment: changed.segment, part: changed.part, at: changed.at },
      price,
      lost,
    }
    this.#before = image
    this.#previous = requestTokens(cost)
    return cost
  }

  #definition(tool: Tool): RequestPart {
    const known = this.#definitions.get(tool.hash)
    if (known !== undefined) return known
    const part = this.#part(tool.name, JSON.stringify(toolDefinition(tool)))
    this.#definitions.set(tool.hash, part)
    return part
  }

  #part(id: string, text: string): RequestPart {
    return { id, key: textHash(text), tokens: this.#tokens(text) }
  }

  #tokens(text: string): number {
    const head = text.slice(0, MOST_COUNTED)
    return Math.round(this.#count(head) * (text.length / Math.max(1, head.length)))
  }
}

function sum(parts: readonly RequestPart[]): number {
  return parts.reduce((all, { tokens }) => all + tokens, 0)
}
