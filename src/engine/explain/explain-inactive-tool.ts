import { reasonsForSkill, refusedReasons } from './explain-skill.ts'
import { CONTINUE_WITHOUT, wayToSkill } from './obstacle-to.ts'
import type { Reason, Verdict } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from '../standing/assess-skill.ts'
import { type Assessment, sentName } from '../standing/assess.ts'
import { callProspect, type CallProspect, REFUSED } from '../standing/call-prospect.ts'
import { type LoadingCall, skillLoadedByCall } from '../standing/findable-tools.ts'
import { loadingEffect } from '../standing/loading-effect.ts'
import { ignoresLists } from '../standing/permission.ts'
import { judgeInactiveTool, type ToolStatus } from '../standing/tool-status.ts'
import { ownerAddress, toolTable } from '../standing/tool-table.ts'
import { sentChanges } from '../../tools/definition/provider-tool.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The part of a verdict that depends on what a tool is here. */
export type ExplanationBody = Pick<
  Verdict<ToolStatus>,
  | 'source'
  | 'owner'
  | 'exposed'
  | 'sentAs'
  | 'sentChanges'
  | 'health'
  | 'because'
  | 'fix'
  | 'forModel'
  | 'changes'
> &
  CallProspect

/** Returns the name under which a tool is sent, if that is not its own, and what differs in its schema. */
export function sentAs(
  name: string,
  tool: Tool | undefined,
  { namesFor }: EngineContext,
): Pick<ExplanationBody, 'sentAs' | 'sentChanges'> {
  const sent = sentName(name, namesFor)
  const changes = tool && namesFor ? sentChanges(tool, namesFor) : []
  return {
    ...(sent !== name && { sentAs: sent }),
    ...(changes.length > 0 && { sentChanges: changes }),
  }
}

/** Explains a tool that no active skill brings: one that a call activates, or one that is not registered. */
export function explainInactiveTool(
  assessment: Extract<Assessment, { kind: 'unregistered' }>,
  address: string,
  caller: Caller,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const loading = skillLoadedByCall(state, context, address)
  return loading === null
    ? explainUnregistered(assessment, state, context)
    : explainFound(loading, caller, state, context)
}

/**
 * A tool of the catalog that is not registered, explained by the skill that could bring it now, if
 * any.
 */
function explainUnregistered(
  { name, bringers }: Extract<Assessment, { kind: 'unregistered' }>,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const assessments = bringers.map((one) => assessSkill(state, context, one))
  const assessment = assessments.find(({ status }) => status === 'inactive') ?? assessments[0]
  if (assessment === undefined) {
    return {
      source: null,
      owner: null,
      because: [{ seq: 0, text: 'No skill of the catalog brings this shared tool.' }],
      fix: 'Name it in a skill, or in a toolset that a skill names.',
      forModel: CONTINUE_WITHOUT,
      ...REFUSED,
    }
  }
  const skill = assessment.name
  const address = ownerAddress({ source: 'skill', owner: skill }, name)
  const alias = toolTable(state, context).byAddress.get(address)
  const { fix, forModel = CONTINUE_WITHOUT } = wayToSkill(skill, state, context)
  return {
    source: 'skill',
    owner: skill,
    // A log has no schema of a tool that no active skill brings, so nothing is stated about it.
    ...(alias === undefined ? sentAs(name, undefined, context) : {}),
    because: [
      ...reasonsForSkill(assessment, state, context),
      ...serverReasons(name, skill, context),
      ...loadingReasons(skill, state, context),
    ],
    ...(alias === undefined
      ? {
          fix: fix + remainingObstacle(name, skill, state, context),
          ...(forModel !== fix && { forModel }),
        }
      : { fix: `It is registered as "${alias.name}".` }),
    ...REFUSED,
  }
}

/** Names the server that has a tool of a skill. */
function serverReasons(name: string, skill: string, { catalog }: EngineContext): readonly Reason[] {
  const brought = catalog.skillTools.get(skill)?.find(({ tool }) => tool.name === name)
  if (brought?.server === undefined) return []
  const text = `The server "${brought.server}" has it, by its stored listing, and comes with "${skill}".`
  return [{ seq: 0, text }]
}

/** The reason why a model does not activate the skill of a tool by a call, if it could otherwise. */
function loadingReasons(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const effect = loadingEffect(skill, state, context)
  // The reasons for the skill say so.
  if (effect === null || context.catalog.leftToPeople.has(skill)) return []
  const refused = refusedReasons(skill, state, context)
  if (refused.length > 0) return refused
  const text =
    effect === 'deny'
      ? `A model cannot load "${skill}": loadSkill is denied or switched off.`
      : `A model loads "${skill}" only by loadSkill, which asks a person first.`
  return [{ seq: state.policySince, text }]
}

/** A warning when activating the skill of a tool would not make the tool available. */
function remainingObstacle(
  name: string,
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): string {
  const brought = context.catalog.skillTools.get(skill)
  const tool = brought?.find((one) => one.tool.name === name)?.tool
  const status = tool && judgeInactiveTool(tool, skill, state, context).status
  return status === undefined || status === 'available'
    ? ''
    : ` Even then the tool would be ${status}.`
}

/** A tool that a search found, whose skill is activated when it is called. */
function explainFound(
  { skill, found }: LoadingCall,
  caller: Caller,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const text = 'A search found it, so it can be called before its skill is activated.'
  const brought = context.catalog.skillTools.get(skill)
  const tool = brought?.find((one) => one.tool.hash === found.hash)?.tool
  const judged = tool && judgeInactiveTool(tool, skill, state, context)
  const prospect = judged ? callProspect(judged, caller, state, context) : REFUSED
  return {
    source: 'skill',
    owner: skill,
    ...sentAs(found.name, tool, context),
    because: [
      ...reasonsForSkill(assessSkill(state, context, skill), state, context),
      { seq: found.since, text },
    ],
    fix: `Call it: the call activates the skill "${skill}".`,
    // Its hooks may fail, and the lists of skills that enter and leave count for the call.
    ...prospect,
    needs: ['activate', ...prospect.needs],
    outcomes: ignoresLists(state.policy)
      ? [...new Set([...prospect.outcomes, 'refuse' as const])]
      : ['run', 'ask', 'refuse'],
  }
}
