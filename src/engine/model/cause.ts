/** The cause of an entry. */
export type Cause =
  | { readonly by: 'user' }
  | { readonly by: 'host' }
  /** The model, with the id its provider gave the call. */
  | { readonly by: 'model'; readonly call: string }
  /** The handler of another tool, with the id of its call. */
  | { readonly by: 'tool'; readonly call: string }
  /** `fact`: the entry since which the condition of a skill holds. */
  | { readonly by: 'policy'; readonly rule: string; readonly fact?: number }
  /** An initial skill, component or tool of the session. */
  | { readonly by: 'initial' }
  /** Another skill requires it. */
  | { readonly by: 'dependency'; readonly of: string }
  | { readonly by: 'hook'; readonly skill: string }
  /** Its lifetime ended. */
  | { readonly by: 'lifetime'; readonly of: string }
  | { readonly by: 'catalog' }
  /** A server of tools that has other tools now. */
  | { readonly by: 'server'; readonly server: string }
  | { readonly by: 'resume' }
  /** An entry of the parent session, such as a change of its policy or an answer to a question. */
  | { readonly by: 'parent'; readonly session: string; readonly seq: number }
