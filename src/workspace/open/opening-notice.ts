import type { SessionJournal } from '../commands/session-journal.ts'
import { acceptHint } from '../../engine/explain/explain-skill.ts'
import { addedRules, liftedRules } from '../../engine/explain/lifted-rules.ts'
import { uselessAllows } from '../../engine/model/policy.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { activeSkills, assessSkill } from '../../engine/standing/assess-skill.ts'
import { toolChangedWarning, violatedPin } from '../../engine/standing/remembered-approval.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import { META_OWNER } from '../../engine/model/source-event.ts'
import type { RegisterCommand } from './registrations.ts'
import type { PolicyOptions } from './workspace-options.ts'

/** An event of an opening that a host should know. Each has an entry in the log. */
export interface OpeningNotice {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/**
 * Returns a notice with the difference between the policy that a session had and the one it was resumed
 * with: rules that were lifted, or, by a process that attached, rules that were added.
 */
export function policyNotices(
  before: WorkspaceState,
  { onResume }: PolicyOptions,
  { store, context }: Pick<SessionJournal, 'store' | 'context'>,
): readonly OpeningNotice[] {
  const { state } = store.getState()
  if (before.policy === state.policy) return []
  if (onResume === 'tighten') {
    const added = addedRules(before.policy, state.policy)
    if (added.length === 0) return []
    return [
      {
        code: 'policy-tightened',
        message: `Rules were added to the policy of the session, which now ${added.join('; ')}.`,
        hint: 'They hold for every process of the session.',
      },
    ]
  }
  const blocked = toolTable(before, context).rows.filter(({ status }) => status === MODE)
  const rows = toolTable(state, context).byAddress
  const freed = blocked.filter(({ name }) => rows.get(name)?.status !== MODE)
  const lifted = [
    ...liftedRules(before.policy, state.policy),
    ...freed.map(
      ({ name }) => `no longer blocks "${name}", which is not for ${before.policy.mode} mode`,
    ),
  ]
  if (lifted.length === 0) return []
  return [
    {
      code: 'policy-loosened',
      message: `The policy of the session was loosened: the session ${lifted.join('; ')}.`,
      hint: 'If that is not intended, open it with the rules that it had.',
    },
  ]
}

const MODE = 'blocked-by-mode'

/** Returns a notice for each rule in `allow` that lets nothing run, of the rules that a host gave. */
export function uselessRules(
  permissions: PolicyOptions['permissions'],
  { store }: Pick<SessionJournal, 'store'>,
): readonly OpeningNotice[] {
  if (permissions?.allow === undefined) return []
  const { deny, allow } = store.getState().state.policy
  return uselessAllows(deny, allow).map(({ place, message, hint }) => {
    return { code: 'allow-useless', message: `The rule "allow.${place}" ${message}.`, hint }
  })
}

/**
 * Returns a notice of the tools that a process which attached has, and that the host of the session did not
 * register, or registered with another definition.
 */
export function unregisteredTools(
  registrations: readonly RegisterCommand[],
  { store }: Pick<SessionJournal, 'store'>,
): readonly OpeningNotice[] {
  const { open } = store.getState().state
  const known = new Set(open.flatMap(({ claims }) => claims.map(({ hash }) => hash)))
  const tools = registrations
    .filter(({ owner }) => owner !== META_OWNER)
    .flatMap((registration) => registration.tools.filter(({ hash }) => !known.has(hash)))
    .map(({ name }) => `"${name}"`)
  if (tools.length === 0) return []
  const rest = tools.length - MOST_NAMED
  const more = rest > 0 ? ` and ${rest} more` : ''
  return [
    {
      code: 'tools-not-registered',
      message: `The host of the session has not registered these tools with their definitions here: ${tools.slice(0, MOST_NAMED).join(', ')}${more}.`,
      hint: 'A process that attaches registers no tools. To register them, open the session with policy.onResume: "replace" (with the command: --policy replace).',
    },
  ]
}

const MOST_NAMED = 5

/** Returns notices of active skills whose definition changed since the session activated them. */
export function changedSkills({ store, context }: SessionJournal): readonly OpeningNotice[] {
  const { state } = store.getState()
  return activeSkills(state).flatMap((skill) => {
    if (assessSkill(state, context, skill).status !== 'changed') return []
    const gone = !context.catalog.skills.has(skill)
    return [
      {
        code: gone ? 'skill-gone' : 'skill-changed',
        message: gone
          ? `The active skill "${skill}" is no longer in the catalog; its tools are disabled.`
          : `The active skill "${skill}" changed since the session activated it; its tools are disabled.`,
        hint: gone ? 'Add it to the catalog again, or deactivate it.' : acceptHint(skill),
      },
    ]
  })
}

/** Returns notices of tools in quarantine, whose definition is not the approved one. */
export function changedTools({
  store,
  context,
}: Pick<SessionJournal, 'store' | 'context'>): readonly OpeningNotice[] {
  const { state } = store.getState()
  if (state.pins.length === 0) return []
  return toolTable(state, context)
    .rows.filter((row) => row.status === 'changed' && violatedPin(row, state) !== undefined)
    .map(({ name }) => toolChangedWarning(name))
}
