import type { Reason, Verdict } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { ServerHealth } from '../../tools/definition/tool-server.ts'

/** Says what the health of a server means for its tools; null for one that is connected. */
function describeHealth({ server, status, problem, since }: ServerHealth): string | null {
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
 * name the variables that its program wrote about and did not get.
 */
function healthReasons(health: ServerHealth, seq: number): readonly Reason[] {
  const text = describeHealth(health)
  if (text === null) return []
  const words = new Set(health.stderr.flatMap((line) => line.split(/\W+/u)))
  const lacking = health.withheld.filter((name) => words.has(name))
  const names = `Its program does not get these variables of this process: ${lacking.join(', ')}.`
  const lacks = health.problem === null || lacking.length === 0 ? [] : [{ seq, text: names }]
  return [{ seq, text }, ...lacks]
}

/** Returns the health of the server that a tool is from, if this process is connected to one. */
export function serverHealth(
  { source, owner }: Pick<ToolRow['owner'], 'source' | 'owner'>,
  context: EngineContext,
): Pick<Verdict, 'health'> {
  const health = source === 'server' ? context.serverHealth?.(owner) : undefined
  return health === undefined ? {} : { health }
}

/** Returns what a person should know of a tool's server, where it is not simply connected, and of the parts that are left out. */
export function connectionReasons(
  { owner: { leftOut }, claim }: ToolRow,
  { health }: Pick<Verdict, 'health'>,
): readonly Reason[] {
  const { seq = claim.since, tools = [] } = leftOut ?? {}
  const parts = tools.flatMap(({ name, reason, part }) =>
    name === claim.name && part !== undefined
      ? [{ seq, text: `It is used without its ${part}: ${reason}` }]
      : [],
  )
  return [...(health ? healthReasons(health, claim.since) : []), ...parts]
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
