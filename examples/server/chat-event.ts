/** A line of an answer. Lines of `text` may be told again from the beginning on another server. */
export type ChatEvent =
  /** The message is stored: from now on any server answers it. */
  | { readonly type: 'accepted'; readonly id: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly tool: string }
  /** Somebody has to say yes or no before the conversation goes on. */
  | {
      readonly type: 'question'
      readonly confirmation: string
      readonly tool: string
      readonly input: unknown
    }
  | { readonly type: 'done'; readonly answer: string }
  | { readonly type: 'failed'; readonly message: string }
