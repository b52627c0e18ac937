import { NOT_SHOWN, toolOwner } from '../../../connections/observed/recorder/defined-tool.ts'
import { filesInText } from '../../../connections/observed/recorder/changed-text.ts'
import { TokenSampler } from '../../../connections/observed/recorder/request-costs.ts'
import { PROVIDER_FACTS, type ProviderFacts } from '../../../entries/adapter.ts'
import type { ContentHash, Entry, JsonValue, WorkspaceEvent } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import { requestTokens } from '../../../entries/plan.ts'
import { cacheMisses } from './cache-misses.ts'
import {
  addCarried,
  type CountedRequest,
  rounded,
  groupRequests,
  sum,
  type Stored,
} from './counted-request.ts'
import type { AskedMessage, CarriedTokens, SessionUsage, ToolPair } from './session-usage.ts'
import { FITS, SkillTally } from './skill-tally.ts'

type BegunStep = Extract<WorkspaceEvent, { readonly type: 'step.begun' }>
type EventOf<Type extends WorkspaceEvent['type']> = Extract<WorkspaceEvent, { readonly type: Type }>

export interface SummaryParts {
  readonly stored: Stored
  readonly count: (text: string) => number
  /** Hides secrets in a text. */
  readonly redact: (text: string) => string
}

/** Characters of a message that are read: the rest is pasted text, such as a log. */
const MOST_READ = 4_000
const MOST_REDACTED = 1_000_000

/** Characters of a message, and of a description, that are kept. */
const MOST_KEPT = 300
const MOST_DESCRIBED = 1_000

/** The tools with which models search for others. */
const SEARCHES: ReadonlySet<string> = new Set(['ToolSearch', 'tool_search'])

/** The tools with which models load skills. */
const LOADERS: ReadonlySet<string> = new Set(['Skill', 'skill', 'loadSkill'])

/** Summarises a session of any agent. Pure: it asks nothing but what it is given. */
export function summariseSession(entries: readonly Entry[], parts: SummaryParts): SessionUsage {
  const summary = new Summary(entries, parts)
  for (const entry of entries) summary.add(entry)
  return summary.finish()
}

class Summary {
  readonly #entries: readonly Entry[]
  readonly #parts: SummaryParts
  readonly #sampler: TokenSampler
  readonly #facts: ProviderFacts
  readonly #opened: EventOf<'session.opened'> | null
  /** The entries before are those of the session that this one was forked from. */
  readonly #from: number
  readonly #counts = new Map<string, number>()
  readonly #requests: CountedRequest[] = []
  readonly #reported = { requests: 0, input: 0, cached: 0, written: 0, output: 0 }
  readonly #models = new Set<string>()
  readonly #skills: SkillTally
  readonly #owners = new Map<string, string>()
  readonly #calls = new Map<string, { calls: number; failures: number; results: number }>()
  readonly #pairs = new Map<string, { first: string; then: string; after: CountedRequest[][] }>()
  readonly #messages: AskedMessage[] = []
  #message: { entry: number; text: string; before: readonly string[]; loaded: Set<string> } | null =
    null
  #lastTool = ''
  /** The requests in which the model searched for tools since the last call. */
  #searching: CountedRequest[] = []

  constructor(entries: readonly Entry[], parts: SummaryParts) {
    this.#entries = entries
    this.#parts = parts
    this.#sampler = new TokenSampler(parts.count)
    this.#from = entries.findLast(({ event }) => event.type === 'session.forked')?.seq ?? 0
    const opening = entries[0]?.event
    this.#opened = opening?.type === 'session.opened' ? opening : null
    const setup = this.#opened?.setup && parts.stored.get(this.#opened.setup)
    const name = isObject(setup) ? setup['provider'] : null
    const found = Object.values(PROVIDER_FACTS).find((one) => one.name === name)
    this.#facts = found ?? PROVIDER_FACTS.compatible
    this.#skills = new SkillTally(
      parts.stored,
      parts.count,
      this.#facts,
      this.#opened?.observed !== undefined,
    )
  }

  add({ seq, event, cause }: Entry): void {
    switch (event.type) {
      case 'turn.begun':
        return this.#turn(seq, event)
      case 'step.begun':
        return this.#request(seq, event)
      case 'step.reported':
        return this.#report(seq, event)
      case 'source.opened':
        for (const { name } of event.claims) this.#owners.set(name, event.owner)
        if (event.source !== 'skill') return
        return this.#load(seq, event, cause.by === 'model' ? cause.call : null)
      case 'source.closed':
        return event.source === 'skill' ? this.#skills.close(event.owner) : undefined
      case 'call.started':
        return this.#call(seq, event)
      case 'call.ended':
        return this.#result(seq, event)
    }
  }

  finish(): SessionUsage {
    this.#endTurn()
    const opened = this.#opened
    const forked = this.#entries[this.#from]?.event
    const requests = this.#requests
    return {
      session: forked?.type === 'session.forked' ? forked.session : (opened?.session ?? ''),
      client: opened?.observed?.client ?? 'loadout',
      folder: opened?.observed?.folder ?? null,
      parent: opened?.parent?.session ?? null,
      from: this.#entries[this.#from]?.at ?? 0,
      until: this.#entries.at(-1)?.at ?? 0,
      models: [...this.#models].toSorted(),
      requests: requests.length,
      reported: this.#reported,
      price: Math.round(sum(requests.map(({ price }) => price))),
      skills: this.#skills.finish(requests),
      tools: this.#tools(),
      parts: this.#texts(),
      misses: cacheMisses(this.#entries, this.#facts, this.#from),
      messages: this.#messages,
      pairs: this.#toolPairs(),
    }
  }

  #turn(seq: number, { said }: EventOf<'turn.begun'>): void {
    this.#endTurn()
    this.#lastTool = ''
    const text = said === undefined ? undefined : this.#parts.stored.get(said)
    if (typeof text !== 'string' || seq < this.#from) return
    this.#message = { entry: seq, text, before: this.#skills.active(), loaded: new Set() }
  }

  /** Judges which skill the message of the turn fits, after what was done for it is known. */
  #endTurn(): void {
    if (this.#message === null) return
    const { entry, text, before, loaded } = this.#message
    this.#message = null
    // A secret that is cut in two would not be recognised.
    const plain = this.#parts.redact(text.slice(0, MOST_REDACTED)).slice(0, MOST_READ)
    const said = plain.replaceAll(/<[^<>]{0,200}>/g, ' ')
    this.#skills.endTurn(said)
    // A command of the person is no message.
    const found = text.startsWith('<') ? null : this.#skills.find(said)
    const isServed = found !== null && (loaded.has(found.skill) || before.includes(found.skill))
    const missed = found === null || isServed || found.confidence < FITS ? null : found
    const kept = cut(said.replaceAll(/\s+/g, ' ').trim(), MOST_KEPT)
    this.#messages.push({ entry, text: kept, loaded: [...loaded].toSorted(), missed })
  }

  #request(seq: number, event: BegunStep): void {
    this.#skills.list(event.listed ?? (this.#opened?.observed ? undefined : this.#opened?.catalog))
    if (seq < this.#from) return
    const { cost } = event
    const again = cost === undefined ? 0 : requestTokens(cost) * this.#facts.read
    const { read: factor } = this.#facts
    const counted = { price: cost?.price ?? 0, again, factor, share: 0, calls: 0, loads: 0 }
    const request = { begun: event, ...counted }
    this.#requests.push(request)
    this.#skills.request()
  }

  #report(seq: number, { usage, model, step }: EventOf<'step.reported'>): void {
    const request = this.#requests.at(-1)
    if (seq < this.#from || request?.begun.step !== step) return
    if (model !== undefined) this.#models.add(model)
    const { input, cached = 0, written = 0, output } = usage
    const reported = this.#reported
    reported.requests += 1
    reported.input += input
    reported.cached += cached
    reported.written += written
    reported.output += output
    const { read, write } = this.#facts
    request.price = Math.max(0, input - cached - written) + written * write + cached * read
    request.factor = cached + written === 0 ? 1 : read
    request.again = input * request.factor
    const { cost, sections } = request.begun
    const front = cost
      ? cost.tokens.tools + cost.tokens.instructions
      : sum(sections.map(({ hash }) => this.#stored(hash)))
    request.share = cached === 0 ? 0 : Math.min(1, cached / Math.max(1, front))
  }

  #load(seq: number, event: EventOf<'source.opened'>, call: string | null): void {
    const request = call === null ? undefined : this.#requests.at(-1)
    const load = seq < this.#from ? undefined : { call, request }
    const name = this.#skills.open(event.owner, event.definition, load)
    this.#message?.loaded.add(name)
  }

  #call(seq: number, { call, tool, caller, owner }: EventOf<'call.started'>): void {
    if (!this.#owners.has(tool)) this.#owners.set(tool, owner)
    if (seq < this.#from) return
    this.#tally(tool).calls += 1
    const request = this.#requests.at(-1)
    if (caller === 'model' && request) request.calls += 1
    if (caller !== 'model' || LOADERS.has(tool)) return
    if (SEARCHES.has(tool)) return void (request && this.#searching.push(request))
    this.#skills.call(call, tool)
    const first = this.#lastTool
    if (first !== '' && first !== tool) {
      const key = JSON.stringify([first, tool])
      const pair = this.#pairs.get(key) ?? { first, then: tool, after: [] }
      pair.after.push(this.#searching)
      this.#pairs.set(key, pair)
    }
    this.#lastTool = tool
    this.#searching = []
  }

  #result(seq: number, { tool, ok, stored }: EventOf<'call.ended'>): void {
    if (seq < this.#from) return
    const tally = this.#tally(tool)
    if (!ok) tally.failures += 1
    const value = stored && this.#parts.stored.get(stored)
    if (!isObject(value)) return
    const said = value['data'] ?? value['error']
    tally.results += this.#sampler.count(typeof said === 'string' ? said : JSON.stringify(said))
  }

  #tally(tool: string) {
    const known = this.#calls.get(tool) ?? { calls: 0, failures: 0, results: 0 }
    this.#calls.set(tool, known)
    return known
  }

  #stored(hash: ContentHash): number {
    const value = this.#parts.stored.get(hash)
    return value === undefined ? 0 : this.#known(hash, () => sentText(value))
  }

  /** Counts a text that many requests have once. */
  #known(key: string, text: () => string): number {
    const tokens = this.#counts.get(key) ?? this.#sampler.count(text())
    this.#counts.set(key, tokens)
    return tokens
  }

  #tools(): SessionUsage['tools'] {
    const tools = new Map<
      string,
      { requests: number; deferred: number; shown: CarriedTokens; description: string }
    >()
    const known = this.#requests.filter(({ begun }) => begun.incomplete !== true)
    const runs = groupRequests(known.map((one) => [one, one.begun.exposed] as const))
    for (const [exposed, { requests, shares }] of runs) {
      for (const { name, hash, deferred, referenced, removed } of exposed) {
        if (removed === true) continue
        const before = tools.get(name) ?? { ...NOT_YET, description: '' }
        const isBare = deferred === true && referenced !== true
        const size = isBare ? 0 : this.#stored(hash)
        const defined = this.#parts.stored.get(hash)
        const said = isObject(defined) ? String(defined['description']) : NOT_SHOWN
        tools.set(name, {
          requests: before.requests + (isBare ? 0 : requests),
          deferred: before.deferred + (isBare ? requests : 0),
          shown: addCarried(before.shown, size, requests, shares),
          description: said === NOT_SHOWN ? before.description : cut(said, MOST_DESCRIBED),
        })
      }
    }
    const names = [...new Set([...tools.keys(), ...this.#calls.keys()])].toSorted()
    return names.map((name) => {
      const shown = tools.get(name) ?? { ...NOT_YET, description: '' }
      const server = this.#owners.get(name) ?? toolOwner(name)
      const description = server === 'agent' ? '' : shown.description
      const called = this.#calls.get(name) ?? { calls: 0, failures: 0, results: 0 }
      return { name, server, ...shown, description, ...called, shown: rounded(shown.shown) }
    })
  }

  #texts(): SessionUsage['parts'] {
    const parts = new Map<string, { isFile: boolean; requests: number; shown: CarriedTokens }>()
    const runs = groupRequests(this.#requests.map((one) => [one, one.begun.sections] as const))
    for (const [sections, { requests, shares }] of runs) {
      for (const { id, title = id, hash } of sections) {
        const text = this.#parts.stored.get(hash)
        if (typeof text !== 'string') continue
        for (const [file, own] of filesInText(text)) {
          const name = file ?? title
          const before = parts.get(name) ?? { isFile: file !== null, ...NOT_YET }
          const size = this.#known(`${hash} ${name}`, () => own)
          const shown = addCarried(before.shown, size, requests, shares)
          parts.set(name, { ...before, requests: before.requests + requests, shown })
        }
      }
    }
    return [...parts].map(([name, part]) => {
      return { name, isFile: part.isFile, requests: part.requests, shown: rounded(part.shown) }
    })
  }

  #toolPairs(): readonly ToolPair[] {
    return [...this.#pairs.values()].map(({ first, then, after }) => {
      const searched = after.filter((one) => one.length > 0)
      const price = Math.round(sum(searched.flat().map(({ again }) => again)))
      return { first, then, times: after.length, searches: searched.length, price }
    })
  }
}

const NOT_YET = { requests: 0, deferred: 0, shown: { tokens: 0, cached: 0 } } as const

/** Returns the text that a request has of a stored value: the definition of a tool has more than its request. */
function sentText(value: JsonValue): string {
  if (typeof value === 'string') return value
  const { name, description, inputSchema } = isObject(value) ? value : {}
  return JSON.stringify({ name, description, inputSchema })
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}
