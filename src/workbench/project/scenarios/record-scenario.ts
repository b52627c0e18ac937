import { isDeepStrictEqual } from 'node:util'
import { ownName } from '../../../entries/adapter.ts'
import {
  type Entry,
  ErrorType,
  type VirtualWorkspace,
  type WorkspaceEvent,
  type WorkspaceLook,
} from '../../../entries/index.ts'
import { isMeta } from '../../../entries/kit.ts'
import { nextRequest, requestTokens } from '../../../entries/plan.ts'
import { exposedIn } from './judge-step.ts'
import type {
  Scenario,
  ScenarioAnswer,
  ScenarioExpectation,
  ScenarioStep,
  ScenarioStub,
} from './read-scenario.ts'

/** A message of a person, with the answers of a model. The log of a session does not have them. */
export interface SpokenTurn {
  readonly user: string
  readonly answers: readonly SpokenAnswer[]
}

/** One answer of a model. */
export interface SpokenAnswer {
  readonly text: string
  readonly calls: readonly SpokenCall[]
}

export interface SpokenCall {
  readonly id: string
  /** The name that the model used. */
  readonly tool: string
  readonly input: unknown
  /** The data, or the text of the failure; absent for a call without a result. */
  readonly result?: unknown
}

/** The rules of a host, which a scenario need not repeat. */
type KnownRules = Readonly<Partial<Record<'deny' | 'ask' | 'allow', readonly unknown[]>>>

/**
 * Makes a scenario of a recorded session: its messages, the results of tools as stubs, and the state after each step. Calls of meta-tools, of components, and of tools that return intents run again: they change the
 * session.
 *
 * @param turns the messages of the session; without them, only what the log has is in the scenario
 */
export async function recordScenario(
  workspace: VirtualWorkspace,
  turns: readonly SpokenTurn[],
  known: KnownRules,
): Promise<Scenario> {
  const { state, session } = workspace
  const entries = (await workspace.entries()).slice(0, state.seq + 1)
  const parts = splitParts(entries, turns)
  const look = await workspace.sessions.look(parts[0]?.to ?? 0)
  let before: Seen = { active: [], exposed: [] }
  let seq = look.state.seq
  const steps: ScenarioStep[] = []
  for (const part of parts) {
    await look.forward(entries.slice(seq + 1, part.to + 1))
    seq = Math.max(seq, part.to)
    const { step, now } = await readStep(part, entries, look, before)
    before = now
    steps.push(step)
  }
  const { opening, policy } = state
  const stub = readStubs(parts, entries)
  const rules = sessionRules(policy, known)
  const { cost, strategy } = state
  return {
    scenario: 1,
    name: `what happened in ${session}`,
    ...(opening?.agent && { agent: opening.agent }),
    ...(policy.mode !== 'text' && { mode: policy.mode }),
    ...(cost && cost.provider !== 'compatible' && { provider: cost.provider }),
    ...(strategy && strategy !== 'active' && { exposure: strategy as Scenario['exposure'] }),
    ...(Object.keys(rules).length > 0 && { rules }),
    ...(Object.keys(stub).length > 0 && { stub }),
    steps,
  }
}

/** A part of a session that becomes a step: a message with the answers to it, what a person did to a skill, or facts. */
interface Part {
  readonly step: Pick<ScenarioStep, 'user' | 'activate' | 'deactivate' | 'note'>
  readonly answers: SpokenAnswer[]
  readonly from: number
  /** The last entry. */
  to: number
}

function splitParts(entries: readonly Entry[], turns: readonly SpokenTurn[]): readonly Part[] {
  const parts: Part[] = [{ step: {}, answers: [], from: 0, to: 0 }]
  let turn = 0
  let answers: SpokenAnswer[] = []
  for (const { seq, event, cause } of entries) {
    let part = parts.at(-1) as Part
    const begin = (step: Part['step']) => {
      part = { step, answers: [], from: seq, to: seq }
      parts.push(part)
    }
    const isPerson = cause.by === 'user' || cause.by === 'host'
    if (event.type === 'turn.begun') {
      part.answers.push(...answers)
      const spoken = turns[turn]
      turn += 1
      answers = [...(spoken?.answers ?? [])]
      begin({ user: spoken?.user ?? `Message ${turn}.` })
    } else if (isPerson && 'source' in event && event.source === 'skill') {
      if (event.type === 'source.opened') begin({ activate: event.owner })
      else if (event.type === 'source.closed' && event.names === null)
        begin({ deactivate: event.owner })
    } else if (isPerson && event.type === 'fact.noted') {
      const { paths, event: name, holds } = event
      begin({
        note: {
          ...(paths && { paths: [...paths] }),
          ...(name !== undefined && { event: name }),
          ...(holds === false && { holds }),
        },
      })
    } else if (event.type === 'step.begun') {
      const answer = answers.shift()
      if (answer !== undefined) part.answers.push(answer)
    }
    part.to = seq
  }
  parts.at(-1)?.answers.push(...answers)
  return parts
}

/** The names that are compared from step to step. */
interface Seen {
  readonly active: readonly string[]
  readonly exposed: readonly string[]
}

async function readStep(
  { step, answers, from, to }: Part,
  entries: readonly Entry[],
  look: WorkspaceLook,
  before: Seen,
): Promise<{ readonly step: ScenarioStep; readonly now: Seen }> {
  const next = await nextRequest(look)
  const now: Seen = {
    active: look.skillManager.getActiveSkills().map(({ name }) => name),
    exposed: exposedIn(next),
  }
  const own = entries.slice(from, to + 1)
  const names = look.tools().map(({ name }) => name)
  const model = answers.map(({ text, calls }): ScenarioAnswer => {
    const made = calls.map(({ tool, input }) => {
      return { call: ownName(tool, names), with: (input ?? {}) as Record<string, unknown> }
    })
    const [only] = made
    if (only === undefined) return { text }
    return made.length === 1 ? only : { calls: made }
  })
  const asked = own.flatMap(({ event }) =>
    event.type === 'confirmation.asked' && event.child === undefined ? [event] : [],
  )
  const answered = (type: 'confirmation.approved' | 'confirmation.denied') =>
    listed(
      asked
        .filter(({ id }) => own.some(({ event }) => event.type === type && event.id === id))
        .map(({ tool }) => tool),
    )
  const [approve, deny] = [answered('confirmation.approved'), answered('confirmation.denied')]
  const isNew = (seen: keyof Seen) => listed(now[seen].filter((one) => !before[seen].includes(one)))
  const isGone = (seen: keyof Seen) =>
    listed(before[seen].filter((one) => !now[seen].includes(one)))
  // A scenario without a wire shows no history, so nothing is withdrawn from its conversation.
  const freed = entries.slice(0, to + 1).reduce((sum, { event }) => {
    return sum + (event.type === 'step.begun' ? (event.conversation?.freed ?? 0) : 0)
  }, 0)
  const tokens = requestTokens(next.cost) - next.cost.messages + freed
  const lists = {
    asked: listed(asked.map(({ tool }) => tool)),
    active: isNew('active'),
    'not-active': isGone('active'),
    // The first step has all of them.
    exposed: before.exposed.length === 0 ? [] : isNew('exposed'),
    'not-exposed': isGone('exposed'),
  }
  const expect: ScenarioExpectation = {
    ...lastOutcome(answers, own),
    ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)),
    tokens: Math.ceil((tokens + 1) / TOKENS_STEP) * TOKENS_STEP,
  }
  return {
    step: {
      ...step,
      ...(model.length > 0 && { model }),
      ...(approve.length > 0 && { approve }),
      ...(deny.length > 0 && { deny }),
      expect,
    },
    now,
  }
}

/** Prices are rounded up to these, so that a changed word does not fail a scenario. */
const TOKENS_STEP = 100

function listed(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/** The outcome of the last call of a step. */
function lastOutcome(
  answers: readonly SpokenAnswer[],
  own: readonly Entry[],
): Pick<ScenarioExpectation, 'ok' | 'error' | 'refused'> {
  const last = answers.flatMap(({ calls }) => calls).at(-1)
  if (last === undefined) return {}
  const isOwn = ({ cause }: Entry) => cause.by === 'model' && cause.call === last.id
  const denied = new Set(
    own.map(({ event }) => (event.type === 'confirmation.denied' ? event.id : '')),
  )
  const isDenied = own.some(
    (one) => isOwn(one) && one.event.type === 'confirmation.asked' && denied.has(one.event.id),
  )
  if (isDenied) return { ok: false, error: ErrorType.DENIED }
  const ended = own.findLast((one) => {
    if (one.event.type === 'call.ended') return one.event.call === last.id
    return one.event.type === 'command.refused' && isOwn(one)
  })?.event
  if (ended?.type === 'call.ended') {
    return ended.error === null ? { ok: ended.ok } : { ok: false, error: ended.error }
  }
  if (ended?.type !== 'command.refused') return {}
  return ended.code === 'confirmation-required'
    ? { ok: false, error: ErrorType.CONFIRMATION_REQUIRED }
    : { ok: false, refused: ended.code }
}

/** Returns the results of tools whose code need not run again, in the order of their calls. */
function readStubs(
  parts: readonly Part[],
  entries: readonly Entry[],
): NonNullable<Scenario['stub']> {
  const started = new Map<string, Extract<WorkspaceEvent, { type: 'call.started' }>>()
  const ended = new Map<string, Extract<WorkspaceEvent, { type: 'call.ended' }>>()
  for (const { event } of entries) {
    if (event.type === 'call.started') started.set(event.call, event)
    else if (event.type === 'call.ended') ended.set(event.call, event)
  }
  const stubs = new Map<string, ScenarioStub[]>()
  const changing = new Set<string>()
  const calls = parts.flatMap(({ answers }) => answers).flatMap((one) => one.calls)
  for (const { id, result } of calls) {
    const [start, end] = [started.get(id), ended.get(id)]
    if (start === undefined) continue
    const { tool, source, owner } = start
    const isStubbed = end !== undefined && result !== undefined && end.intents.length === 0
    if (!isStubbed || source === 'component' || isMeta({ source, owner })) {
      changing.add(tool)
      continue
    }
    const stub = end.error === null ? { data: result } : failureStub(end.error, result)
    // A failure that may pass is tried again.
    const attempts = end.error === null ? 1 : (end.attempts ?? 1)
    stubs.set(tool, [...(stubs.get(tool) ?? []), ...Array<ScenarioStub>(attempts).fill(stub)])
  }
  return Object.fromEntries(
    [...stubs]
      .filter(([tool]) => !changing.has(tool))
      .map(([tool, all]) => {
        const [first = { data: null }] = all
        return [tool, all.every((one) => isDeepStrictEqual(one, first)) ? first : all]
      }),
  )
}

function failureStub(type: ErrorType, text: unknown): ScenarioStub {
  const start = `${type}: `
  const message = String(text)
  return {
    error: { type, message: message.startsWith(start) ? message.slice(start.length) : message },
  }
}

/** Returns the rules of a session that its host does not have anyway. Those with conditions are left out. */
function sessionRules(
  policy: Partial<Record<'deny' | 'ask' | 'allow', readonly unknown[]>>,
  known: KnownRules,
): NonNullable<Scenario['rules']> {
  const lists = (['deny', 'ask', 'allow'] as const).map((list) => {
    const own = (policy[list] ?? []).filter(
      (rule): rule is string => typeof rule === 'string' && known[list]?.includes(rule) !== true,
    )
    return [list, own] as const
  })
  return Object.fromEntries(lists.filter(([, own]) => own.length > 0))
}
