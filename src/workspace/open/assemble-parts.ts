import { createStore } from 'zustand/vanilla'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ModeTable } from '../../engine/model/modes.ts'
import type { RulePlaces } from '../../engine/model/stored-rule.ts'
import { READ_RESULT } from '../../engine/model/source-event.ts'
import { functionsOf } from '../../engine/standing/permission.ts'
import { ConfirmationTimes } from '../calls/approve.ts'
import { settleCallLimits } from '../calls/request/call-limits.ts'
import { CallsInFlight } from '../calls/calls-in-flight.ts'
import { checkedNumbers } from '../commands/checked-numbers.ts'
import { ResultWindow } from '../calls/handlers/result-window.ts'
import { knownIntents } from '../calls/intents/check-intents.ts'
import { ChildSessions } from '../commands/child-sessions.ts'
import { AttachedServers } from '../servers/attached-servers.ts'
import { CurrentCatalog } from '../commands/current-catalog.ts'
import { Dispatcher } from '../commands/dispatcher.ts'
import { Following, ForeignEntries, trackRecordedCatalog } from '../commands/following.ts'
import { Journal } from '../commands/journal.ts'
import { ParentSession } from '../commands/parent-session.ts'
import { ResumedHooks } from '../commands/resumed-hooks.ts'
import { hookRunner } from '../commands/carry-out-plan.ts'
import type { SessionSnapshot } from '../commands/session-store.ts'
import type { WorkspaceListener } from '../commands/outcome.ts'
import { systemClock } from '../log/clock.ts'
import { isOwnLog } from '../log/memory-log.ts'
import { entryHash } from '../log/stored-entry.ts'
import { discoveryOf } from '../offer/discovery/discovery-options.ts'
import { factsOfCost } from '../offer/exposure/provider-facts.ts'
import { offerReading } from '../offer/meta-tools/read-result-meta-tool.ts'
import { currentExposure } from '../offer/exposure/plan-exposure.ts'
import { priceRemoval } from '../offer/exposure/price-step.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import type { SessionContext } from '../commands/session-journal.ts'
import { chooseExposure } from './choose-exposure.ts'
import { boundFunctions } from './session-policy.ts'
import { DEFAULT_PROMPT_OPTIONS } from '../../render/prompt/document/prompt-input.ts'
import { type ReadSession, recordedCatalog } from './read-session.ts'
import type { SettledOptions, WorkspaceLimits, WorkspaceOptions } from './workspace-options.ts'

/** Tokens of the window of a model that is not known. */
const SMALL_WINDOW = 128_000

const NO_MODES: ModeTable = {}

const NO_PLACES: RulePlaces = new Map()

const NO_CLIENT: NonNullable<WorkspaceOptions['client']> = {}

const DEFAULTS = {
  /** Milliseconds one hook may take. */
  hookTimeoutMs: 30_000,
  /** Entries between two snapshots, which is how many an opening reads and folds at most. */
  snapshotEvery: 100,
}

/**
 * Builds the parts of a session from its options and from what was read of its log. Writes nothing, and
 * runs nothing yet.
 *
 * @param notify called once per command, here or in another process
 */
export function assembleParts(
  options: SettledOptions,
  read: ReadSession,
  notify: WorkspaceListener,
  given: SessionParts['parent'] = null,
): SessionParts {
  const { session, log, tokenCounter: counter, principal, services } = options
  const { clock = systemClock, randomness = Math.random } = options.testing ?? {}
  const { state, last, looking, definitions, handlers, components } = read
  const { agent, tool } = read.context
  const limits = settleCallLimits(options.limits, Object.keys(DEFAULTS))
  const numbers = settleNumbers(options.limits)

  // How tools reach the model, and how it finds those that are hidden.
  const componentTools = [...components.values()].flatMap(({ tools }) => tools).length
  const exposure = chooseExposure(options, read.context, componentTools)
  const discovery = discoveryOf(options.discovery, agent)

  // What the engine reads besides the state: catalog, agent, definitions and prices.
  const namesFor = options.provider === undefined ? undefined : exposure.provider.names
  const context: SessionContext & { catalog: Catalog } = {
    ...read.context,
    functions: boundFunctions(options.policy?.permissions),
    places: options.policy?.permissions?.places ?? NO_PLACES,
    ...(!looking && {
      bound: (claim, { source, owner }) =>
        handlers.tool(claim) ??
        (source === 'server' ? parts.servers.bound(owner, claim.hash) : undefined),
      listing: (server, isEager) => parts.servers.listing(server, isEager),
      serverHealth: (server) => parts.servers.health(server),
      connectFailure: (server) => parts.servers.connectFailure(server),
    }),
    ...(given?.context && { functionsAbove: (level) => functionsOf(given.context ?? {}, level) }),
    ...(discovery && { discovery }),
    ...(namesFor && { namesFor }),
    calls: {
      mostSame: limits.sameCalls,
      mostEmpty: limits.emptyResults,
      recordsActions: options.repeatedActions === 'recorded',
      // A reader of a log does not know the store and the hooks of its host.
      hasStore: !looking && options.approvals !== undefined,
      hasBudget: !looking && options.budget !== undefined,
      resumes: (skill, since) =>
        !looking &&
        context.catalog.skills.get(skill)?.onActivate !== undefined &&
        resumed.awaits(skill, since),
    },
    priceOf: (tools, sent) => {
      const now = currentExposure(store.getState().state, parts.exposure)
      const { strategy, provider: facts } = now
      const prices = { facts, counter, tool, namesFor }
      return priceRemoval(tools, sent, strategy, prices)
    },
  }
  const current = new CurrentCatalog(context, definitions, options.catalog, read.skills)
  // A read-only session sees each skill as the log recorded it, also after it has moved on.
  const prepare =
    looking &&
    trackRecordedCatalog(current, (at) => recordedCatalog(read.whole, at, log, definitions, agent))

  // A child session takes over the rules of its parent, also where only the child is opened. A view has those of its log.
  const link = looking ? null : (state.opening?.parent ?? null)
  const parent = given ?? (link && { link, known: new ParentSession(log, link.session, session) })

  // The state, which the log's entries fold into, and the store for views and for everything below.
  const folded = createStore<SessionSnapshot>(() => ({ state, pending: [] }))
  const store = parent?.known.store(folded) ?? folded

  // How long each pending confirmation can still be given.
  const confirmationTimes = new ConfirmationTimes(clock)
  confirmationTimes.note(state)
  folded.subscribe(({ state: after }, { state: before }) => {
    const isSame = after.confirmations === before.confirmations && after.answers === before.answers
    if (!isSame) confirmationTimes.note(after)
  })

  // The calls that run in this process: closing, and deactivating their skill, aborts them.
  const inFlight = new CallsInFlight()

  // Skills that other processes activated: their hooks run here at the first call of a tool.
  const resumed = new ResumedHooks()
  resumed.noteOpen(state.open)

  // What other processes append, for listeners while the session is followed.
  const foreign = new ForeignEntries(context, (outcome, entries) =>
    notify(outcome, entries, 'foreign'),
  )

  // Appends entries to the log and folds them into the store, those of other processes too.
  const journal = new Journal({
    session,
    last: last && entryHash(last),
    log,
    clock,
    randomness,
    store: folded,
    definitions,
    handlers,
    redactor: context.redactor,
    snapshotEvery: numbers.snapshotEvery,
    ...(prepare && { prepare }),
    onForeign: (batch) => {
      resumed.note(batch.entries)
      foreign.note(batch)
      // A view shows what was recorded, and takes no catalog.
      const isAboutSkills = batch.entries.some(
        ({ event }) => event.type === 'skill.registered' || event.type === 'skill.unregistered',
      )
      if (!looking && isAboutSkills) current.noteOthers()
    },
  })

  // Aborted when the workspace closes, so that what it awaits from the host ends.
  const closing = new AbortController()

  // Carries out commands one after another: decide, run hooks, append, notify.
  const dispatcher = new Dispatcher({
    journal,
    clock,
    store: folded,
    context,
    runHook: hookRunner(
      context,
      numbers.hookTimeoutMs,
      () => ({
        session,
        services: (inFlight.servicesOf(inFlight.currentCalls()) ?? parts).services,
        principal,
      }),
      closing.signal,
      (server, undo) => parts.servers.bring(server, undo),
    ),
    readOnly: looking,
    parent: parent?.known ?? null,
    closing: closing.signal,
    outlived: () => confirmationTimes.outlived(),
    drainCallsOf: (skills) => inFlight.drain(skills, limits.drainMs),
    abortCallsOf: (skills) => inFlight.abort(skills, 'Its skill was deactivated.'),
    notify: (outcome, entries) => {
      foreign.notify()
      notify(outcome, entries, 'own')
    },
  })

  // Reads what other processes append, while somebody follows the session.
  const following = new Following(session, log, dispatcher, foreign)

  const parts: SessionParts = {
    session,
    log,
    clock,
    store,
    context,
    dispatcher,
    closing,
    limits,
    questionMs:
      options.limits?.confirmationMs ?? (isOwnLog(log) ? limits.confirmationMs : Infinity),
    inFlight,
    children: new ChildSessions({ session, store, dispatcher, parent }),
    parent,
    resumed,
    intents: knownIntents(options.intents),
    approvals: options.approvals,
    budget: options.budget,
    blobs: options.blobs,
    keepResults: options.keepResults !== false,
    keepsRest: options.keepResults !== false || isOwnLog(log),
    window: new ResultWindow(
      () => store.getState().state.reported.begun?.cost ?? null,
      (cost) =>
        limits.windowTokens || (factsOfCost(cost, exposure.provider).window ?? SMALL_WINDOW),
    ),
    repairArguments: options.repairArguments === true,
    offerReading: async () =>
      (options.metaTools === undefined || options.metaTools.includes(READ_RESULT)) &&
      offerReading(parts),
    keepArguments: options.confirmations?.keepArguments === true,
    loading: options.confirmations?.loading,
    callCounter: options.countCalls === false ? null : counter,
    services,
    history: null,
    sessionServices: services,
    principal,
    randomness,
    client: options.client ?? NO_CLIENT,
    listeners: options,
    counter,
    exposure,
    discovery,
    variables: options.variables,
    catalogBudget: options.catalogBudget ?? DEFAULT_PROMPT_OPTIONS.catalogBudget,
    modes: options.policy?.modes ?? NO_MODES,
    current,
    journal,
    components,
    definitions,
    handlers,
    following,
    servers: new AttachedServers(() => parts),
    isNew: state.seq < 0,
    attached: options.policy?.onResume === 'tighten' && state.seq >= 0,
  }
  return parts
}

function settleNumbers({ hookTimeoutMs, snapshotEvery }: WorkspaceLimits = {}): typeof DEFAULTS {
  const given = { hookTimeoutMs, snapshotEvery }
  return checkedNumbers(given, {
    option: 'limits',
    code: 'LIMITS_INVALID',
    defaults: DEFAULTS,
    positive: ['hookTimeoutMs', 'snapshotEvery'],
  })
}
