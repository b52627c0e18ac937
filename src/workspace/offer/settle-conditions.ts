import { foldDrafts } from '../../engine/decide/decision.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { NotedFacts } from '../../engine/model/fact-event.ts'
import { LOAD_SKILL } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { type DueCondition, dueConditions } from '../../engine/standing/judge-condition.ts'
import { checkOptions, checkedText, type OptionTable } from '../../kernel/check-options.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { CallLoop } from '../calls/call-loop.ts'
import { isAskedAbout } from '../commands/loading-question.ts'
import { COMMAND_OPTIONS, type CommandOptions, type Outcome } from '../commands/outcome.ts'
import type { SessionParts } from './session-parts.ts'

const NOTED: OptionTable = { paths: 'list', event: 'text', holds: 'switch' }

/** Files of one note: each is compared with every pattern that no file has matched. */
const MOST_PATHS = 1_000

/** Notes facts, and settles the conditions that depend on them. See `VirtualWorkspace.note`. */
export async function noteFacts(
  parts: SessionParts,
  facts: NotedFacts,
  options: CommandOptions = {},
): Promise<Outcome> {
  checkOptions(facts, NOTED)
  checkOptions(options, COMMAND_OPTIONS)
  const { paths = [], event, holds } = facts
  for (const path of paths) checkedText(path, 'paths')
  if (paths.length > MOST_PATHS) {
    const message = `"paths" has ${paths.length} files; one note has at most ${MOST_PATHS}.`
    const hint = 'Note the files that are in use, not all that exist.'
    throw new WorkspaceError('OPTIONS_INVALID', message, { facts: { option: 'paths' }, hint })
  }
  const command = {
    type: 'fact.note',
    paths,
    ...(event !== undefined && { event }),
    ...(holds !== undefined && { holds }),
  } as const
  const { by = 'host' } = options
  const outcome = await parts.dispatcher.dispatch(command, { by })
  if (outcome.ok) await settleConditions(parts)
  return outcome
}

/**
 * The attempts of this process for a session: the activations that failed, so that a failing hook runs once a turn, and
 * the questions that were asked, so that a person who denies one is asked again only because of a later fact.
 */
const attempts = new WeakMap<SessionParts['store'], Set<string>>()

/**
 * Activates the skills whose conditions hold, and deactivates those whose conditions have ended: at the beginning of a
 * step, after a note and a change of the mode, and when a session opens. Each is a command of its own. Where a call of
 * `loadSkill` would ask a person, the question is recorded once, and the skill is activated after the approval.
 */
export async function settleConditions(parts: SessionParts): Promise<void> {
  const { store, context, dispatcher } = parts
  const known = attempts.get(store) ?? new Set<string>()
  attempts.set(store, known)
  const done = new Set<string>()
  for (;;) {
    const due = dueConditions(store.getState().state, context).find(
      ({ skill, since }) => !done.has(`${skill} ${since}`),
    )
    if (due === undefined) return
    const { skill, since } = due
    done.add(`${skill} ${since}`)
    const attempt = `${skill} ${since} ${store.getState().state.turn}`
    if (known.has(attempt)) continue
    const confirmation = since === null ? null : await consentTo(due, parts, known)
    if (confirmation === undefined) continue
    const command = {
      type: 'condition.settle',
      skill,
      ...(confirmation !== null && { confirmation }),
    } as const
    const outcome = await dispatcher.dispatch(command, settlingCause(due))
    if (!outcome.ok) known.add(attempt)
  }
}

function settlingCause({ skill, since }: DueCondition): Cause {
  return since === null
    ? { by: 'lifetime', of: skill }
    : { by: 'policy', rule: `when of ${skill}`, fact: since }
}

/**
 * Returns the approval for an activation, null where nobody is asked, and undefined when it may not happen now. Records
 * the question of a call of `loadSkill`, with its rules, functions and previews.
 */
async function consentTo(
  due: DueCondition,
  parts: SessionParts,
  known: Set<string>,
): Promise<string | null | undefined> {
  const { skill, since, asks } = due
  if (!asks && !(await isAskedAbout(skill, parts))) return null
  const made = {
    request: { tool: LOAD_SKILL, input: { skillName: skill }, caller: 'model' as const },
    call: crypto.randomUUID(),
    cause: settlingCause(due),
    chain: [],
    signal: parts.closing.signal,
    isMade: true,
  }
  const decision = await new CallLoop(made, null, parts).decide()
  if (decision.kind === 'refused') {
    const question = `${skill} ${since} is asked about`
    if (decision.refusal.code !== 'confirmation-required' || known.has(question)) return undefined
    known.add(question)
    await new CallLoop(made, null, parts).ask()
    return undefined
  }
  const started = decision.drafts.find(({ event }) => event.type === 'call.started')?.event
  const id = started?.type === 'call.started' ? started.confirmation : null
  return id ?? undefined
}

/** Returns a state after its conditions are settled, as far as nobody is asked and no hook fails; for a preview. */
export async function settledState(
  given: WorkspaceState,
  parts: SessionParts,
): Promise<WorkspaceState> {
  const { context, dispatcher } = parts
  let state = given
  for (const due of dueConditions(given, context)) {
    if (due.since !== null && (await isAskedAbout(due.skill, parts))) continue
    const command = { type: 'condition.settle', skill: due.skill } as const
    const { drafts } = dispatcher.preview(command, settlingCause(due), state)
    if (drafts.length > 0) state = foldDrafts(drafts, state)
  }
  return state
}
