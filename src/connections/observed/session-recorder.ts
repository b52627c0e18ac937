import type { Cause, ContentHash, Entry, JsonValue, Skill, Tool } from '../../entries/index.ts'
import { defineTool } from '../../entries/index.ts'
import { contentHash, firstSentence, textHash, tryOrUndefined } from '../../entries/kit.ts'
import { toolDefinition } from '../../entries/manifest.ts'
import type { StepCost } from '../../entries/plan.ts'
import type { Observation, ObservedSession, ShownText, ShownTool } from './observation.ts'
import type { RequestCosts } from './request-costs.ts'

type Event = Entry['event']
type Seen<Type extends Observation['type']> = Extract<Observation, { readonly type: Type }>

/** Turns observations into the entries that a session of Loadout would have. */
export class SessionRecorder {
  readonly entries: Entry[]
  readonly definitions = new Map<ContentHash, JsonValue>()
  readonly #skills: ReadonlyMap<string, Skill>
  readonly #results: ReadonlyMap<string, Seen<'result'>>
  /** The tools that are registered, by name. */
  readonly #tools = new Map<string, { readonly tool: Tool; readonly shown: ShownTool }>()
  /** The tools of requests; null when the transcript does not have them. */
  #shown: readonly ShownTool[] | null = null
  #texts: readonly ShownText[] = []
  #listed: ContentHash | null = null
  readonly #costs: RequestCosts
  readonly #active = new Set<string>()
  readonly #open = new Map<
    string,
    { readonly tool: string; readonly at: number; readonly skill?: string | undefined }
  >()
  #turn = 0
  #step = 0

  constructor(
    { seen }: ObservedSession,
    skills: ReadonlyMap<string, Skill>,
    opening: Entry,
    costs: RequestCosts,
  ) {
    this.entries = [opening]
    this.#costs = costs
    this.#skills = skills
    this.#results = new Map(
      seen.flatMap((one) => (one.type === 'result' ? [[one.call, one] as const] : [])),
    )
  }

  add(one: Observation): void {
    const { at } = one
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
        return this.#showTexts(one.texts)
      case 'skills':
        this.#listed = this.#keep(one.skills.map((skill) => ({ ...skill })))
        return
      case 'tools':
        this.#shown = one.tools
        return this.#register(one.tools, at)
      case 'request':
        return this.#request(at)
      case 'answer': {
        const { usage, model } = one
        const report = { usage, ...(model !== undefined && { model }) }
        return this.#write({ type: 'step.reported', step: this.#step, ...report }, HOST, at)
      }
      case 'call':
        return this.#call(one)
      case 'result':
        return this.#result(one)
      case 'loaded':
        return this.#load(one)
      case 'compacted': {
        const sections = this.#sections()
        this.#costs.compact()
        const { tokens } = one
        this.#write({ type: 'session.compacted', sections, rules: [], tokens }, HOST, at)
        // The summary does not have the instructions of skills.
        for (const owner of this.#active)
          this.#write({ type: 'source.closed', source: 'skill', owner, names: null }, HOST, at)
        this.#active.clear()
      }
    }
  }

  /** Stores a value, and returns its hash. */
  #keep(value: JsonValue): ContentHash {
    const hash = typeof value === 'string' ? textHash(value) : contentHash(value)
    this.definitions.set(hash, value)
    return hash
  }

  #write(event: Event, cause: Cause, at: number): void {
    this.entries.push({ seq: this.entries.length, at, cause, event })
  }

  /** Registers tools that are new or have another definition, and removes those that requests no longer have. */
  #register(tools: readonly ShownTool[], at: number): void {
    const names = new Set(tools.map(({ name }) => name))
    const left = [...this.#tools.keys()].filter((name) => !names.has(name))
    for (const name of left) this.#tools.delete(name)
    for (const [owner, own] of Map.groupBy(left, toolOwner)) {
      this.#write({ type: 'source.closed', source: SOURCE, owner, names: own }, HOST, at)
    }
    const fresh = tools.flatMap((shown) => {
      const tool = definedTool(shown)
      const known = this.#tools.get(shown.name)?.tool.hash
      this.#tools.set(shown.name, { tool, shown })
      this.definitions.set(tool.hash, toolDefinition(tool) as unknown as JsonValue)
      return known === tool.hash ? [] : [tool]
    })
    for (const [owner, own] of Map.groupBy(fresh, ({ name }) => toolOwner(name))) {
      const claims = own.map(({ name, hash, version }) => {
        return { name, definedAs: name, hash, version, bound: true, onConflict: 'refuse' as const }
      })
      const terms = { lifetime: 'session', requested: true, definition: null } as const
      this.#write({ type: 'source.opened', source: SOURCE, owner, claims, ...terms }, HOST, at)
    }
  }

  #showTexts(texts: readonly ShownText[]): void {
    const before = new Set(this.#texts.map(({ id, text }) => `${id} ${text}`))
    this.#texts = texts
    for (const { id, text } of texts) {
      if (!isSystem(id) && !before.has(`${id} ${text}`)) this.#costs.add(text)
    }
  }

  #request(at: number): void {
    this.#step += 1
    const exposed = (this.#shown ?? [...this.#tools.values()].map(({ shown }) => shown)).flatMap(
      ({ name, deferred, inputSchema }) => {
        const hash = this.#tools.get(name)?.tool.hash
        if (hash === undefined) return []
        const isFound = deferred === true && inputSchema !== undefined
        return [
          {
            name,
            hash,
            ...(deferred && { deferred }),
            ...(isFound && { referenced: true as const }),
          },
        ]
      },
    )
    const sections = this.#sections()
    const cost = this.#cost()
    this.#write(
      {
        type: 'step.begun',
        step: this.#step,
        strategy: STRATEGY,
        ...(this.#shown === null && { incomplete: true as const }),
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
  #cost(): StepCost | null {
    const system = this.#texts.filter(({ id }) => isSystem(id))
    if (this.#shown === null || system.length === 0) return null
    const known = this.#shown.flatMap((shown) => {
      const tool = this.#tools.get(shown.name)?.tool
      return tool ? [{ tool, shown }] : []
    })
    const [deferred, sent] = [true, false].map((isDeferred) =>
      known.filter(({ shown }) => (shown.deferred === true) === isDeferred),
    )
    if (sent?.some(({ shown }) => shown.inputSchema === undefined)) return null
    return this.#costs.next({
      tools: (sent ?? []).map(({ tool }) => tool),
      deferred: (deferred ?? []).map(({ tool }) => tool),
      instructions: system.map(({ text }) => text).join('\n\n'),
    })
  }

  #sections() {
    return this.#texts.map(({ id, title, text }) => ({ id, title, hash: this.#keep(text) }))
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
    if (!this.#tools.has(name)) {
      const all = [...this.#tools.values()].map(({ shown }) => shown)
      this.#register([...all, { name }], at)
    }
    const tool = this.#tools.get(name)?.tool
    if (tool === undefined) return
    this.#open.set(call, { tool: name, skill, at })
    const digest = contentHash(JSON.parse(JSON.stringify(input ?? null)))
    const about = { source: SOURCE, owner: toolOwner(name), hash: tool.hash, digest } as const
    const made = { category: tool.category, caller: 'model', confirmation: null } as const
    this.#write(
      { type: 'call.started', call, tool: name, ...about, ...made },
      { by: 'model', call },
      at,
    )
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
    const stored = ok ? { data: text } : { error: { type: 'PERMANENT', message: text } }
    const hash = this.#keep(stored)
    const durationMs = Math.max(0, at - began.at)
    this.#write(
      {
        type: 'call.ended',
        call,
        tool: began.tool,
        ok,
        error: ok ? null : 'PERMANENT',
        durationMs,
        intents: [],
        stored: hash,
      },
      { by: 'model', call },
      at,
    )
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

/** The description of a skill or tool of which the model, or its transcript, has the name alone. */
export const NOT_SHOWN = '(only the name is known)'

/** Returns true for a part of the text that a request begins with; the others are in the conversation. */
function isSystem(id: string): boolean {
  return id.startsWith('system-')
}

/** The strategy of requests that the agent itself puts together. */
const STRATEGY = 'observed'

const HOST: Cause = { by: 'host' }

const SOURCE = 'global'

/** Returns the server that a tool is of, in the names of Claude Code and Codex, else the agent. */
function toolOwner(name: string): string {
  const [, server] = /^mcp__(.+?)__/.exec(name) ?? []
  return server ?? 'agent'
}

/** Returns the definition of a tool; of one whose schema is not known, or cannot be read here, its name and description. */
function definedTool({ name, description, inputSchema }: ShownTool): Tool {
  const about = { name, description: description || NOT_SHOWN, execute: () => null }
  const plain = { type: 'object' }
  return (
    tryOrUndefined(() => defineTool({ ...about, inputSchema: (inputSchema ?? plain) as never })) ??
    defineTool({ ...about, inputSchema: plain })
  )
}
