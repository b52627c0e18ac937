import type { Cause, ContentHash, Entry, JsonValue, Skill } from '../../../entries/index.ts'
import { contentHash, firstSentence } from '../../../entries/kit.ts'
import { requestTokens, type StepCost } from '../../../entries/plan.ts'
import { toolOwner } from './defined-tool.ts'
import type { Observation, ObservedSession, ShownRequest, ShownText } from '../observation.ts'
import {
  addSpent,
  ChildEntries,
  type ChildSpending,
  NOTHING_SPENT,
  type RecordedChild,
} from './recorded-child.ts'
import { RecordedTools, SOURCE } from './recorded-tools.ts'
import type { RequestCosts } from './request-costs.ts'

type Event = Entry['event']
type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

type Seen<Type extends Observation['type']> = Extract<Observation, { readonly type: Type }>

/** The catalog of a fork, when it is another one than that of its origin. */
export interface ForkedCatalog {
  readonly catalog: ContentHash
  readonly setup: ContentHash | undefined
  /** The skills of the origin that have another definition. */
  readonly changed: ReadonlySet<string>
}

interface RecorderParts {
  readonly skills: ReadonlyMap<string, Skill>
  readonly costs: RequestCosts
  readonly children: readonly RecordedChild[]
  /** Refuses a session whose lists are too long in all. */
  count(shown: readonly unknown[]): void
}

/** Turns observations into the entries that a session of Loadout would have. */
export class SessionRecorder {
  /** Those of the session itself: a fork has the entries of its origin before them. */
  readonly entries: Entry[] = []
  readonly definitions = new Map<ContentHash, JsonValue>()
  /** The number of entries of the origin. */
  #before = 0
  readonly #skills: ReadonlyMap<string, Skill>
  readonly #results: ReadonlyMap<string, Seen<'result'>>
  readonly #answers: ReturnType<typeof answerTexts>
  readonly #tools: RecordedTools
  #texts: readonly ShownText[] = []
  /** The texts of the last request, while they are the same. */
  #sections: EventOf<'step.begun'>['sections'] | null = null
  readonly #count: (shown: readonly unknown[]) => void
  #listed: ContentHash | null = null
  readonly #costs: RequestCosts
  #active = new Set<string>()
  #open = new Map<
    string,
    { readonly tool: string; readonly at: number; readonly skill?: string | undefined }
  >()
  #turn = 0
  #step = 0
  readonly #children: ChildEntries
  #spent: ChildSpending = NOTHING_SPENT

  constructor(
    { seen }: ObservedSession,
    { skills, costs, children, count }: RecorderParts,
    origin?: SessionRecorder,
  ) {
    const write = (event: Event, at: number) => this.#write(event, HOST, at)
    const { definitions } = this
    this.#tools = new RecordedTools({ write, definitions, count }, origin && origin.#tools)
    this.#children = new ChildEntries(children, (...entry) => this.#write(...entry))
    this.#costs = costs
    this.#count = count
    this.#skills = skills
    this.#answers = answerTexts(seen)
    this.#results = new Map(
      seen.flatMap((one) => (one.type === 'result' ? [[one.call, one] as const] : [])),
    )
  }

  /** Returns the recorder of a session that begins with the entries so far. */
  fork(
    observed: ObservedSession,
    {
      catalog,
      ...parts
    }: Omit<RecorderParts, 'costs'> & { readonly catalog: ForkedCatalog | null },
  ): SessionRecorder {
    const fork = new SessionRecorder(observed, { ...parts, costs: this.#costs.fork() }, this)
    fork.#before = this.length
    fork.#texts = this.#texts
    fork.#sections = this.#sections
    fork.#listed = this.#listed
    fork.#active = new Set(this.#active)
    fork.#open = new Map(this.#open)
    fork.#turn = this.#turn
    fork.#step = this.#step
    fork.#begin(observed, catalog)
    return fork
  }

  /** Writes that a session is a fork, and what it does not have of its origin. */
  #begin({ session, forkedFrom, seen }: ObservedSession, taken: ForkedCatalog | null): void {
    const at = seen[0]?.at ?? 0
    const from = { session: forkedFrom?.session ?? '', seq: this.length - 1 }
    this.#write({ type: 'session.forked', session, from }, HOST, at)
    for (const [call, { tool }] of this.#open) {
      if (this.#results.has(call)) continue
      this.#open.delete(call)
      this.#write({ type: 'call.abandoned', call, tool }, HOST, at)
    }
    if (taken?.setup === undefined) return
    const { catalog, setup, changed } = taken
    const kept = [...this.#active].filter((name) => changed.has(name))
    const about = { catalog, setup, ...(kept.length > 0 && { kept }) }
    this.#write({ type: 'catalog.taken', ...about }, HOST, at)
  }

  /** The number of entries, those of the origin included. */
  get length(): number {
    return this.#before + this.entries.length
  }

  add(one: Observation): void {
    const { at } = one
    this.#children.end((child) => child.until <= at)
    this.#children.open((child) => child.call === null && child.from <= at)
    switch (one.type) {
      case 'turn':
        this.#turn += 1
        this.#costs.add(one.text)
        return this.#write(
          { type: 'turn.begun', turn: this.#turn, said: this.#keep(one.text) },
          { by: 'user' },
          at,
        )
      case 'said':
        return this.#costs.add(one.text)
      case 'texts':
        this.#count(one.texts)
        return this.#showTexts(one.texts)
      case 'skills':
        this.#count(one.skills)
        this.#listed = this.#keep(one.skills.map((skill) => ({ ...skill })))
        return
      case 'tools':
        return this.#tools.replace(one.tools, at)
      case 'request':
        return this.#request(one.sent, at)
      case 'answer': {
        const { usage, model, lifetimeMs } = one
        const said = this.#answers.get(one)?.map((text) => this.#keep(text))
        const report = {
          usage,
          ...(said && { said }),
          ...(model !== undefined && { model }),
          ...(lifetimeMs !== undefined && { lifetimeMs }),
        }
        return this.#write({ type: 'step.reported', step: this.#step, ...report }, HOST, at)
      }
      case 'call':
        return this.#call(one)
      case 'result':
        return this.#result(one)
      case 'loaded':
        return this.#load(one)
      case 'compacted': {
        const sections = this.#shownTexts()
        this.#costs.compact()
        const about = { sections, rules: [], tokens: one.after ?? 0, before: one.tokens }
        this.#write({ type: 'session.compacted', ...about }, HOST, at)
        // The summary does not have the instructions of skills.
        for (const owner of this.#active)
          this.#write({ type: 'source.closed', source: 'skill', owner, names: null }, HOST, at)
        this.#active.clear()
      }
    }
  }

  /** Ends what is still open when the file ends. */
  end(): void {
    this.#children.open(() => true)
    this.#children.end(() => true)
  }

  /** The spending of the requests so far, and of the subagents that have ended. */
  get spent(): ChildSpending {
    return addSpent(this.#spent, this.#children.spent)
  }

  /** Stores a value, and returns its hash. */
  #keep(value: JsonValue): ContentHash {
    const hash = contentHash(value)
    this.definitions.set(hash, value)
    return hash
  }

  #write(event: Event, cause: Cause, at: number): void {
    this.entries.push({ seq: this.length, at, cause, event })
  }

  #showTexts(texts: readonly ShownText[]): void {
    const before = new Set(this.#texts.map(({ id, text }) => `${id} ${text}`))
    this.#texts = texts
    this.#sections = null
    for (const { id, text } of texts) {
      if (!isSystem(id) && !before.has(`${id} ${text}`)) this.#costs.add(text)
    }
  }

  #request(sent: ShownRequest | undefined, at: number): void {
    this.#step += 1
    const exposed = this.#tools.exposed()
    const sections = this.#shownTexts()
    const cost = this.#cost(sent)
    const { price = 0, lost = 0 } = cost ?? {}
    const tokens = cost ? requestTokens(cost) : 0
    this.#spent = addSpent(this.#spent, { steps: 1, tokens, price, lost })
    this.#write(
      {
        type: 'step.begun',
        step: this.#step,
        strategy: STRATEGY,
        ...(!this.#tools.areKnown && { incomplete: true as const }),
        exposed,
        sections,
        ...(this.#listed && { listed: this.#listed }),
        ...(cost && { cost }),
      },
      HOST,
      at,
    )
  }

  /** Returns the cost of a request of which all parts are known; null for any other. */
  #cost(sent: ShownRequest | undefined): StepCost | null {
    const instructions = this.#texts.filter(({ id }) => isSystem(id))
    const defined = this.#tools.defined()
    if (defined === null || instructions.length === 0) return null
    return this.#costs.next({ ...defined, instructions, sent })
  }

  #shownTexts(): EventOf<'step.begun'>['sections'] {
    this.#sections ??= this.#texts.map(({ id, title, text }) => ({
      id,
      title,
      hash: this.#keep(text),
    }))
    return this.#sections
  }

  #call({ call, tool: name, input, skill, at }: Seen<'call'>): void {
    this.#costs.add(`${name} ${JSON.stringify(input ?? null)}`)
    const ended = this.#results.get(call)
    if (ended?.outcome === 'refused') {
      if (skill !== undefined) return this.#refuse(skill, 'DENIED', ended)
      const message = firstSentence(ended.text) || 'The agent did not run it.'
      const refused = { command: 'call.start', subject: name, code: 'DENIED', message, hint: '' }
      return this.#write({ type: 'command.refused', ...refused }, { by: 'model', call }, at)
    }
    const tool = this.#tools.called(name, at)
    if (tool === undefined) return
    this.#open.set(call, { tool: name, skill, at })
    const digest = this.#keep(JSON.parse(JSON.stringify(input ?? null)) as JsonValue)
    const about = { source: SOURCE, owner: toolOwner(name), hash: tool.hash, digest } as const
    const made = { category: tool.category, caller: 'model', confirmation: null } as const
    this.#write(
      { type: 'call.started', call, tool: name, ...about, ...made },
      { by: 'model', call },
      at,
    )
    this.#children.open((child) => child.call === call)
  }

  /** Notes that a skill did not come into the conversation, though the model wanted it. */
  #refuse(skill: string, code: 'DENIED' | 'FAILED', { call, text, at }: Seen<'result'>): void {
    const subject = this.#skills.get(skill)?.name ?? skill
    const message = firstSentence(text) || 'The agent did not load it.'
    const refused = { command: 'skill.activate', subject, code, message, hint: '' }
    this.#write({ type: 'command.refused', ...refused }, { by: 'model', call }, at)
  }

  #result(result: Seen<'result'>): void {
    const { call, outcome, text, at } = result
    this.#costs.add(text)
    const began = this.#open.get(call)
    if (began === undefined) return
    this.#open.delete(call)
    const ok = outcome === 'ok'
    const stored = this.#keep(ok ? { data: text } : { error: { type: 'PERMANENT', message: text } })
    const durationMs = Math.max(0, at - began.at)
    const error = ok ? null : ('PERMANENT' as const)
    const about = { ok, error, durationMs, intents: [], stored }
    this.#write({ type: 'call.ended', call, tool: began.tool, ...about }, { by: 'model', call }, at)
    if (outcome === 'failed' && began.skill !== undefined)
      this.#refuse(began.skill, 'FAILED', result)
  }

  #load({ skill: name, call, text, at }: Seen<'loaded'>): void {
    this.#costs.add(text)
    const skill = this.#skills.get(name)
    if (skill === undefined || this.#active.has(skill.name)) return
    this.#active.add(skill.name)
    const { hash: definition } = skill
    const terms = { lifetime: 'session', requested: true, claims: [] } as const
    const cause: Cause = call === null ? { by: 'user' } : { by: 'model', call }
    this.#write(
      { type: 'source.opened', source: 'skill', owner: skill.name, definition, ...terms },
      cause,
      at,
    )
  }
}

/** Returns the texts of the model, by the answer that they are in: a transcript has them before or after its tokens. */
function answerTexts(seen: readonly Observation[]): ReadonlyMap<Seen<'answer'>, readonly string[]> {
  const answers = new Map<Seen<'answer'>, readonly string[]>()
  let texts: string[] = []
  for (const one of seen) {
    if (one.type === 'request') texts = []
    else if (one.type === 'said' && one.by === undefined && one.text !== '') texts.push(one.text)
    else if (one.type === 'answer') answers.set(one, texts)
  }
  return new Map([...answers].filter(([, all]) => all.length > 0))
}

/** Returns true for a part of the text that a request begins with; the others are in the conversation. */
function isSystem(id: string): boolean {
  return id.startsWith('system-')
}

/** The strategy of requests that the agent itself puts together. */
const STRATEGY = 'observed'

const HOST: Cause = { by: 'host' }
