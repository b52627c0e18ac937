import { createStore } from 'zustand/vanilla'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { ModeTable } from '../../engine/model/modes.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { ConfirmationTimes } from '../calls/approve.ts'
import { CallPipeline } from '../calls/call-pipeline.ts'
import { settleCallLimits } from '../calls/call-request.ts'
import { CallsInFlight } from '../calls/calls-in-flight.ts'
import { checkedNumbers } from '../calls/checked-numbers.ts'
import { knownIntents } from '../calls/intents/check-intents.ts'
import { Dispatcher } from '../commands/dispatcher.ts'
import { Following, ForeignEntries, trackRecordedCatalog } from '../commands/following.ts'
import { Journal } from '../commands/journal.ts'
import { ResumedHooks } from '../commands/resumed-hooks.ts'
import { hookRunner } from '../commands/run-hooks.ts'
import type { SessionSnapshot } from '../commands/session-store.ts'
import { notifyListener, type WorkspaceListener } from '../commands/workspace-listener.ts'
import { systemClock } from '../log/clock.ts'
import { entryHash } from '../log/stored-entry.ts'
import { discoveryOf } from '../offer/discovery/discovery-options.ts'
import { removalPricer } from '../offer/exposure/price-step.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { chooseExposure } from './choose-exposure.ts'
import { type ReadSession, recordedCatalog } from './read-session.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** Options whose session, log and counter are settled. */
interface SettledOptions extends WorkspaceOptions {
  readonly session: string
  readonly log: SessionParts['log']
  readonly tokenCounter: TokenCounter
}

const NO_MODES: ModeTable = {}

const DEFAULTS = {
  /** Hooks that hang are given up after this, in milliseconds. */
  hookTimeoutMs: 30_000,
  /** Folding so many entries takes about as long as reading a snapshot. */
  snapshotEvery: 500,
}

/**
 * Put together what works on a session that was read. Nothing is written, and nothing runs yet.
 *
 * @param notify told once per command, here or in another process
 */
export function assembleParts(
  options: SettledOptions,
  { state, last, looking, definitions, components, ...read }: ReadSession,
  notify: WorkspaceListener,
): SessionParts {
  const { session, log, tokenCounter: counter, clock = systemClock, principal, services } = options
  const limits = settleCallLimits(options.limits)
  const { hookTimeoutMs, snapshotEvery } = settleNumbers(options)
  const own = [...components.values()].reduce((sum, { tools }) => sum + tools.length, 0)
  const exposure = chooseExposure(options, read.surroundings, own)
  const prices = { facts: exposure.provider, counter, tool: read.surroundings.tool }
  const discovery = discoveryOf(options.discovery, read.surroundings.agent)
  const surroundings: EngineContext = {
    ...read.surroundings,
    ...(discovery && { discovery }),
    priceOf: removalPricer(exposure.strategy, prices),
  }
  const prepare =
    looking && log.follow !== undefined
      ? trackRecordedCatalog(surroundings, (at) =>
          recordedCatalog(options.catalog, at, log, definitions),
        )
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
    timeoutMs: hookTimeoutMs,
  }
  const resumed = new ResumedHooks()
  resumed.noteOpen(state.open)
  const inFlight = new CallsInFlight()
  const foreign = new ForeignEntries(surroundings, (outcome, entries) =>
    notify(outcome, entries, 'foreign'),
  )
  const journal = new Journal({
    session,
    last: last && entryHash(last),
    log,
    clock,
    store,
    definitions,
    redactor: surroundings.redactor,
    snapshotEvery,
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
      notify(outcome, entries, 'own')
    },
  })
  const following = new Following({ session, log, dispatcher, foreign, onFault: reportFault })
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
      const message = redactedMessage(progress.message, surroundings.redactor)
      void notifyListener(() => options.onProgress?.({ ...progress, ...message }))
    },
    onOutput: async (output, listener) => {
      await notifyListener(() => listener?.(output))
      await notifyListener(() => options.onOutput?.(output))
    },
  })
  return {
    session,
    log,
    counter,
    exposure,
    discovery,
    limits,
    clock,
    approvals: options.approvals,
    modes: options.modes ?? NO_MODES,
    store,
    surroundings,
    components,
    definitions,
    dispatcher,
    following,
    inFlight,
    pipeline,
    isNew: state.seq < 0,
  }
}

function reportFault(error: unknown): void {
  void notifyListener(() => {
    throw error
  })
}

function redactedMessage(message: string | undefined, redactor: Redactor | undefined) {
  return message === undefined || redactor === undefined ? {} : { message: redactor.text(message) }
}

function settleNumbers({ hookTimeoutMs, snapshotEvery }: SettledOptions): typeof DEFAULTS {
  return checkedNumbers(
    { hookTimeoutMs, snapshotEvery },
    {
      option: 'options',
      code: 'OPTIONS_INVALID',
      defaults: DEFAULTS,
      positive: ['hookTimeoutMs', 'snapshotEvery'],
    },
  )
}
