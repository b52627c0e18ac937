import { randomUUID } from 'node:crypto'
import { createStore } from 'zustand/vanilla'
import type { ToolComponent } from '../components/tool-component.ts'
import type { Entry } from '../engine/event.ts'
import type { ModeTable } from '../engine/policy/mode-limits-of.ts'
import type { Surroundings } from '../engine/surroundings.ts'
import type { Redactor } from '../kernel/redaction/redactor.ts'
import type { TokenCounter } from '../kernel/token-counter.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { ApprovalStore } from '../session/approvals/approval-store.ts'
import { DEFAULT_CALL_LIMITS, type CallLimits } from '../session/calls/call-request.ts'
import { CallsInFlight } from '../session/calls/calls-in-flight.ts'
import { systemClock } from '../session/clock.ts'
import { ConfirmationTimes } from '../session/calls/confirmation-times.ts'
import type { DefinitionKeeper } from '../session/log/definition-keeper.ts'
import { CallPipeline } from '../session/calls/call-pipeline.ts'
import { Dispatcher } from '../session/dispatcher.ts'
import { Following } from '../session/following/following.ts'
import { ForeignEntries } from '../session/following/foreign-entries.ts'
import { hookRunner } from '../session/hooks/hook-runner.ts'
import { Journal } from '../session/journal.ts'
import { createMemoryLog } from '../session/log/memory-log.ts'
import { discoveryOf, type Discovery } from '../session/discovery/discovery-options.ts'
import { knownIntents } from '../session/intents/known-intents.ts'
import type { Outcome } from '../session/outcome.ts'
import type { ImmediateLog } from '../session/log/immediate-log.ts'
import type { Clock, EventLog } from '../session/ports.ts'
import { movingCatalog } from '../session/following/moving-catalog.ts'
import { recordedCatalog } from '../session/recorded-catalog.ts'
import { removalPricer } from '../session/exposure/removal-pricer.ts'
import { ResumedHooks } from '../session/hooks/resumed-hooks.ts'
import type { SessionSnapshot, SessionStore } from '../session/session-store.ts'
import { o200kCounter } from '../session/token-counter.ts'
import { chooseExposure, type ChosenExposure } from './opening/choose-exposure.ts'
import { freshSession, readSession, type ReadSession } from './read-session.ts'
import { tell } from './tell.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** The machinery of one open session, put together. */
export interface SessionParts {
  readonly session: string
  readonly log: EventLog
  readonly counter: TokenCounter
  readonly exposure: ChosenExposure
  /** How tools are found; null for a session that shows all of them. */
  readonly discovery: Discovery | null
  readonly limits: CallLimits
  readonly clock: Clock
  /** Where approvals are kept beyond the session; undefined where they are not. */
  readonly approvals: ApprovalStore | undefined
  /** The modes the host defines. */
  readonly modes: ModeTable
  readonly store: SessionStore
  readonly surroundings: Surroundings
  readonly components: Map<string, ToolComponent>
  readonly definitions: DefinitionKeeper
  readonly dispatcher: Dispatcher
  readonly following: Following
  readonly inFlight: CallsInFlight
  readonly pipeline: CallPipeline
  /** The log knew nothing of the session when it was opened. */
  readonly isNew: boolean
}

/** Hooks that hang are given up after this, in milliseconds. */
const HOOK_TIMEOUT_MS = 30_000

const NO_MODES: ModeTable = {}

/** Folding so many entries takes about as long as reading a snapshot. */
const SNAPSHOT_EVERY = 500

/** Read the log, fold it, and put together what works on the result. Writes nothing. */
export async function sessionParts(
  options: WorkspaceOptions,
  notify: Notify,
): Promise<SessionParts> {
  const { log = createMemoryLog() } = options
  const session = sessionOf(options)
  const counter = await (options.tokenCounter ?? o200kCounter())
  const read = await readSession(options, session, log)
  return assembleParts({ ...options, session, log, tokenCounter: counter }, read, notify)
}

/** What opening without waiting takes: all of it is at hand, and the log commits at once. */
export interface ImmediateOptions<Services = unknown> extends WorkspaceOptions<Services> {
  readonly log: EventLog & { readonly immediate: ImmediateLog }
  readonly tokenCounter: TokenCounter
  /** A new one; known sessions are resumed by `open`. */
  readonly session: string
}

/** The same at once, for a session the log does not know. Throws `SESSION_KNOWN` for others. */
export function sessionPartsNow(options: ImmediateOptions, notify: Notify): SessionParts {
  const session = sessionOf(options)
  if (options.log.immediate.read(session).length > 0) throw sessionKnown(session)
  return assembleParts(options, freshSession(options, options.log), notify)
}

type Notify = (outcome: Outcome, entries: readonly Entry[]) => void

function assembleParts(
  options: WorkspaceOptions &
    Pick<SessionParts, 'session' | 'log'> & { tokenCounter: TokenCounter },
  { state, last, looking, definitions, components, ...read }: ReadSession,
  notify: Notify,
): SessionParts {
  const { session, log, tokenCounter: counter, clock = systemClock, principal, services } = options
  const limits =
    options.limits === undefined
      ? DEFAULT_CALL_LIMITS
      : { ...DEFAULT_CALL_LIMITS, ...options.limits }
  const own = [...components.values()].reduce((sum, { tools }) => sum + tools.length, 0)
  const exposure = chooseExposure(options, read.surroundings, own)
  const prices = { facts: exposure.provider, counter, tool: read.surroundings.tool }
  const discovery = discoveryOf(options.discovery, read.surroundings.agent)
  const surroundings: Surroundings = {
    ...read.surroundings,
    ...(discovery && { discovery }),
    priceOf: removalPricer(exposure.strategy, prices),
  }
  const prepare =
    looking && log.follow !== undefined
      ? movingCatalog(surroundings, (at) => recordedCatalog(options.catalog, at, log, definitions))
      : undefined
  const { catalog } = surroundings
  const store = createStore<SessionSnapshot>(() => ({ state, pending: [] }))
  const times = new ConfirmationTimes(clock)
  times.note(state)
  store.subscribe((after) => times.note(after.state))
  const hooks = {
    catalog,
    session,
    services,
    principal,
    timeoutMs: options.hookTimeoutMs ?? HOOK_TIMEOUT_MS,
  }
  const resumed = new ResumedHooks()
  resumed.noteOpen(state.open)
  const inFlight = new CallsInFlight()
  const foreign = new ForeignEntries(surroundings, notify)
  const journal = new Journal({
    session,
    last,
    log,
    clock,
    store,
    definitions,
    redactor: surroundings.redactor,
    snapshotEvery: options.snapshotEvery ?? SNAPSHOT_EVERY,
    ...(prepare && { prepare }),
    onForeign: (entries) => {
      resumed.note(entries)
      foreign.note(store.getState().state, entries)
    },
  })
  const dispatcher = new Dispatcher({
    journal,
    clock,
    immediate: log.immediate,
    store,
    surroundings,
    runHook: hookRunner(hooks),
    readOnly: looking,
    outlived: () => times.outlived(),
    abortCallsOf: (skills) => inFlight.abort(skills, 'Its skill was put away.'),
    notify: (outcome, entries) => {
      foreign.tell()
      notify(outcome, entries)
    },
  })
  const following = new Following({
    session,
    log,
    dispatcher,
    foreign,
    onFault: tellFault,
  })
  const pipeline = new CallPipeline({
    session,
    dispatcher,
    store,
    surroundings,
    clock,
    limits,
    inFlight,
    resumed,
    intents: knownIntents(options.intents),
    counter: options.countCalls === false ? null : counter,
    approvals: options.approvals,
    services,
    principal,
    randomness: options.randomness ?? Math.random,
    onProgress: (progress) => {
      const message = shownText(progress.message, surroundings.redactor)
      void tell(() => options.onProgress?.({ ...progress, ...message }))
    },
    onOutput: async (output, listener) => {
      await tell(() => listener?.(output))
      await tell(() => options.onOutput?.(output))
    },
  })
  const machinery = { dispatcher, following, inFlight, pipeline, store, surroundings, definitions }
  const { modes = NO_MODES } = options
  const rules = { discovery, limits, modes, clock, approvals: options.approvals }
  const isNew = state.seq < 0
  return { session, log, counter, exposure, components, isNew, ...rules, ...machinery }
}

function tellFault(error: unknown): void {
  void tell(() => {
    throw error
  })
}

function shownText(message: string | undefined, redactor: Redactor | undefined) {
  return message === undefined || redactor === undefined ? {} : { message: redactor.text(message) }
}

function sessionOf({ session = randomUUID() }: WorkspaceOptions): string {
  if (session.trim() === '') throw sessionNameless()
  return session
}

function sessionKnown(session: string): WorkspaceError {
  return new WorkspaceError('SESSION_KNOWN', `The log has a session "${session}" already.`, {
    hint: 'Take it up with open, or choose another id.',
    facts: { session },
  })
}

function sessionNameless(): WorkspaceError {
  return new WorkspaceError('SESSION_INVALID', 'A session needs an id that is not blank.', {
    hint: 'Give the id of the conversation, or leave it out for a random one.',
  })
}
