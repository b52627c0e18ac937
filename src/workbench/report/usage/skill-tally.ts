import type { ProviderFacts } from '../../../entries/adapter.ts'
import type { ContentHash } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import { createToolIndex, type SharedToolIndex } from '../../../entries/search.ts'
import type { SkillUsage } from './session-usage.ts'
import {
  addCarried,
  type CountedRequest,
  rounded,
  groupRequests,
  sum,
  type Stored,
} from './counted-request.ts'

/** From this probability on, a message fits a description. */
export const FITS = 0.6

/** Tokens of instructions from which on their parts are looked at. */
const LONG = 1_000

/** Characters of a text whose tokens are counted; those of a longer one are estimated from its beginning. */
const MOST_COUNTED = 100_000

/** Characters of a description that are kept. */
const MOST_DESCRIBED = 1_000

interface ListedSkill {
  readonly name: string
  readonly description: string
}

interface CountedSkill {
  named: number
  loads: number
  body: number
  calls: number
  /** The requests that loaded it. */
  readonly loading: CountedRequest[]
  /** The numbers of the requests at which its instructions came, and left. */
  readonly spans: { readonly from: number; until: number }[]
  readonly sections: { readonly title: string; readonly text: string; used: number }[]
}

/** Counts the skills of a session. */
export class SkillTally {
  readonly #stored: Stored
  readonly #count: (text: string) => number
  readonly #facts: ProviderFacts
  readonly #isObserved: boolean
  readonly #lists = new Map<ContentHash, readonly ListedSkill[]>()
  readonly #indexes = new Map<ContentHash, SharedToolIndex>()
  readonly #skills = new Map<string, CountedSkill>()
  /** The lists of requests; undefined for one without a list. */
  readonly #listed: (ContentHash | undefined)[] = []
  #list: ContentHash | undefined
  /** The names that the model knows, of the active skills. */
  readonly #active = new Map<string, string>()
  /** The skills that were loaded in this turn, with the tools of the calls after them. */
  #loads: { readonly skill: string; readonly calls: Map<string, string> }[] = []

  /** @param isObserved the model of another agent knows skills by names that Loadout may not have */
  constructor(
    stored: Stored,
    count: (text: string) => number,
    facts: ProviderFacts,
    isObserved: boolean,
  ) {
    this.#stored = stored
    this.#isObserved = isObserved
    this.#count = (text) => {
      const head = text.slice(0, MOST_COUNTED)
      return Math.round(count(head) * (text.length / Math.max(1, head.length)))
    }
    this.#facts = facts
  }

  /** Takes the list that the model is shown from here on. */
  list(hash: ContentHash | undefined): void {
    this.#list = hash
    if (hash === undefined || this.#lists.has(hash)) return
    const stored = this.#stored.get(hash)
    const skills = isObject(stored) ? stored['skills'] : stored
    const all = (Array.isArray(skills) ? skills : []).filter(isObject)
    const listed = all.map(({ name, description }) => ({
      name: String(name),
      description: typeof description === 'string' ? description : '',
    }))
    this.#lists.set(hash, listed)
  }

  /** Counts a request with the last list. */
  request(): void {
    this.#listed.push(this.#list)
  }

  active(): readonly string[] {
    return [...this.#active.values()]
  }

  /**
   * Notes that instructions came into the conversation; returns the name that the model knows.
   *
   * @param load undefined for a load that is not counted; its call and request are those of the model
   */
  open(
    owner: string,
    definition: ContentHash | null,
    load:
      { readonly call: string | null; readonly request: CountedRequest | undefined } | undefined,
  ): string {
    const stored = definition === null ? undefined : this.#stored.get(definition)
    const { displayName = owner, workDirection = '' } = isObject(stored) ? stored : {}
    const name = this.#isObserved ? String(displayName) : owner
    this.#active.set(owner, name)
    const skill = this.#skill(name)
    const body = String(workDirection)
    skill.body = this.#count(body)
    skill.spans.push({ from: this.#listed.length, until: Infinity })
    if (load === undefined) return name
    skill.loads += 1
    if (load.request === undefined) skill.named += 1
    else {
      load.request.loads += 1
      skill.loading.push(load.request)
    }
    if (skill.body >= LONG && skill.sections.length === 0)
      skill.sections.push(...splitSections(body.slice(0, MOST_COUNTED)))
    // The call that loads a skill is no use of those before.
    for (const { calls } of this.#loads) calls.delete(load.call ?? '')
    this.#loads.push({ skill: name, calls: new Map() })
    return name
  }

  close(owner: string): void {
    const name = this.#active.get(owner)
    this.#active.delete(owner)
    const span = name === undefined ? undefined : this.#skills.get(name)?.spans.at(-1)
    if (span) span.until = this.#listed.length
  }

  /** Notes the call of a tool. */
  call(call: string, tool: string): void {
    for (const { calls } of this.#loads) calls.set(call, tool)
  }

  /** Judges which parts of long instructions a turn needed: an estimate. */
  endTurn(message: string): void {
    for (const { skill, calls } of this.#loads) {
      const counted = this.#skill(skill)
      counted.calls += calls.size
      const { sections } = counted
      if (sections.length === 0) continue
      const documents = sections.map(({ title, text }, index) => {
        return { name: `part${index}`, description: `${title}\n${text}` }
      })
      const [first] = createToolIndex(documents).search(message, { limit: 1 }).results
      for (const [index, section] of sections.entries()) {
        const isNamed = [...calls.values()].some((tool) => section.text.includes(tool))
        if (isNamed || first?.name === `part${index}`) section.used += 1
      }
    }
    this.#loads = []
  }

  /** Returns the listed skill that a message fits best; null when none has its words. */
  find(message: string) {
    const list = this.#list === undefined ? undefined : this.#lists.get(this.#list)
    if (this.#list === undefined || list === undefined) return null
    const index =
      this.#indexes.get(this.#list) ??
      createToolIndex(list.map((skill) => ({ ...skill, kind: 'skill' })))
    this.#indexes.set(this.#list, index)
    const { results, confidence } = index.search(message, { limit: 1 })
    const [first] = results
    if (first === undefined) return null
    const words = [...new Set(first.matched.flatMap(({ terms }) => terms))]
    return { skill: first.name, confidence: Math.round(confidence * 100) / 100, words }
  }

  finish(requests: readonly CountedRequest[]): readonly SkillUsage[] {
    const shown = new Map<string, Pick<SkillUsage, 'description' | 'requests' | 'listing'>>()
    const lists = groupRequests(requests.map((one, index) => [one, this.#listed[index]] as const))
    for (const [hash, { requests: count, shares }] of lists) {
      for (const { name, description } of (hash && this.#lists.get(hash)) || []) {
        const before = shown.get(name) ?? { ...UNSHOWN, description: '' }
        const size = this.#count(`- ${name}: ${description}`)
        shown.set(name, {
          description: description.slice(0, MOST_DESCRIBED).toWellFormed() || before.description,
          requests: before.requests + count,
          listing: addCarried(before.listing, size, count, shares),
        })
      }
    }
    const names = [...new Set([...shown.keys(), ...this.#skills.keys()])].toSorted()
    return names.map((name) => {
      const { listing, ...listed } = shown.get(name) ?? { ...UNSHOWN, description: '' }
      return { name, ...listed, listing: rounded(listing), ...this.#used(name, requests) }
    })
  }

  #used(name: string, requests: readonly CountedRequest[]) {
    const { named, loads, body, calls, loading, spans, sections } =
      this.#skills.get(name) ?? newSkill()
    const { write } = this.#facts
    let carried = { tokens: 0, cached: 0 }
    for (const { from, until } of spans) {
      // The first request that has them writes them to the cache.
      const [first, ...more] = requests.slice(from, until)
      const shares = sum(more.map(({ share }) => share))
      carried = addCarried(carried, body, (first ? 1 : 0) + more.length, shares)
    }
    // A request that also called tools would have been sent anyway.
    const saved = loading.filter((one) => one.calls <= one.loads)
    const before = spans[0]?.from
    const earlier = before === undefined ? requests.length : before - Math.min(1, saved.length)
    const rereads = sum(requests.slice(0, Math.max(0, earlier)).map(({ factor }) => factor))
    // Without a load, no other request would have written them to the cache.
    const [first] = requests
    const pin =
      before === undefined && first && first.factor < 1 ? rereads - first.factor + write : rereads
    return {
      loads,
      named,
      body,
      carried: rounded(carried),
      calls,
      loadPrice: Math.round(sum(saved.map(({ again, loads }) => again / loads))),
      pin: Math.round(pin * 100) / 100,
      sections: sections.map(({ title, text, used }) => ({
        title,
        used,
        tokens: this.#count(text),
      })),
    }
  }

  #skill(name: string): CountedSkill {
    const skill = this.#skills.get(name) ?? newSkill()
    this.#skills.set(name, skill)
    return skill
  }
}

const UNSHOWN = { requests: 0, listing: { tokens: 0, cached: 0 } } as const

function newSkill(): CountedSkill {
  return { named: 0, loads: 0, body: 0, calls: 0, loading: [], spans: [], sections: [] }
}

/** Splits instructions at their headings. */
function splitSections(body: string): CountedSkill['sections'] {
  const parts = body.split(/^(?=#{1,3} )/m)
  if (parts.length < 3) return []
  return parts.map((text) => {
    const [title = ''] = text.split('\n', 1)
    return { title: title.replace(/^#+ /, '').slice(0, 80).toWellFormed(), text, used: 0 }
  })
}
