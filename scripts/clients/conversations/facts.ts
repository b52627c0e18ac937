/** A call, with the text of its result. */
export interface CallFact {
  readonly call: string
  readonly tool: string
  readonly input: unknown
  /** Null without a result. */
  readonly result: string | null
}

/** A list of skills that a request shows. */
export type SkillList = readonly (readonly [name: string, description: string | null])[]

/** One thread of a conversation: the main one, or a subagent. */
export interface ThreadFacts {
  readonly requests: number
  /** The lists of skills, each with the first request that has it; null where the source does not have them. */
  readonly skills: readonly (readonly [request: number, list: SkillList])[] | null
  /** The skills whose instructions came into the conversation. */
  readonly loaded: readonly string[]
  /** The tools of the last request; null where the source does not have them. */
  readonly tools: readonly string[] | null
  readonly calls: readonly CallFact[]
}

/** The threads of a conversation, by name. */
export type ConversationFacts = Readonly<Record<string, ThreadFacts>>
