import { isDeepStrictEqual } from 'node:util'
import type { LiveSession } from './live-session.ts'
import type { OpenCall } from '../../../src/engine/model/call-event.ts'
import type { Policy } from '../../../src/engine/model/policy.ts'
import type { WorkspaceState } from '../../../src/engine/model/workspace-state.ts'
import type { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import type { Model } from '../../../tests/torture/reference-state.ts'
import { rowsOf } from '../../../tests/torture/reference-tools.ts'

/** Returns the first difference between a session and the model; null when there is none. */
export function differenceOf({ workspace }: LiveSession, model: Model): string | null {
  const is = viewOf(workspace)
  const should = viewOfModel(model, (skill) => workspace.catalog.skills.has(skill))
  const key = Object.keys(should).find((one) => !isDeepStrictEqual(is[one], should[one]))
  return key === undefined
    ? null
    : `${key} should be ${JSON.stringify(should[key])}, and is ${JSON.stringify(is[key])}`
}

/** The parts of a session that are compared: as text, so that a person can read a difference. */
type View = Readonly<Record<string, unknown>>

/** Returns the view of a session as the library reports it. */
function viewOf(workspace: VirtualWorkspace): View {
  const { state } = workspace
  const rows = workspace
    .tools()
    .filter(({ owner, name }) => owner !== 'loadout' && workspace.getToolSource(name) !== null)
  return {
    skills: workspace.skillManager.getActiveSkills().map(({ name }) => name),
    gone: state.open.flatMap(({ source, owner }) =>
      source === 'skill' && !workspace.catalog.skills.has(owner) ? [owner] : [],
    ),
    tools: rows
      .map(({ name, owner, status, asks }) => toolText(name, owner, status, asks))
      .toSorted(),
    count: state.components.find(({ key }) => key === 'notes')?.state ?? null,
    asked: [...state.confirmations, ...state.answers].map(({ tool, consent, expiresAt }) => [
      tool,
      consent,
      expiresAt,
    ]),
    found: state.found.map(({ name, owner }) => `${owner}/${name}`),
    turn: state.turn,
    calls: state.callsThisTurn,
    policy: ruled(state.policy),
    off: state.disabled.map(({ tool }) => tool).toSorted(),
    terms: state.open
      .filter(({ owner }) => owner !== 'loadout')
      .map((one) => [one.owner, one.usesLeft, one.turn, one.lastTurn, one.requested]),
    closed: state.closed.map(({ owner }) => owner).toSorted(),
    broken: state.broken.map(({ skill }) => skill),
    running: state.calls.flatMap((call) => (holdsItsSkill(call, state) ? [call.owner] : [])),
  }
}

/**
 * Returns true while the skill of a call is the one with which it began. A new activation of the skill does
 * not wait for the call.
 */
function holdsItsSkill(call: OpenCall, { open }: WorkspaceState): boolean {
  return open.some(
    ({ source, owner, since }) =>
      source === 'skill' && call.source === source && owner === call.owner && since < call.since,
  )
}

/** Returns the same view of the model. */
function viewOfModel(model: Model, known: (skill: string) => boolean): View {
  const active = model.sources.filter(({ kind }) => kind === 'skill').map(({ owner }) => owner)
  return {
    skills: active.filter(known),
    gone: active.filter((name) => !known(name)),
    tools: rowsOf(model)
      .map(({ name, source, status, asks }) => toolText(name, source.owner, status, asks))
      .toSorted(),
    count: model.count === null ? null : { count: model.count },
    asked: model.asked.map(({ tool, consent, until }) => [tool, consent, until]),
    found: model.found.map(({ name, owner }) => `${owner}/${name}`),
    turn: model.turn,
    calls: model.calls,
    policy: ruled(model.policy),
    off: model.off.toSorted(),
    terms: model.sources.map(({ owner, uses, from, last, requested }) => [
      owner,
      uses,
      from,
      last,
      requested,
    ]),
    closed: model.gone.toSorted(),
    broken: model.broken,
    running: model.running,
  }
}

/** Returns the mode and the rules, with and without the tool that a rule is about. */
function ruled({ mode, deny, ask }: Pick<Policy, 'mode' | 'deny' | 'ask'>) {
  return [mode, deny, ask]
}

function toolText(name: string, owner: string, status: string, asks: boolean): string {
  return `${name} of ${owner}: ${status}${asks ? ', asks' : ''}`
}
