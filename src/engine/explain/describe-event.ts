import type { Cause } from '../model/cause.ts'
import type { ConsentEvent, ToolIdentity } from '../model/consent-event.ts'
import type { Policy, Rule } from '../model/policy.ts'
import type { RemovalPrice, StepCost } from '../model/step-cost.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'

/** What happened, in words: neither its number nor its cause. Not yet sanitised. */
export function describeEvent(event: WorkspaceEvent): string {
  switch (event.type) {
    case 'session.opened': {
      const agent = event.agent === null ? 'without an agent' : `for the agent "${event.agent}"`
      return `session "${event.session}" opened ${agent}, in ${event.policy.mode} mode`
    }
    case 'policy.changed':
      return `policy changed, ${describePolicy(event.policy)}`
    case 'source.opened':
      return `${ownerOf(event)} ${event.source === 'skill' ? 'activated' : 'registered'}, ${withTools(event.claims)}`
    case 'source.kept':
      return event.requested
        ? `skill "${event.owner}", so far only required, stays on its own`
        : `skill "${event.owner}" stays for those that require it`
    case 'source.closed':
      if (event.names !== null) return `${ownerOf(event)} gave up ${event.names.join(', ')}`
      return `${ownerOf(event)} ${event.source === 'skill' ? 'put away' : 'unregistered'}${priced(event.price)}`
    case 'source.accepted':
      return `the changed skill "${event.owner}" accepted, ${withTools(event.claims)}`
    case 'tool.switched':
      return `tool "${event.tool}" switched ${event.enabled ? 'on' : 'off'}`
    case 'turn.begun':
      return `turn ${event.turn} begun`
    case 'turn.ended':
      return `turn ${event.turn} ended`
    case 'intent.taken':
      return `intent ${event.intent} taken to be applied (${event.id})`
    case 'intent.applied':
      return `intent ${event.intent} applied (${event.id})`
    case 'intent.failed':
      return `FAILED intent ${event.intent} (${event.id}, ${event.code}): ${event.message}`
    case 'metrics.reset':
      return 'metrics begun anew'
    case 'step.begun':
      return `step ${event.step} begun, ${withTools(event.exposed)} exposed${prefixLost(event.cost)}`
    case 'session.forked':
      return `forked as "${event.session}" from entry ${event.from.seq} of "${event.from.session}"`
    case 'session.compacted':
      return `history summarised, ${event.tokens} tokens put in again`
    case 'component.updated':
      return `state of the component "${event.component}" changed`
    case 'call.started':
      return `"${event.tool}" called (${event.call})`
    case 'call.detached':
      return `"${event.tool}" goes on in the background (${event.call})`
    case 'call.ended': {
      const result = event.ok ? 'answered' : `failed with ${event.error ?? 'an error'}`
      const times = event.attempts === undefined ? '' : ` and ${event.attempts} attempts`
      return `"${event.tool}" ${result} after ${event.durationMs} ms${times} (${event.call})`
    }
    case 'confirmation.asked':
      return `confirmation asked for a call of "${event.tool}" (${event.id})`
    case 'confirmation.approved':
      return `confirmation ${event.id} approved`
    case 'confirmation.denied':
      return `confirmation ${event.id} denied`
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
      return `rules told: ${event.topics.map(({ topic }) => topic).join(', ')}`
    case 'extraction.drifted':
      return `DRIFT in the results of "${event.tool}" (${event.what}): ${event.message}`
    case 'memory.summarised':
      return event.summary === null ? 'summary taken away' : 'summary of what happened so far set'
  }
}

/** Said only of a step that did not keep what the provider had read. */
function prefixLost(cost: StepCost | undefined): string {
  if (cost === undefined || cost.changed === null) return ''
  const { previous, kept, changed } = cost
  return `, ${kept} of ${previous} tokens kept: ${changed.segment} "${changed.part}" changed`
}

function ownerOf({
  source,
  owner,
}: Extract<WorkspaceEvent, { type: 'source.opened' | 'source.closed' }>): string {
  switch (source) {
    case 'skill':
      return `skill "${owner}"`
    case 'component':
      return `component "${owner}"`
    case 'global':
      return `global tools of "${owner}"`
  }
}

function withTools(tools: readonly unknown[]): string {
  return tools.length === 1 ? 'with 1 tool' : `with ${tools.length} tools`
}

const EVICTION = {
  turns: 'their turns are over',
  idle: 'not called for long',
  cap: 'too many, and used longest ago',
} as const

function searched({
  found,
  skills,
  stopped,
  degraded,
}: Extract<WorkspaceEvent, { type: 'tool_discovery_result' }>): string {
  const without = degraded === null ? '' : `, without vectors: ${degraded}`
  if (stopped === 'aborted') return 'given up on before it had an answer'
  if (stopped !== null) return `answered with advice to stop (${stopped})${without}`
  const names = [...found.map(({ name }) => name), ...skills.map((skill) => `skill ${skill}`)]
  return `offered ${names.length === 0 ? 'nothing' : names.join(', ')}${without}`
}

/** Nothing when nothing was counted, or there is nothing to tell. */
function priced(price: RemovalPrice | undefined): string {
  return price === undefined || price.tokensFreed === 0
    ? ''
    : `; ${price.tokensFreed} tokens freed, ${price.prefixLost} behind them read anew`
}

function undone({
  undone,
  undoFailed,
}: Extract<WorkspaceEvent, { type: 'activation.failed' }>): string {
  const back = undone.length === 0 ? '' : `; undone: ${undone.join(', ')}`
  return undoFailed.length === 0 ? back : `${back}; could not be undone: ${undoFailed.join(', ')}`
}

/** What was agreed to, or taken back, in words. Not yet sanitised. */
function describeConsent(event: ConsentEvent): string {
  switch (event.type) {
    case 'approval.remembered':
      return event.scope === 'session'
        ? `approval of ${named(event)} remembered for this session`
        : `approval of ${named(event)} remembered for this definition`
    case 'approval.recalled':
      return `approval of ${named(event)} recalled from another session`
    case 'approval.revoked':
      return `approval of ${named(event)} taken back`
    case 'tool.accepted':
      return `the changed tool ${named(event)} accepted`
    case 'call.abandoned':
      return `ABANDONED "${event.tool}": the process that ran it is gone (${event.call})`
  }
}

function named({ source, owner, tool }: ToolIdentity): string {
  return source === 'global' ? `"${tool}"` : `"${tool}" of the ${source} "${owner}"`
}

/** Who or what made an entry happen, as the end of a sentence. */
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
      return `by the policy rule ${cause.rule}`
    case 'initial':
      return 'when the session opened'
    case 'dependency':
      // In or out: what it requires comes with a skill, and what requires it leaves with it.
      return `along with "${cause.of}"`
    case 'hook':
      return `by a hook of "${cause.skill}"`
    case 'lifetime':
      return 'because its lifetime ended'
    case 'catalog':
      return 'because the catalog changed'
    case 'resume':
      return 'when the session was resumed'
  }
}

/** A policy in words: its mode, and the rules it has. Not yet sanitised. */
function describePolicy({ mode, deny, ask, allow, allowedTools }: Policy): string {
  const rules = (does: string, list: Policy['deny']) =>
    list.length > 0 && `${does} ${list.map(describeRule).join(', ')}`
  const parts = [
    `${mode} mode`,
    rules('denies', deny),
    rules('asks first for', ask),
    rules('allows', allow),
    allowedTools !== 'ignore' && `allowed-tools ${allowedTools}`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}

/** A rule of permission in words: the pattern of a name, or all that must match. Not yet sanitised. */
export function describeRule(rule: Rule): string {
  if (typeof rule === 'string') return `"${rule}"`
  const { tool, skill, source, risk, where = {} } = rule
  const parts = [
    tool !== undefined && `"${tool}"`,
    skill !== undefined && `tools of the skill "${skill}"`,
    source !== undefined && `source "${source}"`,
    risk !== undefined && `risk ${[risk].flat().join(' or ')}`,
    ...Object.entries(where).map(([path, pattern]) => `argument ${path} like "${pattern}"`),
  ].filter((part) => part !== false)
  const [first = 'every tool', ...rest] = parts
  return rest.length === 0 ? first : `${first} with ${rest.join(' and ')}`
}
