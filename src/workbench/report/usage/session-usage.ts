/** Tokens in all requests of a session, and those of them that came from the cache: an estimate by the order of a request. */
export interface CarriedTokens {
  readonly tokens: number
  readonly cached: number
}

/** The use of one skill in a session. */
export interface SkillUsage {
  readonly name: string
  /** As the model was shown it last; empty for the name alone. */
  readonly description: string
  /** The requests that listed it. */
  readonly requests: number
  readonly listing: CarriedTokens
  readonly loads: number
  /** The loads that the person asked for. */
  readonly named: number
  /** Tokens of its instructions; 0 while they are not known. */
  readonly body: number
  /** Its instructions in the requests after it was loaded. */
  readonly carried: CarriedTokens
  /** The calls of tools after it was loaded, in the same turn. */
  readonly calls: number
  /** The price of the requests in which the model did nothing but load it: what it costs that the next ones read them again. */
  readonly loadPrice: number
  /** The price that each token of its instructions would add if all requests had them. */
  readonly pin: number
  /** The parts of long instructions, and the loads whose message or calls a part fits. */
  readonly sections: readonly {
    readonly title: string
    readonly tokens: number
    readonly used: number
  }[]
}

/** The use of one tool in a session. */
export interface ToolUsage {
  readonly name: string
  /** The server, skill or component that brings it; `agent` for a tool of the agent. */
  readonly server: string
  /** Empty for the tools of the agent, which a person cannot change. */
  readonly description: string
  /** The requests that showed it; those with its name alone are in `deferred`. */
  readonly requests: number
  readonly deferred: number
  readonly shown: CarriedTokens
  readonly calls: number
  readonly failures: number
  /** Tokens of its results. */
  readonly results: number
}

/** A text that requests begin with: a part of the system prompt, or a memory file. */
export interface PartUsage {
  readonly name: string
  readonly isFile: boolean
  readonly requests: number
  readonly shown: CarriedTokens
}

/** A request that had to read again what the one before had. */
export interface CacheMiss {
  readonly step: number
  /** The kind of the cause, such as `tools` or `time`. */
  readonly cause: string
  /** For people; empty when neither the file nor the provider says. */
  readonly what: string
  /** The server, skill, file or person behind it; null when it is not known. */
  readonly who: string | null
  readonly tokens: number
  /** In tokens at the full input price. */
  readonly price: number
  /** True without a report of the provider. */
  readonly isEstimate: boolean
}

/** A message of a person, redacted and cut. */
export interface AskedMessage {
  /** The number of its entry. */
  readonly entry: number
  readonly text: string
  /** The skills that were loaded for it. */
  readonly loaded: readonly string[]
  /** The skill whose description fits, and that was not loaded; null for none. */
  readonly missed: {
    readonly skill: string
    /** The probability that it is the right one, by words. */
    readonly confidence: number
    readonly words: readonly string[]
  } | null
}

/** Two tools of which the second was called right after the first. */
export interface ToolPair {
  readonly first: string
  readonly then: string
  readonly times: number
  /** The times that the model first had to search for the second, and the price of these requests. */
  readonly searches: number
  readonly price: number
}

/**
 * The use that one session made of what its model was given. It is small, is kept as JSON, and has no texts but names,
 * descriptions and the beginnings of messages.
 */
export interface SessionUsage {
  readonly session: string
  /** The agent, or `loadout`. */
  readonly client: string
  readonly folder: string | null
  /** The session that began it; null for one that a person began. */
  readonly parent: string | null
  /** Milliseconds since 1970 of its first and last entries. */
  readonly from: number
  readonly until: number
  readonly models: readonly string[]
  readonly requests: number
  /** The counts of its provider, for the requests of which it has them. */
  readonly reported: {
    readonly requests: number
    readonly input: number
    readonly cached: number
    readonly written: number
    readonly output: number
  }
  /** The price of all prompts, in tokens at the full input price. */
  readonly price: number
  readonly skills: readonly SkillUsage[]
  readonly tools: readonly ToolUsage[]
  readonly parts: readonly PartUsage[]
  readonly misses: readonly CacheMiss[]
  readonly messages: readonly AskedMessage[]
  readonly pairs: readonly ToolPair[]
}

/**
 * Merges summaries: of a session that several files have, the one with the most requests is kept. The result does not
 * depend on the order, or on what was merged first.
 */
export function mergeSessions(...groups: readonly (readonly SessionUsage[])[]): SessionUsage[] {
  const known = new Map<string, SessionUsage>()
  for (const one of groups.flat()) {
    const id = JSON.stringify([one.client, one.session, one.from])
    const before = known.get(id)
    if (before === undefined || isFuller(one, before)) known.set(id, one)
  }
  return [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function isFuller(one: SessionUsage, other: SessionUsage): boolean {
  if (one.requests !== other.requests) return one.requests > other.requests
  // A file of a subagent alone does not say which session began it.
  if ((one.parent === null) !== (other.parent === null)) return one.parent !== null
  if (one.until !== other.until) return one.until > other.until
  return JSON.stringify(one) > JSON.stringify(other)
}
