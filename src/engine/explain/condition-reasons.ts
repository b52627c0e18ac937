import { describeReason } from './describe-rule.ts'
import type { Reason } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { SkillAssessment } from '../standing/assess-skill.ts'
import {
  conditionStanding,
  type ConditionStanding,
  judgeCondition,
  judgePaths,
} from '../standing/judge-condition.ts'

/** Returns what the facts mean for a skill that depends on some: what holds since which entry, and what is missing. */
export function conditionReasons(
  name: string,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const { paths, when } = context.catalog.conditional?.get(name) ?? {}
  const now = Math.max(0, state.seq)
  const reasons: Reason[] = []
  if (paths !== undefined) {
    const shown = judgePaths(paths, state.facts.paths)
    reasons.push(
      shown.holds
        ? { seq: shown.seq, text: `It is listed for models: ${lowerFirst(shown.text)}` }
        : { seq: now, text: `It is hidden from models until ${shown.missing}.` },
    )
  }
  if (when === undefined) return reasons
  const judged = judgeCondition(when, state)
  for (const one of judged.members) {
    reasons.push(
      one.holds
        ? { seq: one.seq, text: `A part of its condition holds: ${lowerFirst(one.text)}` }
        : { seq: now, text: `Its condition does not hold until ${one.missing}.` },
    )
  }
  const { since } = judged
  if (since === null) return reasons
  const text = whyNotSettled(conditionStanding(name, judged, state, context), name, context)
  if (text !== null) {
    reasons.push({
      seq: Math.max(since, state.policySince),
      text: `Its condition holds since #${since}, ${text}.`,
    })
  }
  return reasons
}

/** Returns what a condition that holds leads to, after a comma; null for a skill that is active. */
function whyNotSettled(
  standing: ConditionStanding,
  name: string,
  { catalog }: EngineContext,
): string | null {
  switch (standing.kind) {
    case 'waits':
    case 'active':
      return null
    case 'blocked':
      return `but ${standing.because.replace(/\.$/u, '')}`
    case 'due':
      return 'so the next step activates it'
    case 'denied':
    case 'asks': {
      const { permission } = standing.loading
      if (permission?.by === 'host') {
        const rule = describeReason(permission)
        return standing.kind === 'asks'
          ? `and a person is asked before it is activated, by the rule: ${rule}`
          : `but the policy denies it, by the rule: ${rule}`
      }
      const reserved = catalog.leftToPeople.get(name)
      return reserved === undefined
        ? 'but loadSkill is switched off or restricted'
        : `but "${reserved}" has disable-model-invocation`
    }
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Returns the facts that would activate an inactive skill, or list it for models, each as a sentence. */
export function missingFacts(
  { name, status }: SkillAssessment,
  state: WorkspaceState,
  { catalog }: EngineContext,
): readonly string[] {
  const { paths, when } = catalog.conditional?.get(name) ?? {}
  if (status !== 'inactive') return []
  const members = when ? judgeCondition(when, state).members : []
  const shown = paths && judgePaths(paths, state.facts.paths)
  const missing = members.flatMap((one) => (one.holds ? [] : one.missing))
  return [
    ...(missing.length > 0 ? [`It is also activated as soon as ${missing.join(', and ')}.`] : []),
    ...(shown?.holds === false ? [`Models see it as soon as ${shown.missing}.`] : []),
  ]
}
