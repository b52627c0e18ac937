import { dice } from '../../../connections/observed/losses/planted-loss.ts'

/** A skill of the scripted agents, with the part that it plays. */
export interface PlantedSkill {
  readonly name: string
  readonly description: string
  readonly part: 'used' | 'rare' | 'dead' | 'missed' | 'together' | 'unnamed' | 'long'
  /** Messages that it is right for. */
  readonly messages: readonly string[]
  readonly body: string
}

/** One call of a scripted model. */
export interface PlantedCall {
  readonly tool: string
  /** The skill that it loads. */
  readonly skill?: string
  readonly result: string
  readonly isFailed?: true
}

/** One request of a scripted session, with what its provider counts. */
export interface PlantedRequest {
  readonly at: number
  readonly model: string
  /** The message of the person before it; null where there is none. */
  readonly said: string | null
  /** The conversation is summarised before it. */
  readonly isCompacted: boolean
  readonly tools: readonly string[]
  readonly system: string
  readonly memory: string
  readonly calls: readonly PlantedCall[]
  readonly usage: {
    readonly input: number
    readonly cached: number
    readonly written: number
    readonly output: number
  }
}

/** A loss of the cache that was planted. */
export interface PlantedMiss {
  readonly step: number
  readonly cause: string
  readonly who: string | null
  readonly tokens: number
}

export interface PlantedSession {
  readonly client: 'claude-code' | 'codex'
  readonly session: string
  readonly requests: readonly PlantedRequest[]
  readonly misses: readonly PlantedMiss[]
  readonly missed: readonly string[]
}

const filler = (topic: string, count: number) =>
  Array.from({ length: count }, (_, at) => `Step ${at + 1} of ${topic}: do it with care.`).join(
    '\n',
  )

const skill = (
  name: string,
  part: PlantedSkill['part'],
  description: string,
  messages: readonly string[] = [],
  body = filler(name, 4),
): PlantedSkill => ({ name, part, description, messages, body })

export const SKILLS: readonly PlantedSkill[] = [
  skill('invoice-audit', 'used', 'Audits supplier invoices against purchase orders.', [
    'Audit the supplier invoices against the purchase orders.',
  ]),
  skill('release-notes', 'used', 'Writes release notes from merged changes.', [
    'Write the release notes from the merged changes.',
  ]),
  skill('map-tiles', 'used', 'Renders map tiles from elevation rasters.', [
    'Render map tiles from these elevation rasters.',
  ]),
  skill('orbit-fit', 'rare', 'Fits satellite orbits to radar observations.', [
    'Fit the satellite orbits to the radar observations.',
  ]),
  skill('tax-forms', 'dead', 'Fills quarterly tax forms.'),
  skill('font-subset', 'dead', 'Subsets fonts to the glyphs of a brochure.'),
  skill('mail-digest', 'dead', 'Summarises unread mail every morning.'),
  skill('inbox-summary', 'dead', 'Summarises unread mail every morning.'),
  skill('photo-resize', 'dead', 'Resizes holiday photos for the album.'),
  skill('image-scale', 'dead', 'Resizes photos of the holiday for an album.'),
  skill('seat-plan', 'missed', 'Draws seating plans for weddings.', [
    'Draw the seating plans for the wedding.',
  ]),
  skill('kiln-log', 'missed', 'Logs kiln temperatures of pottery firings.', [
    'Log the kiln temperatures of the pottery firings.',
  ]),
  skill('tile-cut', 'together', 'Cuts ceramic tiles into mosaics.', [
    'Cut the ceramic tiles into mosaics.',
  ]),
  skill('grout-mix', 'together', 'Mixes grout of a chosen colour.'),
  skill('stock-report', 'unnamed', 'Counts items and prints the inventory.', [
    'Are bolts on the shelf?',
    'Which shelf has bolts?',
    'Has the shelf bolts?',
  ]),
  skill(
    'lab-manual',
    'long',
    'Runs the centrifuge of the laboratory.',
    ['Run the centrifuge of the laboratory.'],
    [
      `# Centrifuge\n\nRun the centrifuge of the laboratory slowly.\n${filler('the centrifuge', 20)}`,
      `# Autoclave\n\n${filler('sterile glassware', 60)}`,
      `# Microscope\n\n${filler('lenses', 60)}`,
    ].join('\n\n'),
  ),
]

export const TOOLS: Readonly<Record<string, string>> = {
  Read: 'Reads a file.',
  Skill: 'Loads a skill.',
  ToolSearch: 'Finds tools.',
  mcp__store__list_orders: 'Lists the orders of a shop.',
  mcp__store__open_order: 'Opens one order of a shop.',
  mcp__maps__draw: 'Draws a map.',
}

/** Longer than the least prefix that a provider caches. */
const SYSTEM = `You are a scripted agent.\nBe brief.\n${filler('each task', 95)}`
export const MEMORY = '/project/CLAUDE.md'
export const PROJECT = '/project'

/** The causes that each transcript shows. */
const CAUSES = {
  'claude-code': ['tools', 'instructions', 'memory', 'model', 'compaction', 'time', null, null],
  codex: ['model', 'compaction', 'time', null],
} as const

const MINUTE = 60_000

/** Plans sessions by a seed: the same each time. */
export function plantSessions(seed: number, count: number): readonly PlantedSession[] {
  const roll = dice(seed)
  return Array.from({ length: count }, (_, index) => {
    const at = Date.UTC(2026, 10, 1) + index * 90 * MINUTE
    return new Script(index % 3 === 2 ? 'codex' : 'claude-code', index, at, roll).play()
  })
}

/** Writes one session request by request, with a provider that keeps all that it was sent. */
class Script {
  readonly #client: PlantedSession['client']
  readonly #index: number
  readonly #roll: () => number
  readonly #requests: PlantedRequest[] = []
  readonly #misses: PlantedMiss[] = []
  readonly #missed: string[] = []
  #at: number
  #said: string | null = null
  #model = 'scripted-1'
  #system = SYSTEM
  #memory = 'Rule 1: be kind.'
  #tools = ['Read', 'Skill', 'ToolSearch', 'mcp__store__list_orders', 'mcp__store__open_order']
  #size = 6_000
  #isCompacted = false
  #miss: { cause: string; who: string | null } | null = null

  constructor(client: PlantedSession['client'], index: number, at: number, roll: () => number) {
    this.#client = client
    this.#index = index
    this.#at = at
    this.#roll = roll
  }

  play(): PlantedSession {
    const used = SKILLS.filter(({ part }) => part === 'used')
    this.#turn(used[this.#index % used.length])
    // One word of it is in the description of a skill, which it does not fit.
    this.#say('Please go on, and draw a line.')
    this.#request([{ tool: 'Read', result: 'The file.' }])
    this.#plant()
    this.#request([{ tool: 'Read', result: 'No such file.', isFailed: true }])
    this.#request([])
    const parts = ['missed', 'together', 'unnamed', 'long'] as const
    const part = parts[this.#index % parts.length]
    const own = SKILLS.filter((one) => one.part === part)
    if (part === 'together') this.#turn(own[0], own[1])
    else if (part === 'missed') this.#turnWithout(own[Math.floor(this.#roll() * own.length)])
    else this.#turn(own[0])
    if (this.#index === 7) this.#turn(SKILLS.find((one) => one.part === 'rare'))
    if (this.#index % 5 === 0) this.#order()
    const [client, session] = [this.#client, `planted-${this.#index}`]
    const [requests, misses, missed] = [this.#requests, this.#misses, this.#missed]
    return { client, session, requests, misses, missed }
  }

  #say(text: string): void {
    this.#said = text
  }

  /** A message that fits a skill, which the model loads, and others after it. */
  #turn(...skills: readonly (PlantedSkill | undefined)[]): void {
    const [first] = skills
    const messages = first?.messages ?? []
    this.#say(messages[this.#index % messages.length] ?? '')
    for (const one of skills) {
      if (one === undefined) continue
      this.#request([{ tool: 'Skill', skill: one.name, result: `Launching skill: ${one.name}` }])
    }
    this.#request([{ tool: 'Read', result: 'Some lines.' }])
    this.#request([])
  }

  /** A message that fits a skill, and a model that does without. */
  #turnWithout(one: PlantedSkill | undefined): void {
    this.#say(one?.messages[0] ?? '')
    this.#missed.push(one?.name ?? '')
    this.#request([{ tool: 'Read', result: 'Some lines.' }])
    this.#request([])
  }

  /** A tool, after which the model searches for the one that is always next. */
  #order(): void {
    this.#say('Please go on.')
    this.#request([{ tool: 'mcp__store__list_orders', result: '1, 2' }])
    if (this.#client === 'claude-code')
      this.#request([{ tool: 'ToolSearch', result: 'open_order' }])
    this.#request([{ tool: 'mcp__store__open_order', result: 'Order 1' }])
    this.#request([])
  }

  /** Changes something, so that the next request loses a part of the cache. */
  #plant(): void {
    const causes = CAUSES[this.#client]
    const cause = causes[Math.floor(this.#roll() * causes.length)] ?? null
    if (cause === null) return
    this.#miss = { cause, who: null }
    if (cause === 'tools') {
      this.#tools = ['Read', 'mcp__maps__draw', ...this.#tools.slice(1)]
      this.#miss.who = 'maps'
    }
    if (cause === 'instructions') this.#system = SYSTEM.replace('brief', 'very brief')
    if (cause === 'memory') {
      this.#memory = 'Rule 1: be kind, and quick.'
      this.#miss.who = MEMORY
    }
    if (cause === 'model') this.#model = 'scripted-2'
    if (cause === 'time') this.#at += 40 * MINUTE
    if (cause === 'compaction') {
      this.#isCompacted = true
      this.#miss.who = 'agent'
    }
  }

  #request(calls: readonly PlantedCall[]): void {
    const before = this.#requests.at(-1)?.usage.input ?? 0
    const grown = 200 + Math.floor(this.#roll() * 400)
    this.#size = this.#isCompacted ? 5_000 : this.#size + grown
    const input = this.#size
    const [miss, step] = [this.#miss, this.#requests.length + 1]
    const cached = miss === null ? before : Math.floor(this.#roll() * 3) * 600
    if (miss) this.#misses.push({ step, ...miss, tokens: Math.min(before, input) - cached })
    this.#requests.push({
      at: this.#at,
      model: this.#model,
      said: this.#said,
      isCompacted: this.#isCompacted,
      tools: this.#tools,
      system: this.#system,
      memory: this.#memory,
      calls,
      usage: { input, cached, written: input - cached, output: 20 },
    })
    this.#said = null
    this.#miss = null
    this.#isCompacted = false
    this.#at += 20_000
  }
}
