import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import { OPEN_POLICY } from '../../engine/model/policy.ts'
import { permittedSkills } from '../../engine/standing/assess-skill.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { abandonLostCalls } from '../calls/end-lifetimes.ts'
import type { Dispatch } from '../commands/dispatcher.ts'
import { type MaybeAsync, waitFor } from '../log/maybe-async.ts'
import { unknownSession } from '../log/session-replaced.ts'
import { settleDiscovery } from '../offer/discovery/discovery-options.ts'
import { defaultMetaTools } from '../offer/meta-tools/meta-tool-name.ts'
import type { MetaToolParts } from '../offer/meta-tools/meta-tool.ts'
import { metaTools } from '../offer/meta-tools/meta-tools.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { changedSkills, changedTools, type OpeningNotice } from './opening-notice.ts'
import { missingRegistrations, registrations } from './registrations.ts'
import { sessionPolicy, undefinedModeWarning } from './session-policy.ts'
import { isReadOnly, type WorkspaceOptions } from './workspace-options.ts'

/**
 * Open a new session (its entry, its components and global tools, its initial skills), or resume one
 * that the log has. Resuming writes only what differs. A session that is opened read-only is not
 * written to at all.
 */
export function* beginSession(
  options: WorkspaceOptions,
  parts: SessionParts,
  dispatch: Dispatch = (command, cause) => parts.dispatcher.dispatch(command, cause),
): MaybeAsync<readonly OpeningNotice[]> {
  const { isNew } = parts
  const looking = isReadOnly(options)
  if (isNew && looking) {
    const hint = 'List the sessions of the log, or open it without readOnly to begin one.'
    throw unknownSession(parts.session, hint)
  }
  if (!isNew) checkOpening(options, parts)
  const meta = bindMeta(options, parts)
  if (looking) return [...changedSkills(parts), ...changedTools(parts)]
  return yield* isNew
    ? openNew(options, parts, meta, dispatch)
    : resume(options, parts, meta, dispatch)
}

/** The meta-tools a session offers, bound to its definitions. */
function bindMeta(options: WorkspaceOptions, parts: SessionParts): readonly Tool[] {
  const { agent, catalog } = parts.surroundings
  const loadable = permittedSkills(agent, catalog)
  const searches = parts.discovery !== null
  const bridges = parts.exposure.strategy.bridges === true
  const offered = options.metaTools ?? defaultMetaTools(loadable.length, { searches, bridges })
  const metaParts: MetaToolParts = {
    ...parts,
    loadable,
    discovery: parts.discovery ?? settleDiscovery(options.discovery, agent),
    actions: {
      callTool: bridges && offered.includes('call_tool'),
      loadTool: offered.includes('loadTool'),
      loadSkill: offered.includes('loadSkill'),
    },
    scripts: options.scripts,
  }
  const meta = metaTools(metaParts, offered)
  for (const tool of meta) parts.definitions.bind(tool)
  return meta
}

/** When two processes open the same session at the same time, one opens it and the other resumes it. */
function* openNew(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
  dispatch: Dispatch,
): MaybeAsync<readonly OpeningNotice[]> {
  const opened = yield* waitFor(dispatch(openingOf(options, parts), INITIAL))
  if (!opened.ok) {
    checkOpening(options, parts)
    return yield* resume(options, parts, meta, dispatch)
  }
  return yield* runOpeningCommands(firstCommands(options, parts, meta), INITIAL, dispatch)
}

const INITIAL: Cause = { by: 'initial' }

/** The mode a new session is in. */
function firstMode(options: WorkspaceOptions, { surroundings: { agent } }: SessionParts): string {
  return options.mode ?? agent?.mode ?? OPEN_POLICY.mode
}

function openingOf(options: WorkspaceOptions, parts: SessionParts): Command {
  const { session, counter } = parts
  const mode = firstMode(options, parts)
  return {
    type: 'session.open',
    session,
    agent: parts.surroundings.agent?.name ?? null,
    tokenizer: counter.name,
    principal: options.principal?.id ?? null,
    policy: sessionPolicy({ ...options, mode }, OPEN_POLICY),
  }
}

/** What a new session begins with. */
function firstCommands(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
): readonly Command[] {
  const { agent } = parts.surroundings
  return [
    ...undefinedModeWarning(firstMode(options, parts), options.modes),
    ...registrations(options, parts, meta),
    ...(agent?.initialSkills ?? []).map((skill) => ({ type: 'skill.activate' as const, skill })),
  ]
}

/** What was unregistered in the session stays so: the host registers it again when it wants it back. */
function* resume(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
  dispatch: Dispatch,
): MaybeAsync<readonly OpeningNotice[]> {
  const { policy } = parts.store.getState().state
  const missing = missingRegistrations(registrations(options, parts, meta), parts)
  const settled: Command = { type: 'policy.set', policy: sessionPolicy(options, policy) }
  const { mode = policy.mode, modes } = options
  const warnings = mode === policy.mode ? [] : undefinedModeWarning(mode, modes)
  const commands = [settled, ...warnings, ...missing]
  const notices = yield* runOpeningCommands(commands, { by: 'resume' }, dispatch)
  const left = yield* waitFor(unfinishedOpening(parts))
  const unfinished = yield* runOpeningCommands(left, INITIAL, dispatch)
  yield* abandonLostCalls(parts, dispatch)
  return [...notices, ...unfinished, ...changedSkills(parts), ...changedTools(parts)]
}

/** A session goes on only as what it was opened as. */
function checkOpening(
  options: WorkspaceOptions,
  { session, counter, surroundings, store }: SessionParts,
): void {
  const opening = store.getState().state.opening
  const is = {
    agent: surroundings.agent?.name ?? null,
    principal: options.principal?.id ?? null,
    tokenizer: counter.name,
  }
  for (const key of isReadOnly(options) ? [] : (['agent', 'principal', 'tokenizer'] as const)) {
    if (opening?.[key] === is[key]) continue
    throw new WorkspaceError(
      'SESSION_MISMATCH',
      `Session "${session}" was opened with the ${key} ${JSON.stringify(opening?.[key])}, not ${JSON.stringify(is[key])}.`,
      { hint: `Give it the same ${key}, or open another session.`, facts: { session, key } },
    )
  }
}

/** Who makes the entries of an opening, and of one that goes on with it. */
const OPENING_CAUSES: ReadonlySet<Cause['by']> = new Set(['initial', 'dependency', 'resume'])

/**
 * What an opening left out whose process died in it, or whose log failed: the agent's initial skills,
 * as long as nothing happened in the session but its opening. Tools and components that are missing
 * come back with every resumption.
 *
 * What was refused then is tried again, and a skill that came as a requirement is asked for itself.
 */
async function unfinishedOpening({
  log,
  session,
  store,
  surroundings: { agent },
}: Pick<SessionParts, 'log' | 'session' | 'store' | 'surroundings'>): Promise<readonly Command[]> {
  const { open, turn, step } = store.getState().state
  const isThere = (skill: string) =>
    open.some(({ source, owner, requested }) => source === 'skill' && owner === skill && requested)
  const missing = (agent?.initialSkills ?? []).filter((skill) => !isThere(skill))
  // Most sessions are told by this; the log of a long one is not read for it.
  if (missing.length === 0 || turn > 0 || step > 0) return []
  const entries = await log.read(session)
  const isOpening = entries.every(({ cause }) => OPENING_CAUSES.has(cause.by))
  return isOpening ? missing.map((skill) => ({ type: 'skill.activate', skill })) : []
}

/**
 * Carry out commands one after another; returns a notice for each refusal and warning. A tool whose name
 * is taken is left out, and its owner's other tools are registered.
 */
function* runOpeningCommands(
  commands: readonly Command[],
  cause: Cause,
  dispatch: Dispatch,
): MaybeAsync<readonly OpeningNotice[]> {
  const notices: OpeningNotice[] = []
  for (const command of commands) {
    let outcome = yield* waitFor(dispatch(command, cause))
    if (outcome.ok && command.type === 'warning.give') notices.push(noticeOf(command))
    let rest = command
    while (!outcome.ok) {
      notices.push(outcome)
      const { tool } = outcome.facts
      if (rest.type !== 'source.register' || outcome.code !== 'tool-name-taken') break
      const tools = rest.tools.filter(({ name }) => name !== tool)
      if (tools.length === rest.tools.length) break
      rest = { ...rest, tools }
      outcome = yield* waitFor(dispatch(rest, cause))
    }
  }
  return notices
}

function noticeOf({ code, message, hint }: OpeningNotice): OpeningNotice {
  return { code, message, hint }
}
