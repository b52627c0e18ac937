import type { Reason } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { ServerHealth } from '../../tools/definition/tool-server.ts'

/** Says what the health of a server means for its tools; null for one that is connected. */
export function describeHealth({ server, status, problem, since }: ServerHealth): string | null {
  const why = problem === null ? '' : ` ${sanitiseLine(problem)}`
  const from = ` (since ${new Date(since).toISOString()})`
  switch (status) {
    case 'connected':
      return null
    case 'not-connected':
      return problem === null
        ? `The server "${server}" is not connected: its tools are those of an earlier listing until a call connects it.`
        : `The server "${server}" could not be connected${from}:${why}`
    case 'listing':
      return `The server "${server}" is being connected, and its tools are being listed${from}.`
    case 'changed':
      return `The server "${server}" announced other tools, which are being read${from}.`
    case 'failed-refresh':
      return `The server "${server}" announced other tools, and they could not be read, so those of the list before are used${from}:${why}`
    case 'endless-pages':
      return `Of the server "${server}":${why}`
    case 'cut':
      return `The connection to the server "${server}" was cut, and the next call connects again${from}:${why}`
  }
}

/**
 * Returns the reasons that the health of a server gives for its tools: none while it is connected. With a problem, they
 * have the last line that it wrote, and the variables in it that the server did not get.
 */
export function healthReasons(health: ServerHealth, seq: number): readonly Reason[] {
  const text = describeHealth(health)
  if (text === null) return []
  const last = health.stderr.at(-1)
  const reasons: Reason[] = [{ seq, text }]
  if (health.problem === null || last === undefined) return reasons
  const forHost = true as const
  const lacking = health.withheld.filter((name) =>
    health.stderr.some((line) => line.split(/\W+/u).includes(name)),
  )
  reasons.push({ seq, text: `It wrote: ${sanitiseLine(last)}`, forHost })
  if (lacking.length > 0) {
    const names = lacking.join(', ')
    reasons.push({ seq, text: `It does not get these variables of this process: ${names}.`, forHost })
  }
  return reasons
}

/** Returns why an unknown tool may be one that a server has by now: its list was announced, and is not read. */
export function announcedReasons(
  { open }: WorkspaceState,
  { serverHealth }: EngineContext,
): readonly Reason[] {
  return open.flatMap(({ source, owner, since: seq }) => {
    const health = source === 'server' ? serverHealth?.(owner) : undefined
    const isOpen = health?.status === 'changed' || health?.status === 'failed-refresh'
    const text = health !== undefined && isOpen ? describeHealth(health) : null
    return text === null ? [] : [{ seq, text }]
  })
}
