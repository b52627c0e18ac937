import { didYouMean } from '../../kernel/did-you-mean.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { describeCause } from './describe-cause.ts'
import type { Reason } from './reason.ts'
import { skillStanding } from '../standing/skill-standing.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

/** The chain of entries that led a skill to its status. */
export function reasonsForSkill(
  state: WorkspaceState,
  surroundings: Surroundings,
  name: string,
  pending: readonly string[] = [],
): readonly Reason[] {
  const { status, open, obstacle } = skillStanding(state, surroundings, name, pending)
  const last = Math.max(0, state.seq)
  const opened: readonly Reason[] = open
    ? [{ seq: open.since, text: `Skill "${name}" was activated ${whyOpened(open)}.` }]
    : []
  switch (status) {
    case 'active':
      return opened
    case 'pending':
      return [...opened, { seq: last, text: `Skill "${name}" is changing; its hooks are running.` }]
    case 'changed':
      return [
        ...opened,
        {
          seq: open?.since ?? last,
          text: whatChanged(surroundings.catalog.skills.get(name)?.hash, open),
        },
      ]
    case 'broken': {
      const broken = state.broken.find(({ skill }) => skill === name)
      const text = `Its onActivate hook failed after a resume: ${broken?.message ?? ''}`
      return [...opened, { seq: broken?.seq ?? last, text }]
    }
    case 'not-permitted': {
      const agent = surroundings.agent?.name ?? ''
      return [{ seq: 0, text: `Skill "${name}" is not on a list of the agent "${agent}".` }]
    }
    case 'conflicting':
    case 'missing-requirement':
      return [...wasClosed(state, name), { seq: last, text: obstacle?.message ?? '' }]
    case 'inactive':
      return wasClosed(state, name)
    case 'shadowed':
      return []
    case 'unknown':
      return [{ seq: last, text: `No skill is named "${name}".` }]
  }
}

function whyOpened({ cause }: OpenSource): string {
  return cause.by === 'dependency' ? `because "${cause.of}" requires it` : describeCause(cause)
}

function whatChanged(now: ContentHash | undefined, open: OpenSource | null): string {
  if (now === undefined) return 'It is gone from the catalog.'
  return now === open?.definition
    ? 'The tools it brings are not those the session activated.'
    : `Its definition is not the one the session activated (${open?.definition ?? ''}).`
}

function wasClosed(state: WorkspaceState, name: string): readonly Reason[] {
  const closed = state.closed.find(({ source, owner }) => source === 'skill' && owner === name)
  return closed
    ? [{ seq: closed.seq, text: `Skill "${name}" was put away ${describeCause(closed.cause)}.` }]
    : [{ seq: 0, text: `Skill "${name}" has not been activated since the session opened.` }]
}

/** What would make a skill active, or whole again; empty when it is. */
export function fixForSkill(
  state: WorkspaceState,
  surroundings: Surroundings,
  name: string,
  pending: readonly string[] = [],
): string {
  const { status, obstacle, nearest } = skillStanding(state, surroundings, name, pending)
  switch (status) {
    case 'active':
    case 'shadowed':
      return ''
    case 'pending':
      return 'Wait for its hooks to end.'
    case 'inactive':
      return `Activate the skill "${name}".`
    case 'changed':
      return surroundings.catalog.skills.has(name)
        ? `Accept the new definition: acceptSkill("${name}"), or put the skill away.`
        : `Bring "${name}" back into the catalog, or put the skill away.`
    case 'broken':
      return `Put "${name}" away and activate it again.`
    case 'not-permitted':
      return `Add "${name}" to the skills of the agent.`
    case 'conflicting':
    case 'missing-requirement':
      return obstacle?.hint ?? ''
    case 'unknown':
      return didYouMean(nearest, 'List the skills to see their names.')
  }
}
