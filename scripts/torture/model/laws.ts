import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../../src/engine/model/event.ts'
import { fold } from '../../../src/engine/evolve/fold.ts'
import { listingAddress } from '../../../src/engine/standing/listing-address.ts'
import type { EventLog } from '../../../src/workspace/log/ports.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { counter } from './live-session.ts'
import { KEEP } from './universe.ts'

/**
 * What holds of any session whatever was done to it; null, or what does not.
 *
 * Lists, explanations and availability agree; the log gives the same state again, also in another
 * process at another time, and the same state gives the same prompt, byte for byte.
 */
export async function brokenLaw(
  workspace: VirtualWorkspace,
  log: EventLog,
): Promise<string | null> {
  const tools = workspace.tools()
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return 'a name is listed twice'
  for (const one of tools) {
    const { name, status, owner } = one
    // By its bare name a tool is explained by the skill that could come, whichever is listed for it.
    const explained = workspace.explain(listingAddress(one))
    if (explained.status !== status || explained.owner !== owner) {
      return `${name} is listed as ${status} of ${owner}, and explained as ${explained.status} of ${explained.owner}`
    }
    if (workspace.explain(name).status !== status) return `${name} is not ${status} by its name`
    if (explained.because.length === 0) return `${name} is explained by nothing`
    if (workspace.isToolAvailable(name) !== (status === 'available')) return `${name} is ${status}`
  }
  const available = tools.flatMap(({ name, status }) => (status === 'available' ? [name] : []))
  const given = workspace.getAvailableTools().map(({ name }) => name)
  if (!isDeepStrictEqual(available.toSorted(), given.toSorted())) {
    return `available are ${given.join(', ')}, and listed ${available.join(', ')}`
  }
  for (const { name, status } of workspace.skills()) {
    if (workspace.explainSkill(name).status !== status) return `skill ${name} is ${status}`
  }
  const history = JSON.parse(JSON.stringify(await log.read(workspace.session))) as readonly Entry[]
  if (!isDeepStrictEqual(fold(history), workspace.state)) return 'the log folds to another state'
  const { catalog, session } = workspace
  const replayed = await VirtualWorkspace.open({
    catalog,
    agent: 'tester',
    session,
    log,
    clock: { now: () => 1e15, monotonic: () => 0 },
    tokenCounter: counter,
    discovery: { keep: KEEP },
    readOnly: true,
  })
  if (!isDeepStrictEqual(replayed.state, workspace.state)) return 'a replay has another state'
  // Who only looks reads changed skills as they were activated, and takes every handler to be there.
  const isAsRecorded =
    tools.every(({ status }) => status !== 'unbound') &&
    workspace.skills().every(({ status }) => status !== 'changed')
  const isSame = !isAsRecorded || replayed.prompt().text === workspace.prompt().text
  return isSame ? null : 'a replay has another prompt'
}
