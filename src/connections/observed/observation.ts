/**
 * A session of an agent that is not built on Loadout, by the file that the agent wrote. A fact that the file does not
 * have is absent, and never guessed.
 */
export interface ObservedSession {
  readonly session: string
  /** The agent, such as `claude-code`, and its version if the file has it. */
  readonly client: string
  readonly version: string | null
  /** The folder that it ran in. */
  readonly folder: string | null
  /** The provider whose rules for caches hold; by the agent when absent. */
  readonly provider?: 'anthropic' | 'openai'
  /** The file has marks for runs that were cut from texts. In a text of another file, a mark is what others wrote. */
  readonly hasCuts?: true
  /** For a subagent: the session that began it. */
  readonly parent?: ObservedParent
  /** For a part that the person went back from: the session that it left, and the number of its observations before. */
  readonly forkedFrom?: { readonly session: string; readonly seen: number }
  /** In the order of the file; of a part that left another session, its own ones. */
  readonly seen: readonly Observation[]
}

/** The session that began a subagent. */
interface ObservedParent {
  readonly session: string
  /** The call that began it; null when the file does not say. */
  readonly call: string | null
  /** The kind of the subagent; null when the file does not say. */
  readonly agent: string | null
}

/** One thing that was seen, with its time in milliseconds since 1970. */
export type Observation = { readonly at: number } & (
  | { readonly type: 'turn'; readonly text: string }
  /** The texts that requests begin with from here on, in their order. */
  | { readonly type: 'texts'; readonly texts: readonly ShownText[] }
  /** The skills that the model is shown from here on; all of them. */
  | { readonly type: 'skills'; readonly skills: readonly SeenSkill[] }
  /** The tools of requests from here on; all of them. */
  | { readonly type: 'tools'; readonly tools: readonly ShownTool[] }
  /** A text of the model in its answer, or one of the agent, such as a summary: later requests have it. */
  | { readonly type: 'said'; readonly text: string; readonly by?: 'agent' }
  | { readonly type: 'request'; readonly sent?: ShownRequest }
  | {
      readonly type: 'answer'
      readonly model?: string
      readonly usage: ObservedUsage
      /** Milliseconds for which the request asked its provider to keep it. */
      readonly lifetimeMs?: number
    }
  | {
      readonly type: 'call'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      /** The name of the skill that it loads. */
      readonly skill?: string
    }
  | {
      readonly type: 'result'
      readonly call: string
      /** `refused`: it did not run, by a rule of the agent or the answer of a person. */
      readonly outcome: 'ok' | 'failed' | 'refused'
      readonly text: string
    }
  /** The instructions of a skill came into the conversation. */
  | {
      readonly type: 'loaded'
      readonly skill: string
      readonly text: string
      /** The call that loaded it; null when the person named it. */
      readonly call: string | null
    }
  | {
      readonly type: 'compacted'
      readonly tokens: number
      /** Tokens of the conversation after it. */
      readonly after?: number
    }
)

/** The parts of a request that only a file with complete requests has. */
export interface ShownRequest {
  /** The number of messages with which the request before begins, too; absent where the file does not have the messages. */
  readonly kept?: number
  /** The messages after those. */
  readonly added?: readonly string[]
  /** Its model, and the parameters that its prompt depends on, each as text. */
  readonly settings: Readonly<Record<string, string>>
}

/** A text of the agent that the model reads. */
export interface ShownText {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** A skill as the model is shown it: its name alone where the description is null. */
export interface SeenSkill {
  readonly name: string
  readonly description: string | null
}

export interface ShownTool {
  readonly name: string
  /** Absent where only the name is known. */
  readonly description?: string
  readonly inputSchema?: unknown
  /** The provider keeps its definition out of the prompt until it is referred to. */
  readonly deferred?: true
}

/** The tokens that a provider counted; `input` includes those of the cache. */
export interface ObservedUsage {
  readonly input: number
  readonly cached?: number
  readonly written?: number
  readonly output: number
  readonly reasoning?: number
}
