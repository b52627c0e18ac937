import type { Observation, ObservedSession } from '../observation.ts'
import { list, memberIn, text } from '../content/text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns the lines of each subagent in a transcript of Claude Code: by its id, in early versions by its first line. */
export function agentLines(
  lines: readonly Line[],
): readonly (readonly [agent: string, lines: readonly Line[]])[] {
  const roots = new Map<unknown, string>()
  let last = ''
  let count = 0
  const agentId = (line: Line): string => {
    if (text(line['agentId']) !== '') return text(line['agentId'])
    if (typeof line['uuid'] !== 'string') return last
    let agent = roots.get(line['parentUuid'])
    if (agent === undefined) {
      count += 1
      agent = count === 1 ? 'agent' : `agent-${count}`
    }
    roots.set(line['uuid'], agent)
    return agent
  }
  const own = lines.filter(isOfSubagent)
  return [...Map.groupBy(own, (line) => (last = agentId(line)))]
}

/** Returns true for a line of a subagent. Some, such as the forms of its requests, have its id alone. */
export function isOfSubagent(line: Line): boolean {
  return line['isSidechain'] === true || text(line['agentId']) !== ''
}

/** The call that began a subagent. */
type Begun = NonNullable<ObservedSession['parent']>

/**
 * Returns subagents with the sessions and calls that began them, as far as the file says. Leaves out those of calls that
 * no session has.
 *
 * @param agents the subagents, with their ids
 * @param named the calls that the file names, by the ids of their subagents
 * @param own the session and its branches; none when the file has subagents alone
 */
export function withCalls(
  agents: readonly (readonly [agent: string, one: ObservedSession])[],
  named: ReadonlyMap<string, string>,
  own: readonly ObservedSession[],
): readonly ObservedSession[] {
  const begins = agentCalls(named, [...own, ...agents.map(([, one]) => one)])
  const [main] = own
  const unknown = main && { session: main.session, call: null, agent: null }
  return agents.flatMap(([agent, one]) => {
    const begun = begins(agent, one.seen)
    if (begun === 'elsewhere') return []
    const parent = begun ?? one.parent ?? unknown
    const kind = parent?.agent ?? one.parent?.agent ?? null
    return [parent ? { ...one, parent: { ...parent, agent: kind } } : one]
  })
}

/**
 * Returns a function that finds the call of a subagent: the one whose result or progress has its id, else the only one
 * with its prompt. It returns `elsewhere` for a subagent of a call that no session has, and null when the file does not say.
 */
function agentCalls(
  named: ReadonlyMap<string, string>,
  sessions: readonly ObservedSession[],
): (agent: string, seen: readonly Observation[]) => Begun | 'elsewhere' | null {
  const calls = new Map<string, Begun>()
  const byPrompt = new Map<string, Begun[]>()
  for (const { session, seen } of sessions) {
    for (const one of seen) {
      if (one.type !== 'call') continue
      const agent = text(memberIn(one.input, 'subagent_type')) || null
      const begun = { session, call: one.call, agent }
      calls.set(one.call, begun)
      // Codex calls it a message.
      const prompt = text(memberIn(one.input, 'prompt') ?? memberIn(one.input, 'message'))
      if (prompt !== '') byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), begun])
    }
  }
  return (agent, seen) => {
    const call = named.get(agent)
    if (call !== undefined) return calls.get(call) ?? 'elsewhere'
    const prompt = seen.find((one) => one.type === 'turn')?.text ?? ''
    const [only, ...others] = byPrompt.get(prompt) ?? []
    return only !== undefined && others.length === 0 ? only : null
  }
}

/** Returns the calls that lines of Claude Code name, by the ids of their subagents. */
export function namedCalls(lines: readonly Line[]): ReadonlyMap<string, string> {
  const calls = new Map<string, string>()
  for (const line of lines) {
    const progress = text(memberIn(line['data'], 'agentId'))
    const parent = text(line['parentToolUseID'])
    if (progress !== '' && parent !== '') calls.set(progress, parent)
    const agent = text(memberIn(line['toolUseResult'], 'agentId'))
    if (agent === '') continue
    const parts = list(memberIn(line['message'], 'content'))
    const result = parts.find((part) => memberIn(part, 'type') === 'tool_result')
    const call = text(memberIn(result, 'tool_use_id'))
    if (call !== '') calls.set(agent, call)
  }
  return calls
}
