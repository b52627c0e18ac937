import { describeCause } from './describe-event.ts'
import { type ExplanationBody, explainInactiveTool, sentAs } from './explain-inactive-tool.ts'
import { fixForSkill, reasonsForSkill } from './explain-skill.ts'
import type { Verdict, Reason } from './verdict.ts'
import { announcedReasons, connectionReasons, serverHealth } from './connection-reasons.ts'
import { NO_OBSTACLE, type Obstacle, obstacleTo, CONTINUE_WITHOUT } from './obstacle-to.ts'
import { knownUpTo, permissionReasons } from './permission-reasons.ts'
import { recalledOwner } from './recalled-owner.ts'
import { toolDrift } from './tool-drift.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from '../standing/assess-skill.ts'
import { assess, calledName, stateFor } from '../standing/assess.ts'
import { callProspect, callTerms, REFUSED } from '../standing/call-prospect.ts'
import { hiddenTools } from '../standing/findable-tools.ts'
import type { ToolStatus } from '../standing/tool-status.ts'
import { type ToolRow, UNREGISTERED } from '../standing/tool-table.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'

/**
 * Explains a tool by its name, by `owner/name`, or by the name under which a provider gets it.
 *
 * @param caller the one whose calls are explained
 */
export function explainTool(
  given: WorkspaceState,
  context: EngineContext,
  name: string,
  caller: Caller = 'model',
): Verdict<ToolStatus> {
  const state = stateFor(caller, given)
  const address = calledName(name, 'host', state, context)
  const assessment = assess(state, context, address)
  const base = { name: address, kind: 'tool' as const, status: assessment.status }
  switch (assessment.kind) {
    case 'registered':
      return { ...base, ...explainRow(assessment.row, caller, state, context), nearest: [] }
    case 'unregistered': {
      const body = explainInactiveTool(assessment, address, caller, state, context)
      return { ...base, ...body, nearest: [] }
    }
    case 'gone': {
      const { source, owner, seq, detached, nearest } = assessment
      const who = ownerName(assessment)
      const brought = detached?.by === 'dependency' && context.catalog.skills.has(detached.of)
      const [text, fix] =
        detached === null
          ? [`${who} no longer has it.`, `It is back when the ${source} "${owner}" has it again.`]
          : [
              `${who} had it, and was detached ${describeCause(detached)}.`,
              brought
                ? fixForSkill(assessSkill(state, context, detached.of), context)
                : `Attach the ${source} "${owner}" again.`,
            ]
      return {
        ...base,
        source,
        owner,
        because: [{ seq, text }],
        ...serverHealth(assessment, context),
        fix: didYouMean(nearest, fix),
        forModel: didYouMean(nearest, CONTINUE_WITHOUT),
        ...REFUSED,
        nearest,
      }
    }
    case 'left-out': {
      const { source, owner, seq, reason, taken } = assessment
      const text = `${ownerName(assessment)} has it, and it is left out: ${reason}`
      const fix = taken
        ? NAME_TAKEN
        : `Report the reason to the author of the ${source}, and attach it again once it is fixed.`
      const health = serverHealth(assessment, context)
      const because = [{ seq, text }]
      return { ...base, source, owner, ...health, because, fix, ...REFUSED, nearest: [] }
    }
    case 'unknown': {
      const { name, nearest } = assessment
      return {
        ...base,
        source: null,
        owner: null,
        because: [
          ...announcedReasons(state, context),
          { seq: Math.max(0, state.seq), text: whyUnknown(address, name) },
        ],
        fix: didYouMean(nearest, 'List the tools to see their names.'),
        ...REFUSED,
        nearest,
        ...recalledOwner(address, state, context),
      }
    }
  }
}

const NAME_TAKEN =
  'Attach the server with onConflict "namespace" or "shadow", or remove the other tool: it then comes by itself.'

/** An owner may be without a tool that another owner has. */
function whyUnknown(address: string, name: string): string {
  const owner = address.slice(0, -name.length - 1)
  if (owner === '') return `No tool is named "${name}".`
  return owner === UNREGISTERED
    ? `The tool "${name}" that was given is not registered here. Another tool has its name.`
    : `"${owner}" has no tool named "${name}".`
}

/** A registered tool: how it was registered, then what is against it. */
function explainRow(
  row: ToolRow,
  caller: Caller,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const { owner, claim, status, permission } = row
  const changes = toolDrift(row, state, context)?.changes
  const exposed =
    state.exposed?.some(
      (one) => one.name === row.name && one.hash === claim.hash && !one.removed,
    ) ?? false
  const terms = status === 'available' ? callTerms(row, state, context) : null
  const {
    reason,
    fix,
    forModel = CONTINUE_WITHOUT,
  } = status !== 'available'
    ? obstacleTo(row, state, context)
    : exposed
      ? NO_OBSTACLE
      : wayToModel(row, state, context)
  const seq = claim.since
  const health = serverHealth(owner, context)
  const came: readonly Reason[] =
    owner.source === 'skill'
      ? reasonsForSkill(assessSkill(state, context, owner.owner), state, context)
      : [{ seq, text: howRegistered(row) }, ...connectionReasons(row, health)]
  const rest = reason === null ? [] : [reason]
  return {
    source: owner.source,
    owner: owner.owner,
    exposed,
    ...health,
    ...(status === 'shadowed' ? {} : sentAs(claim.name, row.tool, context)),
    because: [
      ...came,
      ...knownUpTo(row, state, context),
      ...(terms && permission
        ? permissionReasons({ ...row, permission }, terms, state, context)
        : []),
      ...rest,
    ],
    fix,
    ...(status !== 'available' && forModel !== fix && { forModel }),
    ...(changes && { changes }),
    ...(terms ? callProspect(row, caller, state, context, terms) : REFUSED),
  }
}

function howRegistered({ owner: { source, owner, cause }, claim }: ToolRow): string {
  const how = describeCause(cause)
  const name = claim.name === claim.definedAs ? '' : `, under the name "${claim.name}"`
  if (source === 'global') {
    return owner === 'global'
      ? `It was registered ${how}${name}.`
      : `"${owner}" registered it ${how}${name}.`
  }
  return `It was registered as a tool of the ${source} "${owner}" ${how}${name}.`
}

/** The owner of a tool, as the beginning of a sentence. */
function ownerName({ source, owner }: Pick<ToolRow['owner'], 'source' | 'owner'>): string {
  switch (source) {
    case 'component':
      return `Component "${owner}"`
    case 'server':
      return `Server "${owner}"`
    case 'skill':
    case 'global':
      return `"${owner}"`
  }
}

/** Returns why the model has not been sent an available tool, and how the tool gets there. */
function wayToModel(
  { name, owner, claim }: ToolRow,
  state: WorkspaceState,
  context: EngineContext,
): Obstacle {
  const isSent = (tool: string) =>
    state.exposed?.some((one) => one.name === tool && !one.removed) ?? false
  // A reader of the log may not know that its host searches, but sees the search in the request.
  const isHidden =
    context.discovery === undefined && context.handlers === 'recorded'
      ? owner.source !== 'skill' && !isMeta(owner) && isSent('tool_search')
      : hiddenTools(state, context).has(name)
  if (isHidden && !state.found.some((one) => one.name === name)) {
    return {
      reason: {
        seq: claim.since,
        text: 'It has not been sent to the model, which finds such tools by search in this session.',
      },
      fix: 'Find it with tool_search, or name it in the option "discovery.pinned" to send it from the start.',
    }
  }
  // The first step is still to come, and sends it.
  if (state.exposed === null) return NO_OBSTACLE
  return {
    reason: { seq: claim.since, text: `The request of step ${state.step} did not carry it.` },
    fix: isSent('call_tool')
      ? `Call it with call_tool, by the name "${name}".`
      : 'Begin the next step: it sends the tool.',
  }
}
