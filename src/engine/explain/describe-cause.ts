import type { Cause } from '../model/cause.ts'

/** Who or what made an entry happen, as the end of a sentence. */
export function describeCause(cause: Cause): string {
  switch (cause.by) {
    case 'user':
      return 'by the user'
    case 'host':
      return 'by the host'
    case 'model':
      return `by the model (call ${cause.call})`
    case 'tool':
      return `by the handler of another call (${cause.call})`
    case 'policy':
      return `by the policy rule ${cause.rule}`
    case 'initial':
      return 'when the session opened'
    case 'dependency':
      // In or out: what it requires comes with a skill, and what requires it leaves with it.
      return `along with "${cause.of}"`
    case 'hook':
      return `by a hook of "${cause.skill}"`
    case 'lifetime':
      return 'because its lifetime ended'
    case 'catalog':
      return 'because the catalog changed'
    case 'resume':
      return 'when the session was resumed'
  }
}
