import { fixForSkill, reasonsForSkill } from './explain-skill.ts'
import type { Explanation } from './explanation.ts'
import { fixForTool, reasonsForTool } from './reasons-for-tool.ts'
import { toolDrift } from './tool-drift.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from '../standing/assess-skill.ts'
import { assess, type Assessment } from '../standing/assess.ts'
import { type LoadingCall, skillLoadedByCall } from '../standing/findable-tools.ts'
import { judgeInactiveTool, type ToolStatus } from '../standing/tool-status.ts'
import { toolTable } from '../standing/tool-table.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'

/** Explain a tool by its name, or by `owner/name`. */
export function explainTool(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
): Explanation<ToolStatus> {
  const assessment = assess(state, context, address)
  const { status } = assessment
  const base = { name: address, kind: 'tool' as const, status, nearest: [] }
  switch (assessment.kind) {
    case 'registered': {
      const { row } = assessment
      const changes = toolDrift(row, state, context)?.changes
      return {
        ...base,
        source: row.owner.source,
        owner: row.owner.owner,
        because: reasonsForTool(row, state, context),
        fix: fixForTool(row, state, context),
        ...(changes && { changes }),
      }
    }
    case 'unregistered': {
      const loading = skillLoadedByCall(state, context, address)
      return loading === null
        ? { ...base, ...unregistered(assessment, state, context) }
        : { ...base, ...foundIn(loading, state, context) }
    }
    case 'unknown': {
      const { name, nearest } = assessment
      return {
        ...base,
        source: null,
        owner: null,
        because: [{ seq: Math.max(0, state.seq), text: `No tool is named "${name}".` }],
        fix: didYouMean(nearest, 'List the tools to see their names.'),
        nearest,
      }
    }
  }
}

type ExplanationBody = Pick<Explanation<ToolStatus>, 'source' | 'owner' | 'because' | 'fix'>

/** A tool of the catalog that nobody registers: by the skill that could bring it now, if there is one. */
function unregistered(
  { name, bringers }: Extract<Assessment, { kind: 'unregistered' }>,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const skill =
    bringers.find((one) => assessSkill(state, context, one).status === 'inactive') ?? bringers[0]
  if (skill === undefined) {
    return {
      source: null,
      owner: null,
      because: [{ seq: 0, text: 'No skill of the catalog brings this shared tool.' }],
      fix: 'Name it in a skill, or in a toolset that a skill names.',
    }
  }
  const alias = toolTable(state, context).byAddress.get(`skill:${skill}/${name}`)
  return {
    source: 'skill',
    owner: skill,
    because: reasonsForSkill(state, context, skill),
    fix:
      alias === undefined
        ? fixForSkill(state, context, skill) + evenThen(name, skill, state, context)
        : `It goes by the name "${alias.name}".`,
  }
}

/** What else stands against a tool whose skill is not active: loading it would be for nothing. */
function evenThen(
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

/** A tool that a search found, whose skill comes when it is called. */
function foundIn(
  { skill, found }: LoadingCall,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  return {
    source: 'skill',
    owner: skill,
    because: [
      ...reasonsForSkill(state, context, skill),
      {
        seq: found.since,
        text: 'A search found it, so it can be called without loading the skill.',
      },
    ],
    fix: `Call it: the call loads the skill "${skill}".`,
  }
}
