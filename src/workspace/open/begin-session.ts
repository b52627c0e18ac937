import type { SessionJournal } from '../commands/session-journal.ts'
import type { Inheritance } from '../../engine/decide/inherited-drafts.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { OPEN_POLICY } from '../../engine/model/policy.ts'
import { isMeta, READ_RESULT } from '../../engine/model/source-event.ts'
import { modelInvocableSkills } from '../../engine/standing/assess-skill.ts'
import { hashesIn } from '../../kernel/content-hash.ts'
import { wellFormed } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { abandonLostCalls } from '../calls/end-lifetimes.ts'
import { settleConditions } from '../offer/settle-conditions.ts'
import { notifyAll, type WorkspaceListener } from '../commands/outcome.ts'
import { isOwnLog, type MemoryLog } from '../log/memory-log.ts'
import { sessionKnown, unknownSession } from '../log/session-replaced.ts'
import { settleDiscovery } from '../offer/discovery/discovery-options.ts'
import { currentExposure } from '../offer/exposure/plan-exposure.ts'
import { defaultMetaTools } from '../offer/meta-tools/meta-tool-name.ts'
import type { MetaToolParts } from '../offer/meta-tools/meta-tool.ts'
import { metaTools } from '../offer/meta-tools/meta-tools.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import {
  changedSkills,
  changedTools,
  type OpeningNotice,
  policyNotices,
  unregisteredTools,
  uselessRules,
} from './opening-notice.ts'
import { assembleParts } from './assemble-parts.ts'
import { checkWorkspaceOptions } from './check-workspace-options.ts'
import { unreadSession } from './read-session.ts'
import { noteSetup } from './recorded-options.ts'
import { missingRegistrations, registrations } from './registrations.ts'
import { resumedPolicy, sessionPolicy } from './session-policy.ts'
import { isReadOnly, type SettledOptions, type WorkspaceOptions } from './workspace-options.ts'

/**
 * Opens a new session (its first entry, its components and global tools, its initial skills), or resumes
 * one that the log has. Resuming writes only what differs. A read-only workspace writes nothing.
 */
export async function beginSession(
  options: WorkspaceOptions,
  parts: SessionParts,
): Promise<readonly OpeningNotice[]> {
  const { isNew } = parts
  const looking = isReadOnly(options)
  if (isNew && looking) {
    const hint = 'List the sessions of the log, or open it without readOnly to begin one.'
    throw unknownSession(parts.session, hint)
  }
  if (!isNew) checkOpening(options, parts)
  const meta = offeredMetaTools(options, parts)
  // Those that this process offers in another form, or not at all.
  await parts.definitions.learn([], hashesIn(parts.store.getState().state.open.filter(isMeta)))
  if (looking) return [...changedSkills(parts), ...changedTools(parts)]
  const notices = await (isNew ? openNew(options, parts, meta) : resume(options, parts, meta))
  return [...notices, ...uselessRules(options.policy?.permissions, parts)]
}

/** Options of a session that is opened without waiting for anything. */
interface NewSessionOptions<Services> extends SettledOptions<Services> {
  readonly log: MemoryLog
}

/**
 * Assembles the parts of a session that is new to its log, for a caller that carries out its commands itself. Returns
 * them with the commands that open the session, which offers no meta-tools. Throws `SESSION_KNOWN`.
 *
 * @param listeners notified once per command
 */
export function newSession<Services>(
  options: NewSessionOptions<Services>,
  listeners: ReadonlySet<WorkspaceListener>,
): { readonly parts: SessionParts; readonly commands: readonly Command[] } {
  checkWorkspaceOptions(options)
  if (options.log.immediate.read(options.session, 0, 0).length > 0) {
    throw sessionKnown(options.session, 'Resume it with open, or choose another id.')
  }
  const parts = assembleParts(options, unreadSession(options), notifyAll(listeners))
  return { parts, commands: openingCommands(options, parts, []) }
}

/** Checks that a session is resumed with the agent, principal and tokenizer it was opened with. */
function checkOpening(
  options: WorkspaceOptions,
  { session, counter, context, store }: SessionParts,
): void {
  const opening = wellFormed(store.getState().state.opening)
  const given = wellFormed({
    agent: context.agent?.name ?? null,
    principal: options.principal?.id ?? null,
    tokenizer: counter.name,
  })
  for (const key of isReadOnly(options) ? [] : (['agent', 'principal', 'tokenizer'] as const)) {
    if (opening?.[key] === given[key]) continue
    throw new WorkspaceError(
      'SESSION_MISMATCH',
      `Session "${session}" was opened with the ${key} ${JSON.stringify(opening?.[key])}, not ${JSON.stringify(given[key])}.`,
      { hint: `Give it the same ${key}, or open another session.`, facts: { session, key } },
    )
  }
}

/** Returns the meta-tools that a session offers, and adds them to its definitions. */
export function offeredMetaTools(options: WorkspaceOptions, parts: SessionParts): readonly Tool[] {
  const { clock, store, context, dispatcher, counter, variables } = parts
  const { agent, catalog } = context
  const loadable = modelInvocableSkills(agent, catalog)
  const searches = parts.discovery !== null
  const bridges = parts.exposure.strategy.bridges === true
  const runs = options.scripts !== undefined
  const offered =
    options.metaTools ?? defaultMetaTools(loadable.length, { searches, bridges, runs })
  // A result was cut in this session before.
  const reads = store
    .getState()
    .state.open.some((one) => isMeta(one) && one.claims.some(({ name }) => name === READ_RESULT))
  // A session keeps these for its meta-tools, so they are no copy of all of its parts.
  const metaParts: MetaToolParts = {
    clock,
    store,
    context,
    dispatcher,
    counter,
    variables,
    loadable,
    discovery: parts.discovery ?? settleDiscovery(options.discovery, agent),
    actions: () => {
      const { strategy } = currentExposure(store.getState().state, parts.exposure)
      return {
        callTool: strategy.bridges === true && offered.includes('call_tool'),
        loadTool: offered.includes('loadTool'),
        loadSkill: offered.includes('loadSkill'),
      }
    },
    scripts: options.scripts,
    runSkill: parts.parent === null ? options.runSkill : undefined,
    loading: parts.loading,
    desk: parts,
    closing: parts.closing.signal,
  }
  const meta = metaTools(metaParts, reads ? [...offered, READ_RESULT] : offered)
  parts.definitions.offerMetaTools(meta)
  return meta
}

/** Opens a new session. When two processes do so at the same time, one opens it and the other resumes it. */
async function openNew(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
): Promise<readonly OpeningNotice[]> {
  const inherited = await parts.parent?.known.read()
  const [opening, ...first] = openingCommands(options, parts, meta, inherited)
  const opened = await parts.dispatcher.dispatch(opening, INITIAL, { justRead: true })
  if (opened.ok) {
    const notices = await runOpeningCommands(first, INITIAL, parts)
    await settleConditions(parts)
    return notices
  }
  checkOpening(options, parts)
  return resume(options, parts, meta)
}

const INITIAL: Cause = { by: 'initial' }

/**
 * Returns the commands that open a new session: the first entry, what a child inherits, its components and global
 * tools, and the initial skills of its agent.
 */
function openingCommands(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
  inherited?: Inheritance | null,
): readonly [Command, ...Command[]] {
  const { session, counter, parent } = parts
  const mode = options.policy?.mode ?? parts.context.agent?.mode
  const policy = sessionPolicy(
    { ...options.policy, ...(mode !== undefined && { mode }) },
    OPEN_POLICY,
  )
  const opening: Command = {
    type: 'session.open',
    session,
    agent: parts.context.agent?.name ?? null,
    tokenizer: counter.name,
    principal: options.principal?.id ?? null,
    ...(options.project !== undefined && { project: options.project }),
    ...(inherited
      ? { policy: { ...policy, above: inherited.above }, asOf: inherited.asOf }
      : { policy }),
    ...(parent && { parent: parent.link }),
    ...(!isOwnLog(parts.log) && { setup: noteSetup(options, parts) }),
  }
  const { agent } = parts.context
  return [
    opening,
    ...inheritedSkills(options, parts),
    ...registrations(options, parts, meta),
    ...(agent?.initialSkills ?? []).map((skill) => ({ type: 'skill.activate' as const, skill })),
  ]
}

/** Returns the command that gives a new child session the skills that were registered in its parent. */
function inheritedSkills(options: WorkspaceOptions, parts: SessionParts): readonly Command[] {
  const { registered = [] } = parts.parent ?? {}
  if (registered.length === 0) return []
  const [setup, { hash: catalog }] = [noteSetup(options, parts), parts.context.catalog]
  const registers = registered.map(({ skill, definition, trusted }) => {
    return { skill, definition, trusted, inCatalog: null }
  })
  return [{ type: 'catalog.take', catalog, setup, kept: [], registers }]
}

const RESUME: Cause = { by: 'resume' }

/** Resumes a session. Tools and components that were unregistered are not registered again. */
async function resume(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
): Promise<readonly OpeningNotice[]> {
  const { state: before } = parts.store.getState()
  const own = registrations(options, parts, meta)
  for (const registration of own) parts.handlers.bind(before, registration)
  const given = options.policy ?? {}
  // A process that attaches changes nothing that the host's agent sees: not its tools, and not its skills.
  const isAttached = given.onResume === 'tighten'
  const missing = missingRegistrations(own, parts)
  await parts.dispatcher.dispatch(
    ({ policy }) => ({ type: 'policy.set', policy: resumedPolicy(given, policy) }),
    RESUME,
    { justRead: true },
  )
  const changed = policyNotices(before, given, parts)
  const commands: Command[] = isAttached ? [] : [...missing]
  if (!isAttached && !isOwnLog(parts.log)) {
    const setup = noteSetup(options, parts)
    const { hash: catalog } = parts.context.catalog
    commands.unshift({ type: 'catalog.take', catalog, setup, kept: [] })
  }
  const notices = await runOpeningCommands(commands, RESUME, parts)
  const unfinished = isAttached ? [] : await unfinishedOpening(parts)
  const others = await runOpeningCommands(unfinished, INITIAL, parts)
  await abandonLostCalls(parts, options.onlyProcess)
  return [
    ...changed,
    ...(isAttached ? unregisteredTools(missing, parts) : []),
    ...notices,
    ...others,
    ...changedSkills(parts),
    ...changedTools(parts),
  ]
}

/** The causes of the entries of an opening, and of resuming it. */
const OPENING_CAUSES: ReadonlySet<Cause['by']> = new Set(['initial', 'dependency', 'resume'])

/**
 * Returns the commands that are missing from an opening that was cut short, by the end of its process or
 * a failure of its log: the activations of the agent's initial skills, as long as nothing but the
 * opening has happened. Missing tools and components are registered whenever a session is resumed.
 *
 * An activation that was refused is tried again. An initial skill that was only activated as a
 * requirement of another one is activated for itself.
 */
async function unfinishedOpening({
  log,
  session,
  store,
  context: { agent },
}: Pick<SessionJournal, 'log' | 'session' | 'store' | 'context'>): Promise<readonly Command[]> {
  const { open, turn, step } = store.getState().state
  const requested = new Set(
    open.flatMap((one) => (one.source === 'skill' && one.requested ? [one.owner] : [])),
  )
  const missing = (agent?.initialSkills ?? []).filter((skill) => !requested.has(skill))
  // This is enough for most sessions, so the log of a long one is not read.
  if (missing.length === 0 || turn > 0 || step > 0) return []
  const entries = await log.read(session)
  const isOpening = entries.every(({ cause }) => OPENING_CAUSES.has(cause.by))
  return isOpening ? missing.map((skill) => ({ type: 'skill.activate', skill })) : []
}

/**
 * Carries out commands one after another; returns a notice for each refusal and warning. A tool whose
 * name is taken is left out, and its owner's other tools are registered.
 */
export async function runOpeningCommands(
  commands: readonly Command[],
  cause: Cause,
  { dispatcher }: SessionJournal,
): Promise<readonly OpeningNotice[]> {
  const notices: OpeningNotice[] = []
  for (const command of commands) {
    let outcome = await dispatcher.dispatch(command, cause, { justRead: true })
    if (outcome.ok && command.type === 'warning.give') {
      const { code, message, hint } = command
      notices.push({ code, message, hint })
    }
    let rest = command
    while (!outcome.ok) {
      notices.push(outcome)
      const { tool } = outcome.facts
      if (rest.type !== 'source.register' || outcome.code !== 'tool-name-taken') break
      const tools = rest.tools.filter(({ name }) => name !== tool)
      if (tools.length === rest.tools.length) break
      rest = { ...rest, tools }
      outcome = await dispatcher.dispatch(rest, cause, { justRead: true })
    }
  }
  return notices
}
