import type { ClientCase } from '../case-folder.ts'

/** The clients that have scripted conversations. */
export const TALKING_CLIENTS = ['claude-code', 'codex', 'opencode', 'pi'] as const

export type TalkingClient = (typeof TALKING_CLIENTS)[number]

/** Something that the scripted model does, in the tools of each client. */
export type Action =
  | { readonly does: 'load'; readonly skill: string }
  | {
      readonly does: 'serve'
      readonly tool: string
      readonly input: object
      /** The server; `stock` by default. */
      readonly server?: string
    }
  | { readonly does: 'read'; readonly file: string }
  | { readonly does: 'run'; readonly command: string }
  | { readonly does: 'write'; readonly file: string; readonly content: string }
  /** Begins a subagent; `task` is a number of the script. */
  | { readonly does: 'delegate'; readonly task: number }
  /** Waits for subagents, in a client that does not do so itself. */
  | { readonly does: 'wait' }
  | { readonly does: 'misname' }
  /** Calls a tool that exists with arguments that it refuses. */
  | { readonly does: 'misuse' }

/** One answer of the scripted model. */
export interface Answer {
  readonly text?: string
  readonly actions?: readonly Action[]
  /** The tokens that the provider counts for the request. */
  readonly tokens?: number
  /** The request fails, and the client sends it again. */
  readonly fails?: true
}

/** One message of the person, and the answers that follow. */
export interface Turn {
  readonly said: string
  readonly answers: readonly Answer[]
  /** The person names a skill in the way of the client. */
  readonly names?: string
  /** Files that change on disk before it; null removes one. */
  readonly changes?: Readonly<Record<string, string | null>>
  /** The person goes back from this turn: the next one continues from before it. */
  readonly isRewound?: true
  /** The person asks for a shorter conversation before it. */
  readonly compacts?: true
}

/** A conversation that a script has with each client. */
export interface Conversation {
  readonly case: ClientCase
  readonly turns: readonly Turn[]
  /** Answers of subagents, by the number of their task. */
  readonly tasks?: Readonly<Record<number, readonly Answer[]>>
  /** Commands that the settings of the client refuse, and skills. */
  readonly refuses?: { readonly commands?: readonly string[]; readonly skills?: readonly string[] }
  /** The client also has the server that answers questions about sessions; its answers are written to this file. */
  readonly asked?: string
  /** Tokens of the window, where the conversation outgrows it. */
  readonly window?: number
  /** Clients that cannot have it, with the reason. */
  readonly not?: Readonly<Partial<Record<TalkingClient, string>>>
}

/** The mark in the task of a subagent, by which its requests are recognised. */
export const TASK_MARK = 'TASK-OF-A-SUBAGENT-'

/** The mark in the instructions of a skill, by which it is found in a request. */
export function markOf(skill: string): string {
  return `Instructions of ${skill}.`
}
