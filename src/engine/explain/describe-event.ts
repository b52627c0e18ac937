import { canonicalJson } from '../../kernel/canonical-json.ts'
import { describeAnswers, describePolicy, describeRule } from './describe-rule.ts'
import { whyAsked, withArguments } from './describe-question.ts'
import type { Cause } from '../model/cause.ts'
import type { AskedQuestion, ConsentEvent, ToolIdentity } from '../model/consent-event.ts'
import type { ConversationChange } from '../model/conversation-state.ts'
import type { RemovalPrice, StepCost } from '../model/step-cost.ts'
import type { EventOf, ImportEvent, WorkspaceEvent } from '../model/workspace-event.ts'

/** Describes an event, without its number and its cause. The text is not sanitised. */
export function describeEvent(event: WorkspaceEvent): string {
  switch (event.type) {
    case 'session.opened': {
      const agent = event.agent === null ? 'without an agent' : `for the agent "${event.agent}"`
      const of = event.parent === undefined ? '' : `, as a child of "${event.parent.session}"`
      return `session "${event.session}" opened ${agent}, in ${event.policy.mode} mode${of}`
    }
    case 'catalog.taken':
      return 'the host has another catalog, or other options'
    case 'skill.registered':
      return `skill "${event.skill}" registered in the session${event.trusted === false ? ', untrusted' : ''}`
    case 'skill.unregistered':
      return `skill "${event.skill}" removed from the session`
    case 'policy.changed':
      return `policy changed, ${describePolicy(event.policy)}`
    case 'source.opened':
      return `${ownerOf(event)} ${event.source === 'skill' ? 'activated' : 'registered'}, ${withTools(event.claims)}${presupposed(event)}`
    case 'source.synced':
      return `${ownerOf(event)} listed its tools${listed(event)}`
    case 'source.kept':
      return event.requested
        ? `skill "${event.owner}" was active only as a requirement and is now requested`
        : `skill "${event.owner}" stays active for the skills that require it`
    case 'source.closed':
      if (event.names !== null) return `${ownerOf(event)} unregistered ${event.names.join(', ')}`
      return `${ownerOf(event)} ${event.source === 'skill' ? 'deactivated' : 'unregistered'}${priced(event.price)}`
    case 'source.accepted':
      return `the changed skill "${event.owner}" accepted, ${withTools(event.claims)}`
    case 'tool.switched':
      return `tool "${event.tool}" switched ${event.enabled ? 'on' : 'off'}`
    case 'turn.begun':
      return `turn ${event.turn} began`
    case 'turn.ended':
      return `turn ${event.turn} ended`
    case 'intent.taken':
      return `intent ${event.intent} is being applied (${event.id})`
    case 'intent.applied':
      return `intent ${event.intent} applied (${event.id})`
    case 'intent.failed':
      return `FAILED intent ${event.intent} (${event.id}, ${event.code}): ${event.message}`
    case 'metrics.reset':
      return 'metrics reset'
    case 'step.begun':
      return `step ${event.step} began${attempted(event)} (${event.strategy}), ${event.incomplete ? 'its tools are not known' : `${withTools(event.exposed)} exposed`}${prefixLost(event.cost)}${withdrawn(event.conversation)}`
    case 'step.answered':
      return `the answer to step ${event.step} kept${event.hidden ? ', without its secrets' : ''}`
    case 'step.repeated':
      return `step ${event.attempt.step} made again with the answer that was kept${attempted(event)}`
    case 'step.reported': {
      const { input, cached, output } = event.usage
      const ofCache = cached === undefined ? '' : `, ${cached} of them cached`
      return `step ${event.step} answered: ${input} input tokens${ofCache}, and ${output} output tokens`
    }
    case 'session.forked':
      return `forked as "${event.session}" from entry ${event.from.seq} of "${event.from.session}"`
    case 'session.imported':
      return ['imported', withoutWhat(event)].filter((part) => part !== null).join(' ')
    case 'session.compacted':
      return event.before === undefined
        ? `history summarised, ${event.tokens} tokens sent again`
        : `history of ${event.before} tokens summarised`
    case 'component.updated':
      return `state of the component "${event.component}" changed`
    case 'call.started':
      return `"${event.tool}" called${event.asked ? ' with the arguments of a person' : ''} (${event.call})${event.repaired ? `, repaired ${event.repaired.join(', ')}` : ''}${unasked(event)}${describeAnswers(event.answers)}`
    case 'call.detached':
      return event.client === true
        ? `"${event.tool}" waits for the client (${event.call})`
        : `"${event.tool}" continues in the background (${event.call})`
    case 'call.ended': {
      const result = event.ok ? 'answered' : `failed with ${event.error ?? 'an error'}`
      const times = event.attempts === undefined ? '' : ` and ${event.attempts} attempts`
      const { bytes, shown, length } = event.cut ?? {}
      const part = shown === undefined ? '' : `, ${shown} of ${length} characters shown`
      const cut = bytes === undefined ? '' : `, cut from ${bytes} bytes${part}`
      const noted = event.warnings === undefined ? '' : `. ${event.warnings.join(' ')}`
      return `"${event.tool}" ${result} after ${event.durationMs} ms${times}${cut} (${event.call})${noted}`
    }
    case 'call.retried':
      return `"${event.tool}" was called again and got the result of the call at entry ${event.started} (${event.call})`
    case 'confirmation.asked':
      return `confirmation asked ${byChild(event)}for a call of "${event.tool}"${withArguments(event)}${askedBy(event)} (${event.id})`
    case 'confirmation.approved':
      return `confirmation ${event.id} approved${event.instead ? ` with other arguments: ${canonicalJson(event.instead.input)}` : ''}`
    case 'confirmation.denied':
      return `confirmation ${event.id} denied${event.words === undefined ? '' : `: ${event.words}`}`
    case 'confirmation.expired':
      return `confirmation ${event.id} expired`
    case 'approval.remembered':
    case 'approval.recalled':
    case 'approval.revoked':
    case 'tool.accepted':
    case 'call.abandoned':
      return describeConsent(event)
    case 'command.refused':
      return `REFUSED ${event.command} "${event.subject}" (${event.code}): ${event.message}`
    case 'warning.given':
      return `WARNING about "${event.subject}" (${event.code}): ${event.message}`
    case 'activation.failed':
      return `FAILED to change "${event.wanted}": ${event.hook} of "${event.skill}": ${event.message}${undone(event)}`
    case 'skill.broken':
      return `BROKEN skill "${event.skill}": ${event.message}`
    case 'tool_discovery_start':
      return `search for "${event.query}"`
    case 'tool_discovery_result':
      return `search for "${event.query}" ${searched(event)}`
    case 'tools_enabled':
      return `found tools enabled: ${event.tools.map(({ name }) => name).join(', ')}`
    case 'tools_evicted':
      return `found tools forgotten (${EVICTION[event.reason]}): ${event.tools.join(', ')}${priced(event)}`
    case 'rules.sent':
      return `rules sent: ${event.topics.map(({ topic }) => topic).join(', ')}`
    case 'extraction.drifted':
      return `DRIFT in the results of "${event.tool}" (${event.what}): ${event.message}`
    case 'child.opened': {
      const agent = event.agent === null ? '' : ` for the agent "${event.agent}"`
      return `child session "${event.child}" opened${agent}`
    }
    case 'child.ended': {
      const { steps, tokens } = event.spent
      return `child session "${event.child}" ended, after ${steps} ${steps === 1 ? 'step' : 'steps'} of ${tokens} tokens`
    }
    case 'child.called':
      return `"${event.tool}" called by the child session "${event.child}"`
    case 'fact.noted':
      return describeFact(event)
    case 'memory.summarised':
      return event.summary === null ? 'summary removed' : 'summary set'
  }
}

/** Describes the rule or the condition that asked, after a comma. */
function askedBy(event: AskedQuestion): string {
  const why = whyAsked(event)
  return why === null ? '' : `, ${why}`
}

function describeFact({ paths = [], event, holds }: EventOf<'fact.noted'>): string {
  const used = paths.length === 0 ? [] : [`files used: ${someNames(paths)}`]
  const noted =
    event === undefined ? [] : [`event "${event}" ${holds === false ? 'ended' : 'noted'}`]
  return [...used, ...noted].join('; ')
}

function unasked({ condition }: EventOf<'call.started'>): string {
  return condition?.asks === false ? '; its condition did not ask' : ''
}

/** Names the child session that asked; empty for a question of the session itself. */
function byChild({ child }: EventOf<'confirmation.asked'>): string {
  return child === undefined ? '' : `by "${child}" `
}

/** Describes what an import dropped, such as `without its approval of "wipe"`; null when that is nothing. */
export function withoutWhat(event: ImportEvent): string | null {
  const { tools, confirmations, rules, allowedTools, intents } = event
  const parts = [
    tools.length > 0 && `approvals of ${tools.map((tool) => `"${tool}"`).join(', ')}`,
    confirmations > 0 && `${confirmations} open or approved confirmations`,
    rules.length > 0 && `rules that allow ${rules.map(describeRule).join(', ')}`,
    allowedTools !== undefined && 'pre-approval by allowed-tools',
    intents > 0 && `${intents} waiting intents`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : `without its ${parts.join('; ')}`
}

function ownerOf({
  source,
  owner,
}: EventOf<'source.opened' | 'source.synced' | 'source.closed'>): string {
  switch (source) {
    case 'skill':
      return `skill "${owner}"`
    case 'component':
      return `component "${owner}"`
    case 'server':
      return `server "${owner}"`
    case 'global':
      return `global tools of "${owner}"`
  }
}

/** Names of tools that a description of a list contains. */
const MOST_NAMES = 8

/** Describes a change of a list, such as `: added a, b; removed c`. */
function listed(event: EventOf<'source.synced'>): string {
  const { claims, changed, quarantined, removed, leftOut = [] } = event
  const known = new Set(changed)
  const added = claims.flatMap(({ name }) => (known.has(name) ? [] : [name]))
  const whole = leftOut.flatMap(({ name, part }) => (part === undefined ? [name] : []))
  const lists = { added, changed, 'in quarantine': quarantined, removed, 'left out': whole }
  const parts = Object.entries(lists).flatMap(([what, names]) => {
    return names.length === 0 ? [] : `${what} ${someNames(names)}`
  })
  return parts.length === 0 ? ', it has none' : `: ${parts.join('; ')}`
}

function presupposed({ presupposes = [], lacks = [] }: EventOf<'source.opened'>): string {
  if (presupposes.length === 0) return ''
  const missing = lacks.length === 0 ? '' : `; not here: ${someNames(lacks)}`
  return `; presupposes ${someNames(presupposes)}${missing}`
}

function someNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function withTools(tools: readonly unknown[]): string {
  return tools.length === 1 ? 'with 1 tool' : `with ${tools.length} tools`
}

/** Empty when nothing was counted or freed. */
function priced(price: RemovalPrice | undefined): string {
  return price === undefined || price.tokensFreed === 0
    ? ''
    : `; ${price.tokensFreed} tokens freed, ${price.prefixLost} tokens after them read again`
}

/** Empty for a step that kept all the provider had read. */
function prefixLost(cost: StepCost | undefined): string {
  if (cost === undefined || cost.changed === null) return ''
  const { previous, kept, changed } = cost
  return `, ${kept} of ${previous} tokens unchanged: ${changed.segment} "${changed.part}" changed`
}

/** Names an attempt that is not the first, and the run of the engine that makes the step. */
function attempted({
  attempt,
  run = {},
}: Pick<EventOf<'step.begun' | 'step.repeated'>, 'attempt' | 'run'>): string {
  const again = attempt && `attempt ${attempt.number} at step ${attempt.step}`
  const by = [run.engine, run.id].filter((part) => part !== undefined).join(' ')
  return [again, by].map((part) => (part ? `, ${part}` : '')).join('')
}

/** Empty for a step that withdrew nothing. */
function withdrawn({ freed = 0 }: ConversationChange = { kept: 0, sent: [] }): string {
  return freed === 0 ? '' : `, ${freed} tokens withdrawn from the conversation`
}

function describeConsent(event: ConsentEvent): string {
  switch (event.type) {
    case 'approval.remembered':
      return event.scope === 'session'
        ? `approval of ${named(event)} remembered for this session`
        : `approval of ${named(event)} remembered for this definition`
    case 'approval.recalled':
      return `approval of ${named(event)} recalled from another session`
    case 'approval.revoked':
      return `approval of ${named(event)} revoked`
    case 'tool.accepted':
      return `the changed tool ${named(event)} accepted`
    case 'call.abandoned':
      return `ABANDONED "${event.tool}": the process that ran it is gone (${event.call})`
  }
}

function named({ source, owner, tool }: ToolIdentity): string {
  return source === 'global' ? `"${tool}"` : `"${tool}" of the ${source} "${owner}"`
}

function undone({ undone, undoFailed }: EventOf<'activation.failed'>): string {
  const back = undone.length === 0 ? '' : `; undone: ${undone.join(', ')}`
  return undoFailed.length === 0 ? back : `${back}; could not be undone: ${undoFailed.join(', ')}`
}

function searched({ found, skills, stopped, degraded }: EventOf<'tool_discovery_result'>): string {
  const without = degraded === null ? '' : `, without vectors: ${degraded}`
  if (stopped === 'aborted') return 'aborted before it was answered'
  if (stopped !== null) return `answered with advice to stop (${stopped})${without}`
  const names = [...found.map(({ name }) => name), ...skills.map((skill) => `skill ${skill}`)]
  return `offered ${names.length === 0 ? 'nothing' : names.join(', ')}${without}`
}

const EVICTION = {
  turns: 'their turns are over',
  idle: 'idle for too long',
  cap: 'over the limit, used least recently',
} as const

/** Describes the cause of an entry, as the end of a sentence. */
export function describeCause(cause: Cause): string {
  switch (cause.by) {
    case 'user':
      return 'by the user'
    case 'host':
      return 'by the host'
    case 'model':
      return `by the model (call ${cause.call})`
    case 'tool':
      return `by the handler of another call (${cause.call})`
    case 'policy':
      return cause.fact === undefined
        ? `by the policy rule ${cause.rule}`
        : `because its condition holds, by entry ${cause.fact}`
    case 'initial':
      return 'when the session opened'
    case 'dependency':
      // Requirements enter with a skill, and dependents leave with it.
      return `along with "${cause.of}"`
    case 'hook':
      return `by a hook of "${cause.skill}"`
    case 'lifetime':
      return 'because its lifetime ended'
    case 'server':
      return `because the server "${cause.server}" has other tools`
    case 'catalog':
      return 'because the catalog changed'
    case 'resume':
      return 'when the session was resumed'
    case 'parent':
      return `by entry ${cause.seq} of the parent session "${cause.session}"`
  }
}
