import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { brokenListLaw } from './broken-list-law.ts'
import { type Scene, scenes } from './deed.ts'
import { differenceOf } from './difference-of.ts'
import { counter, doDeed, openLive, setClock } from './live-session.ts'
import { identityOf, KEEP, skillsOf } from './universe.ts'
import type { TorturePart } from '../torture-part.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import type { Entry } from '../../../src/engine/model/workspace-event.ts'
import { listingAddress } from '../../../src/engine/standing/list-tools.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import type { SearchPage } from '../../../src/workspace/offer/discovery/search-page.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { expected, firstModel, reopen, searched } from '../../../tests/torture/reference-model.ts'
import type { Model } from '../../../tests/torture/reference-state.ts'
import { rowsOf } from '../../../tests/torture/reference-tools.ts'

const SEQUENCES = 100_000

/** Compares random lives of a session in the library with the reference model. */
export const modelSequences: TorturePart = {
  name: 'model',
  claim:
    'After every command, also one in whose middle the process dies, a session is what the reference model says.',
  async run({ seed, scale, forMs }) {
    const wanted = Math.ceil(SEQUENCES * scale)
    const seen = { sequences: 0, commands: 0, deaths: 0, entries: 0 }
    const lives = fc.asyncProperty(scenes, async (life) => {
      const { deeds, deaths, entries, difference } = await playLife(life)
      seen.sequences += 1
      seen.commands += deeds
      seen.deaths += deaths
      seen.entries += entries
      if (difference !== null) throw new Error(difference)
    })
    const details = await fc.check(lives, {
      seed,
      numRuns: wanted,
      interruptAfterTimeLimit: forMs,
    })
    const [life = []] = details.counterexample ?? []
    const problem = details.errorInstance
    const message = problem instanceof Error ? problem.message : String(problem)
    return {
      figures: {
        'random sequences of commands': seen.sequences,
        'commands, each compared': seen.commands,
        'processes that died in a command': seen.deaths,
        'entries of all logs': seen.entries,
        'differences from the model': details.failed ? 1 : 0,
      },
      failures: details.failed
        ? [[message, ...life.map((one) => JSON.stringify(one))].join('\n')]
        : [],
      done: details.failed ? 1 : seen.sequences / wanted,
    }
  },
}

/** The result of a life: its length, and the first difference between library and model. */
interface Life {
  readonly deeds: number
  readonly deaths: number
  readonly entries: number
  readonly difference: string | null
}

/** Plays scenes with the library and with the model. */
export async function playLife(scenes: readonly Scene[]): Promise<Life> {
  const kept = createMemoryLog()
  const clock = setClock()
  let policy = 0
  let live = await openLive(kept, clock, 'first', policy)
  let model = firstModel('first', policy)
  let [deeds, deaths] = [0, 0]
  const ended = (difference: string | null): Life => {
    const entries = live.workspace.state.seq + 1
    return { deeds, deaths, entries, difference }
  }
  let difference = differenceOf(live, model)
  if (difference !== null) return ended(`after the opening: ${difference}`)
  for (const { deed, dies } of scenes) {
    deeds += 1
    const where = `after ${JSON.stringify(deed)} (number ${deeds}): `
    if (deed.do === 'reopen') {
      const broken = await brokenLaw(live.workspace, kept)
      if (broken !== null) return ended(`before number ${deeds}: ${broken}`)
      await live.workspace.close()
      policy = deed.policy
      live = await openLive(kept, clock, deed.edition, policy)
      model = reopen(model, deed.edition, policy)
    } else if (deed.do === 'search') {
      const { code, page } = await doDeed(live, deed)
      if (code !== 'ok') return ended(`${where}it answered ${code}`)
      model = searched(model, offeredBy(page, model))
    } else {
      const { code: wanted, stages } = expected(model, deed)
      if (dies) live.log.die(dies.at, dies.append)
      const { code } = await doDeed(live, deed).catch((problem: unknown) => {
        if (!live.log.isDead) throw problem
        return { code: 'died' }
      })
      if (!live.log.isDead && code !== wanted) {
        return ended(`${where}it answered ${code}, not ${wanted}`)
      }
      const last = stages.at(-1) ?? model
      if (dies) {
        deaths += 1
        const candidates = live.log.isDead ? stages : [last]
        live = await openLive(kept, clock, model.edition, policy)
        const taken = candidates.map((one) => reopen(one, model.edition, policy))
        const now = live
        const match = taken.findLast((one) => differenceOf(now, one) === null)
        if (match === undefined) {
          return ended(`${where}its process died, and ${differenceOf(live, taken.at(-1) ?? last)}`)
        }
        model = match
      } else model = last
    }
    difference = differenceOf(live, model)
    if (difference !== null) return ended(where + difference)
  }
  const broken = await brokenLaw(live.workspace, kept)
  await live.workspace.close()
  return ended(broken === null ? null : `at the end: ${broken}`)
}

/** The tools of a page that a call may use. Tools that have to be loaded first are not found yet. */
function offeredBy(page: SearchPage | undefined, model: Model) {
  return (page?.tools ?? []).flatMap(({ name, skill, callable }) => {
    if (callable === 'load-first') return []
    const row = rowsOf(model).find((one) => one.name === name)
    if (row) return [{ name, owner: row.source.owner, identity: identityOf(row.claim.tool) }]
    const tool = skillsOf(model.edition)
      .find((one) => one.name === skill)
      ?.tools.find((one) => one.name === name)
    return tool && skill !== undefined ? [{ name, owner: skill, identity: identityOf(tool) }] : []
  })
}

/**
 * Returns the first law that a session breaks, or null. The laws hold after any sequence of operations.
 *
 * Lists, explanations and availability agree. The log gives the same state again, also in another process at
 * another time, and the same state gives the same prompt, byte for byte.
 */
async function brokenLaw(workspace: VirtualWorkspace, log: EventLog): Promise<string | null> {
  const tools = workspace.tools()
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return 'a name is listed twice'
  for (const one of tools) {
    const { name, status, owner } = one
    // The explanation of a bare name is of the skill that could be activated, whichever skill is listed for
    // the name.
    const explained = workspace.explain(listingAddress(one))
    if (explained.status !== status || explained.owner !== owner) {
      return `${name} is listed as ${status} of ${owner}, and explained as ${explained.status} of ${explained.owner}`
    }
    if (workspace.explain(name).status !== status) return `${name} is not ${status} by its name`
    if (explained.because.length === 0) return `${name} is explained by nothing`
    if (workspace.isToolAvailable(name) !== (status === 'available')) return `${name} is ${status}`
  }
  const list = brokenListLaw(workspace)
  if (list !== null) return list
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
    testing: { clock: { now: () => 1e15, monotonic: () => 0 } },
    tokenCounter: counter,
    discovery: { keep: KEEP },
    readOnly: true,
  })
  if (!isDeepStrictEqual(replayed.state, workspace.state)) return 'a replay has another state'
  // A reader uses the definitions at the time of activation, and assumes that every handler exists.
  const isAsRecorded =
    tools.every(({ status }) => status !== 'unbound') &&
    workspace.skills().every(({ status }) => status !== 'changed')
  const isSame = !isAsRecorded || replayed.prompt().text === workspace.prompt().text
  return isSame ? null : 'a replay has another prompt'
}
