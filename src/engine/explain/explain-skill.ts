import type { FieldChange } from '../../catalog/diff-fields.ts'
import { describeCause } from './describe-event.ts'
import type { Explanation, Reason } from './explanation.ts'
import { describeChanges, skillDrift } from './tool-drift.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill, type SkillStatus } from '../standing/assess-skill.ts'
import { allowedListOf } from '../standing/permission.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'

/** Explain a skill by its id. */
export function explainSkill(
  state: WorkspaceState,
  context: EngineContext,
  name: string,
  pending: readonly string[] = [],
): Explanation<SkillStatus> {
  const { status, nearest, open } = assessSkill(state, context, name, pending)
  const effect =
    status === 'active' && open !== null ? allowedToolsReason(open, state, context) : []
  const changes = status === 'changed' ? skillDrift(state, context, name) : null
  const drift = changes?.length
    ? [{ seq: open?.since ?? state.seq, text: changesText(changes) }]
    : []
  return {
    name,
    kind: 'skill',
    status,
    source: status === 'unknown' ? null : 'skill',
    owner: status === 'unknown' ? null : name,
    because: [...reasonsForSkill(state, context, name, pending), ...drift, ...effect],
    fix: fixForSkill(state, context, name, pending),
    ...(changes && { changes }),
    nearest,
  }
}

function changesText(changes: readonly FieldChange[]): string {
  return `What changed: ${describeChanges(changes)}.`
}

/** The chain of entries that led a skill to its status. */
export function reasonsForSkill(
  state: WorkspaceState,
  context: EngineContext,
  name: string,
  pending: readonly string[] = [],
): readonly Reason[] {
  const { status, open, obstacle } = assessSkill(state, context, name, pending)
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
          text: whatChanged(context.catalog.skills.get(name)?.hash, open),
        },
      ]
    case 'broken': {
      const broken = state.broken.find(({ skill }) => skill === name)
      const text = `Its onActivate hook failed after a resume: ${broken?.message ?? ''}`
      return [...opened, { seq: broken?.seq ?? last, text }]
    }
    case 'not-permitted': {
      const agent = context.agent?.name ?? ''
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
  context: EngineContext,
  name: string,
  pending: readonly string[] = [],
): string {
  const { status, obstacle, nearest } = assessSkill(state, context, name, pending)
  switch (status) {
    case 'active':
    case 'shadowed':
      return ''
    case 'pending':
      return 'Wait for its hooks to end.'
    case 'inactive':
      return `Activate the skill "${name}".`
    case 'changed':
      return context.catalog.skills.has(name)
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

/** What the `allowed-tools` of an active skill come to; nothing for a skill that has none. */
export function allowedToolsReason(
  { owner, since }: Pick<OpenSource, 'owner' | 'since'>,
  { policy, policySince }: Pick<WorkspaceState, 'policy' | 'policySince'>,
  { catalog }: Pick<EngineContext, 'catalog'>,
): readonly Reason[] {
  const tools = allowedListOf(owner, catalog)?.tools ?? []
  if (tools.length === 0) return []
  const texts = (some: typeof tools) => some.map(({ text }) => text).join(', ')
  const seq = Math.max(since, policySince)
  switch (policy.allowedTools) {
    case 'ignore':
      return [{ seq, text: `Its allowed-tools have no effect here: ${texts(tools)}.` }]
    case 'restrict':
      return [{ seq, text: `While it is active, calls are restricted to: ${texts(tools)}.` }]
    case 'pre-approve': {
      const plain = tools.filter(({ argument }) => argument === null)
      const bound = tools.filter(({ argument }) => argument !== null)
      const parts = [
        plain.length > 0 && `Its allowed-tools are approved beforehand: ${texts(plain)}.`,
        bound.length > 0 && `Named with arguments, which approves nothing: ${texts(bound)}.`,
      ]
      return [{ seq, text: parts.filter((part) => part !== false).join(' ') }]
    }
  }
}
