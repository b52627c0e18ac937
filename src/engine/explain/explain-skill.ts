import { conditionReasons, missingFacts } from './condition-reasons.ts'
import { describeCause } from './describe-event.ts'
import { describeRule } from './describe-rule.ts'
import {
  fieldsWithoutEffect,
  forkReasons,
  registeredReason,
  reservedReasons,
} from './fork-reasons.ts'
import type { Verdict, Reason } from './verdict.ts'
import { placeOfRule } from './permission-reasons.ts'
import { describeChanges, skillDrift } from './tool-drift.ts'
import { recalledOwner } from './recalled-owner.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { LOAD_SKILL, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill, type SkillAssessment, type SkillStatus } from '../standing/assess-skill.ts'
import { allowedListOf } from '../standing/permission.ts'
import {
  type CallOutcome,
  callProspect,
  type CallProspect,
  REFUSED,
} from '../standing/call-prospect.ts'
import { toolTable } from '../standing/tool-table.ts'
import { loadingEffect } from '../standing/loading-effect.ts'
import { loadingErrors } from '../standing/unread-skills.ts'
import { refusedSkills } from '../standing/refused-skills.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { filePlace } from '../../kernel/diagnostic.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'
import { findSkill } from '../../skills/find-skill.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'

/**
 * Explains a skill by its id, or by an alias or display name, as its activation finds it.
 *
 * @param caller who would activate it
 */
export function explainSkill(
  state: WorkspaceState,
  context: EngineContext,
  given: string,
  pending: readonly string[] = [],
  caller: Caller = 'model',
): Verdict<SkillStatus> {
  const exact = assessSkill(state, context, given, pending)
  const meant = exact.status === 'unknown' ? findSkill(given, context.catalog.skills) : null
  const assessment = meant?.ok ? assessSkill(state, context, meant.name, pending) : exact
  const { name, status, open, nearest } = assessment
  const changes = status === 'changed' ? skillDrift(assessment, context) : null
  const drift = changes?.length
    ? [{ seq: open?.since ?? state.seq, text: `What changed: ${describeChanges(changes)}.` }]
    : []
  const isOff = status === 'inactive' && refusedSkills(state.policy, context.catalog).has(name)
  const effect =
    status === 'active' && open !== null ? allowedToolsReason(open, state, context) : []
  return {
    name,
    kind: 'skill',
    status,
    source: status === 'unknown' ? null : 'skill',
    owner: status === 'unknown' ? null : name,
    because: [
      ...registeredReason(name, state),
      ...reasonsForSkill(assessment, state, context),
      ...drift,
      ...effect,
      ...conditionReasons(name, state, context),
      ...refusedReasons(name, state, context),
      ...forkReasons(name, context),
      ...fieldsWithoutEffect(name, state, context),
    ],
    fix: [
      fixForSkill(assessment, context),
      ...(isOff ? ['No model can until the rule is removed.'] : []),
      ...missingFacts(assessment, state, context),
    ].join(' '),
    ...(changes && { changes }),
    ...activationProspect(assessment, caller, state, context),
    nearest,
    ...(status === 'unknown' && recalledOwner(name, state, context)),
  }
}

const RUNS: CallProspect = { needs: [], outcomes: ['run'] }

/** Returns what would become of the activation of a skill: for a model, of the call of `loadSkill`. */
function activationProspect(
  { name, status, open }: SkillAssessment,
  caller: Caller,
  state: WorkspaceState,
  context: EngineContext,
): CallProspect {
  const { leftToPeople, skills } = context.catalog
  const isRequired = status === 'active' && open?.requested === false
  if (status !== 'inactive' && !isRequired) return REFUSED
  const isByModel = caller === 'model' || caller === 'tool'
  if (isByModel && leftToPeople.has(name)) return REFUSED
  if (caller === 'user' && skills.get(name)?.userInvocable === false) return REFUSED
  if (caller !== 'model') {
    // A hook or a server may fail, and the name of a tool may be taken.
    return isRequired ? RUNS : { needs: ['activate'], outcomes: ['run', 'refuse'] }
  }
  if (loadingEffect(name, state, context) === 'deny') return REFUSED
  const row = toolTable(state, context).byName.get(LOAD_SKILL)
  const call = row?.status === 'available' ? callProspect(row, caller, state, context) : RUNS
  const outcomes = new Set<CallOutcome>([...call.outcomes, 'refuse'])
  return { ...call, needs: ['activate', ...call.needs], outcomes: [...outcomes] }
}

/** Returns the chain of entries that led a skill to its status. */
export function reasonsForSkill(
  assessment: SkillAssessment,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const { name, status, open, obstacle } = assessment
  const { agent, catalog } = context
  const last = Math.max(0, state.seq)
  const opened: readonly Reason[] = open
    ? [{ seq: open.since, text: `Skill "${name}" was activated ${whyOpened(open)}.` }]
    : []
  switch (status) {
    case 'active':
      return opened
    case 'pending':
      return [...opened, { seq: last, text: `Skill "${name}" is changing; its hooks are running.` }]
    case 'changed': {
      const text = howChanged(catalog.skills.get(name)?.hash, open)
      return [...opened, { seq: open?.since ?? last, text }]
    }
    case 'broken': {
      if (open === null) return loadingReasons(name, catalog)
      const broken = state.broken.find(({ skill }) => skill === name)
      const text = `Its onActivate hook failed after a resume: ${broken?.message ?? ''}`
      return [...opened, { seq: broken?.seq ?? last, text }]
    }
    case 'not-permitted': {
      const text = `Skill "${name}" is not on a list of the agent "${agent?.name ?? ''}".`
      return [{ seq: 0, text }]
    }
    case 'conflicting':
    case 'missing-requirement':
      return [...lastClosed(name, state), { seq: last, text: obstacle?.message ?? '' }]
    case 'inactive': {
      const { text } = failedServer(assessment, context)
      const failed = text === undefined ? [] : [{ seq: last, text, forHost: true as const }]
      return [...lastClosed(name, state), ...reservedReasons(name, catalog), ...failed]
    }
    case 'shadowed':
      return []
    case 'unknown':
      return [{ seq: last, text: `No skill is named "${name}".` }]
  }
}

function loadingReasons(name: string, catalog: Catalog): readonly Reason[] {
  return loadingErrors(name, catalog).map((error) => ({
    seq: 0,
    text: `It could not be loaded: ${error.message}`,
    forHost: true as const,
    ...filePlace(error),
  }))
}

/** Returns the first failure of a server that comes with an inactive skill, in words; nothing without one. */
function failedServer(
  { plan }: SkillAssessment,
  { catalog, connectFailure }: EngineContext,
): { readonly text?: string; readonly hint?: string } {
  for (const { skill } of plan?.enter ?? []) {
    for (const server of catalog.skillServers?.get(skill) ?? []) {
      const failure = connectFailure?.(server)
      if (failure === undefined) continue
      const text = `Its server "${server}" could not be connected: ${failure.message}`
      return { text, hint: failure.hint }
    }
  }
  return {}
}

/** The reason why no model can load a skill: a rule denies it. */
export function refusedReasons(
  name: string,
  { policy, policySince: seq }: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const rule = refusedSkills(policy, context.catalog).get(name)
  if (rule === undefined) return []
  const text = `It is off for models: the policy denies loading it, by the rule: ${describeRule(rule)}.`
  return [{ seq, text, ...placeOfRule('deny', rule, context) }]
}

function whyOpened({ cause }: OpenSource): string {
  return cause.by === 'dependency' ? `because "${cause.of}" requires it` : describeCause(cause)
}

function howChanged(now: ContentHash | undefined, open: OpenSource | null): string {
  if (now === undefined) return 'It is no longer in the catalog.'
  return now === open?.definition
    ? 'Its tools are not those the session activated.'
    : `Its definition is not the one the session activated (${open?.definition ?? ''}).`
}

function lastClosed(name: string, { closed }: WorkspaceState): readonly Reason[] {
  const last = closed.find(({ source, owner }) => source === 'skill' && owner === name)
  return last
    ? [{ seq: last.seq, text: `Skill "${name}" was deactivated ${describeCause(last.cause)}.` }]
    : [{ seq: 0, text: `Skill "${name}" has not been activated since the session opened.` }]
}

/** Returns the effect of an active skill's `allowed-tools`; nothing for a skill without them. */
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
    case 'pre-approve': {
      const judged = tools.filter(({ calls }) => calls !== null)
      const unjudged = tools.filter(({ calls }) => calls === null)
      const effect =
        policy.allowedTools === 'restrict'
          ? 'While it is active, calls are restricted to'
          : 'Its allowed-tools pre-approve'
      const parts = [
        judged.length > 0 && `${effect}: ${texts(judged)}.`,
        unjudged.length > 0 &&
          `Entries whose arguments cannot be judged allow nothing: ${texts(unjudged)}.`,
      ]
      return [{ seq, text: parts.filter((part) => part !== false).join(' ') }]
    }
  }
}

/** Says how the changed definition of an active skill is accepted. */
export function acceptHint(skill: string): string {
  return `Accept the new definition: acceptSkill("${skill}") (with the command: loadout accept ${skill}).`
}

/** Returns the command or change that would make a skill active; empty when it is. */
export function fixForSkill(assessment: SkillAssessment, context: EngineContext): string {
  const { name, status, open, obstacle, nearest } = assessment
  const { catalog } = context
  switch (status) {
    case 'active':
    case 'shadowed':
      return ''
    case 'pending':
      return 'Wait for its hooks to end.'
    case 'inactive': {
      const { hint } = failedServer(assessment, context)
      return hint ? `${hint} Then activate the skill "${name}".` : `Activate the skill "${name}".`
    }
    case 'changed':
      return catalog.skills.has(name)
        ? `${acceptHint(name)} Or deactivate the skill.`
        : `Add "${name}" to the catalog again, or deactivate the skill.`
    case 'broken':
      if (open === null)
        return loadingErrors(name, catalog)
          .map(({ hint }) => hint)
          .join(' ')
      return `Deactivate "${name}" and activate it again.`
    case 'not-permitted':
      return `Add "${name}" to the skills of the agent.`
    case 'conflicting':
    case 'missing-requirement':
      return obstacle?.hint ?? ''
    case 'unknown':
      return didYouMean(nearest, 'List the skills to see their names.')
  }
}
