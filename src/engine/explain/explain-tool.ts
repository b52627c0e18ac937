import type { FieldChange } from '../../catalog/definition-change.ts'
import { didYouMean } from '../../kernel/did-you-mean.ts'
import { assess, type Assessment } from '../standing/assess.ts'
import { describeChanges } from './describe-changes.ts'
import { driftOf } from './drift-of.ts'
import { skillDrift } from './skill-drift.ts'
import { allowedToolsReason } from './allowed-tools-reason.ts'
import type { Reason } from './reason.ts'
import { fixForTool, reasonsForRow } from './reasons-for-tool.ts'
import { reasonsForSkill, fixForSkill } from './explain-skill.ts'
import { skillLoadedByCall, type LoadingCall } from '../standing/skill-loaded-by-call.ts'
import { skillStanding } from '../standing/skill-standing.ts'
import { wouldStand } from '../standing/standing-of.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { SkillStatus, ToolStatus } from '../standing/status.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { ToolSource } from '../model/tool-source.ts'
import { toolTable } from '../standing/tool-table.ts'

/** A status with the entries that led there and what would change it. */
export interface Explanation<Status = ToolStatus | SkillStatus> {
  readonly name: string
  readonly kind: 'tool' | 'skill'
  readonly status: Status
  readonly source: ToolSource | null
  readonly owner: string | null
  /** In the order it happened; the number is always an entry of the log. */
  readonly because: readonly Reason[]
  /** What to do about it; empty when nothing stands in the way. */
  readonly fix: string
  /**
   * How a definition in quarantine differs: of a tool from the one that was agreed to, of a skill from the
   * one that was activated.
   */
  readonly changes?: readonly FieldChange[]
  /** The nearest names, for a name that is not known. */
  readonly nearest: readonly string[]
}

/** Explain a tool by its name, or by `owner/name`. */
export function explainTool(
  state: WorkspaceState,
  surroundings: Surroundings,
  address: string,
): Explanation<ToolStatus> {
  const assessment = assess(state, surroundings, address)
  const { status } = assessment
  const base = { name: address, kind: 'tool' as const, status, nearest: [] }
  switch (assessment.kind) {
    case 'registered': {
      const { row } = assessment
      const changes = driftOf(row, state, surroundings)?.changes
      return {
        ...base,
        source: row.owner.source,
        owner: row.owner.owner,
        because: reasonsForRow(row, state, surroundings),
        fix: fixForTool(row, state, surroundings),
        ...(changes && { changes }),
      }
    }
    case 'unregistered': {
      const loading = skillLoadedByCall(state, surroundings, address)
      return loading === null
        ? { ...base, ...unregistered(assessment, state, surroundings) }
        : { ...base, ...foundIn(loading, state, surroundings) }
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

type Told = Pick<Explanation<ToolStatus>, 'source' | 'owner' | 'because' | 'fix'>

/** A tool of the catalog that nobody registers: by the skill that could bring it now, if there is one. */
function unregistered(
  { name, bringers }: Extract<Assessment, { kind: 'unregistered' }>,
  state: WorkspaceState,
  surroundings: Surroundings,
): Told {
  const skill =
    bringers.find((one) => skillStanding(state, surroundings, one).status === 'inactive') ??
    bringers[0]
  if (skill === undefined) {
    return {
      source: null,
      owner: null,
      because: [{ seq: 0, text: 'No skill of the catalog brings this shared tool.' }],
      fix: 'Name it in a skill, or in a toolset that a skill names.',
    }
  }
  const alias = toolTable(state, surroundings).byAddress.get(`skill:${skill}/${name}`)
  return {
    source: 'skill',
    owner: skill,
    because: reasonsForSkill(state, surroundings, skill),
    fix:
      alias === undefined
        ? fixForSkill(state, surroundings, skill) + evenThen(name, skill, state, surroundings)
        : `It goes by the name "${alias.name}".`,
  }
}

/** What else stands against a tool whose skill is not active: loading it would be for nothing. */
function evenThen(
  name: string,
  skill: string,
  state: WorkspaceState,
  surroundings: Surroundings,
): string {
  const brought = surroundings.catalog.skillTools.get(skill)
  const tool = brought?.find((one) => one.tool.name === name)?.tool
  const status = tool && wouldStand(tool, skill, state, surroundings).status
  return status === undefined || status === 'available'
    ? ''
    : ` Even then the tool would be ${status}.`
}

/** A tool that a search found, whose skill comes when it is called. */
function foundIn(
  { skill, found }: LoadingCall,
  state: WorkspaceState,
  surroundings: Surroundings,
): Told {
  return {
    source: 'skill',
    owner: skill,
    because: [
      ...reasonsForSkill(state, surroundings, skill),
      {
        seq: found.since,
        text: 'A search found it, so it can be called without loading the skill.',
      },
    ],
    fix: `Call it: the call loads the skill "${skill}".`,
  }
}

/** Explain a skill by its id. */
export function explainSkill(
  state: WorkspaceState,
  surroundings: Surroundings,
  name: string,
  pending: readonly string[] = [],
): Explanation<SkillStatus> {
  const { status, nearest, open } = skillStanding(state, surroundings, name, pending)
  const effect =
    status === 'active' && open !== null ? allowedToolsReason(open, state, surroundings) : []
  const changes = status === 'changed' ? skillDrift(state, surroundings, name) : null
  const drift = changes?.length ? [{ seq: open?.since ?? state.seq, text: told(changes) }] : []
  return {
    name,
    kind: 'skill',
    status,
    source: status === 'unknown' ? null : 'skill',
    owner: status === 'unknown' ? null : name,
    because: [...reasonsForSkill(state, surroundings, name, pending), ...drift, ...effect],
    fix: fixForSkill(state, surroundings, name, pending),
    ...(changes && { changes }),
    nearest,
  }
}

function told(changes: readonly FieldChange[]): string {
  return `What changed: ${describeChanges(changes)}.`
}
