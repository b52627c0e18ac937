import { permittedSkills } from '../../engine/standing/permitted-skills.ts'
import { OPEN_POLICY } from '../../engine/model/policy.ts'
import type { Command } from '../../engine/model/command.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { discoveryOf } from '../offer/discovery/discovery-options.ts'
import { defaultMetaTools } from '../offer/meta-tools/meta-tool-name.ts'
import { metaTools } from '../offer/meta-tools/meta-tools.ts'
import type { Cause } from '../../engine/model/cause.ts'
import { abandonLostCalls } from '../calls/abandon-lost-calls.ts'
import { changedSkills } from './changed-skills.ts'
import { changedTools } from './changed-tools.ts'
import { checkOpening } from './check-opening.ts'
import { isLooking } from './is-looking.ts'
import { metaHostOf } from './meta-host-of.ts'
import type { OpeningNotice } from './opening-notice.ts'
import { openingTurns } from './opening-turns.ts'
import { policyOf } from './policy-of.ts'
import { missingRegistrations, registrations } from './registrations.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { undefinedMode } from './undefined-mode.ts'
import { unfinishedOpening } from './unfinished-opening.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/**
 * Open a new session (its entry, its components and global tools, its initial skills), or
 * take up one that the log has. Resuming writes only what differs, so a session that is merely
 * looked at stays as it is.
 */
export async function beginSession(
  options: WorkspaceOptions,
  parts: SessionParts,
): Promise<readonly OpeningNotice[]> {
  const { isNew } = parts
  const looking = isLooking(options)
  if (isNew && looking) throw unknownSession(parts.session)
  if (!isNew) checkOpening(options, parts)
  const meta = bindMeta(options, parts)
  if (looking) return [...changedSkills(parts), ...changedTools(parts)]
  return isNew ? openNew(options, parts, meta) : resume(options, parts, meta)
}

/**
 * Open a new session before the call returns, over a log that commits at once. For definitions
 * without hooks.
 */
export function beginSessionNow(
  options: WorkspaceOptions,
  parts: SessionParts,
): readonly OpeningNotice[] {
  const { dispatcher } = parts
  const opened = dispatcher.dispatchNow(openingOf(options, parts), INITIAL)
  if (!opened.ok) throw new WorkspaceError(opened.code, opened.message, opened)
  const turns = openingTurns(firstCommands(options, parts, bindMeta(options, parts)))
  let turn = turns.next()
  while (turn.done !== true) turn = turns.next(dispatcher.dispatchNow(turn.value, INITIAL))
  return turn.value
}

/** The meta-tools a session offers, known by their definitions. */
function bindMeta(options: WorkspaceOptions, parts: SessionParts): readonly Tool[] {
  const { agent, catalog } = parts.surroundings
  const offered =
    options.metaTools ??
    defaultMetaTools(permittedSkills(agent, catalog).length, {
      searches: discoveryOf(options.discovery, agent) !== null,
      bridges: parts.exposure.strategy.bridges === true,
    })
  const meta = metaTools(metaHostOf(options, parts, offered), offered)
  for (const tool of meta) parts.definitions.bind(tool)
  return meta
}

/** Another process may open the same session at the same time: one opens it, the other takes it up. */
async function openNew(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
): Promise<readonly OpeningNotice[]> {
  const opened = await parts.dispatcher.dispatch(openingOf(options, parts), INITIAL)
  if (!opened.ok) {
    checkOpening(options, parts)
    return resume(options, parts, meta)
  }
  return dispatchAll(firstCommands(options, parts, meta), INITIAL, parts)
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
    policy: policyOf({ ...options, mode }, OPEN_POLICY),
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
    ...undefinedMode(firstMode(options, parts), options.modes),
    ...registrations(options, parts, meta),
    ...(agent?.initialSkills ?? []).map((skill) => ({ type: 'skill.activate' as const, skill })),
  ]
}

/** What was unregistered in the session stays so: the host registers it again when it wants it back. */
async function resume(
  options: WorkspaceOptions,
  parts: SessionParts,
  meta: readonly Tool[],
): Promise<readonly OpeningNotice[]> {
  const { policy } = parts.store.getState().state
  const missing = missingRegistrations(registrations(options, parts, meta), parts)
  const settled: Command = { type: 'policy.set', policy: policyOf(options, policy) }
  const { mode = policy.mode, modes } = options
  const warnings = mode === policy.mode ? [] : undefinedMode(mode, modes)
  const commands = [settled, ...warnings, ...missing]
  const notices = await dispatchAll(commands, { by: 'resume' }, parts)
  const unfinished = await dispatchAll(await unfinishedOpening(parts), INITIAL, parts)
  await abandonLostCalls(parts)
  return [...notices, ...unfinished, ...changedSkills(parts), ...changedTools(parts)]
}

async function dispatchAll(
  commands: readonly Command[],
  cause: Cause,
  { dispatcher }: SessionParts,
): Promise<readonly OpeningNotice[]> {
  const turns = openingTurns(commands)
  let turn = turns.next()
  while (turn.done !== true) turn = turns.next(await dispatcher.dispatch(turn.value, cause))
  return turn.value
}

function unknownSession(session: string): WorkspaceError {
  return new WorkspaceError('SESSION_UNKNOWN', `The log has no session "${session}".`, {
    hint: 'List the sessions of the log, or open it without readOnly to begin one.',
    facts: { session },
  })
}
