/** What a scripted model says at one step: a text, or calls. */
export type Said = string | readonly Call[]

export interface Call {
  readonly tool: string
  readonly input: object
}

/** One message of the user, and what a scripted model does until it has answered. */
export interface Turn {
  readonly user: string
  readonly says: readonly Said[]
}

/** A conversation to run. A real model gets the same messages and says what it likes. */
export interface Conversation {
  readonly name: string
  readonly title: string
  readonly turns: readonly Turn[]
}
