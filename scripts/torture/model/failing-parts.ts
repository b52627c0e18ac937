import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Deed, scenes } from './deed.ts'
import { differenceOf } from './difference-of.ts'
import { doDeed, type LiveSession, openLive, setClock } from './live-session.ts'
import type { TorturePart } from '../torture-part.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import { expected, firstModel, reopen } from '../../../tests/torture/reference-model.ts'
import { active, type Model } from '../../../tests/torture/reference-state.ts'

const SCENARIOS = 500

/** Lets one call of the log, one hook or one handler fail: each of them, in many scenarios. */
export const failingParts: TorturePart = {
  name: 'failures',
  claim:
    'Whichever call of the log, hook or handler fails, the session is the one before or the one after, as is its log.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const tried = { store: 0, hook: 0, handler: 0 }
    const failures: string[] = []
    let scenarios = 0
    const wanted = Math.ceil(SCENARIOS * scale)
    for (const acts of scenariosOf(seed, wanted)) {
      if (performance.now() > until) break
      scenarios += 1
      for (const nth of FAULTS) {
        for (let at = 1; ; at += 1) {
          const { came, difference } = await playFault(acts, nth(at))
          if (!came) break
          tried[nth(at).of] += 1
          if (difference === null) continue
          failures.push([difference, ...acts.map((one) => JSON.stringify(one))].join('\n'))
          break
        }
      }
    }
    return {
      figures: {
        scenarios,
        'calls of the log that failed, before or after they were done': tried.store,
        'hooks that failed': tried.hook,
        'handlers that failed': tried.handler,
        'sessions that were neither before nor after': failures.length,
      },
      failures,
      done: scenarios / wanted,
    }
  },
}

const FAULTS: readonly ((at: number) => Fault)[] = [
  (at) => ({ of: 'store', at, when: 'before' }),
  (at) => ({ of: 'store', at, when: 'after' }),
  (at) => ({ of: 'hook', at }),
  (at) => ({ of: 'handler', at }),
]

/** Scenarios that are long enough for many failures. */
function scenariosOf(seed: number, count: number): readonly (readonly Act[])[] {
  return fc
    .sample(scenes, { seed, numRuns: count * 3 })
    .map((life) => life.flatMap(({ deed }) => (deed.do === 'search' ? [] : [deed])))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, count)
}

/** One failure, once, in a scenario. */
type Fault =
  | { readonly of: 'store'; readonly at: number; readonly when: 'before' | 'after' }
  | { readonly of: 'hook' | 'handler'; readonly at: number }

/** The result of a scenario with a failure. A failure that never happened ends the count. */
interface Faulted {
  readonly came: boolean
  readonly difference: string | null
}

/** The model cannot predict a search, so scenarios have none. */
type Act = Exclude<Deed, { do: 'search' }>

/**
 * Plays a scenario in which one call of the log, one hook or one handler fails.
 *
 * The operation that fails is done, not done, or done up to one of its entries: the same in the session and
 * in the log, once the session has read the log again. Hooks of an activation that failed are undone.
 * Everything after it is as if there had been no failure.
 */
async function playFault(acts: readonly Act[], fault: Fault): Promise<Faulted> {
  const kept = createMemoryLog()
  const clock = setClock()
  const log = fault.of === 'store' ? faultyLog(kept, fault.at, fault.when) : kept
  const open = async (policy: number, edition: Model['edition']): Promise<LiveSession> => {
    const opening = () => openLive(log, clock, edition, policy)
    return opening().catch((problem: unknown) => {
      if (!isFault(problem)) throw problem
      return opening()
    })
  }
  let live = await open(0, 'first')
  let model = firstModel('first', 0)
  if (fault.of === 'hook') live.stage.hooksLeft = fault.at
  if (fault.of === 'handler') live.stage.handlersLeft = fault.at
  const hasCome = (): boolean => {
    if ('hasFailed' in log) return log.hasFailed
    return fault.of === 'hook' ? live.stage.hooksLeft <= 0 : live.stage.handlersLeft <= 0
  }
  // A process whose append failed undoes its hooks, whatever the log did.
  const isTold = fault.of !== 'hook' && !('when' in fault && fault.when === 'after')
  // The hook of a skill that another process activated runs at its first call.
  let everyHookRan = isTold && !hasCome()
  const ended = (difference: string | null): Faulted => ({ came: hasCome(), difference })
  let number = 0
  let isOver = false
  const opened = differenceOf(live, model)
  if (opened !== null) return ended(`after the opening: ${opened}`)
  for (const deed of acts) {
    if (isOver) break
    number += 1
    const where = `${JSON.stringify(fault)} in ${JSON.stringify(deed)} (number ${number}): `
    const came = hasCome()
    if (deed.do === 'reopen') {
      const { hooksLeft, handlersLeft } = live.stage
      await live.workspace.close()
      live = await open(deed.policy, deed.edition)
      Object.assign(live.stage, { hooksLeft, handlersLeft })
      model = reopen(model, deed.edition, deed.policy)
      everyHookRan = false
    } else {
      // A call whose end could not be appended is ended by the next operation.
      const before = model.running.length > 0 ? [model, { ...model, running: [] }] : [model]
      const wanted = before.map((one) => expected(one, deed))
      const { code } = await doDeed(live, deed).catch((problem: unknown) => {
        if (!isFault(problem)) throw problem
        return { code: 'failed' }
      })
      const isHit = hasCome() && !came
      if (isHit && fault.of === 'store') await catchUp(live)
      if (!isHit && wanted.every((one) => one.code !== code)) {
        return ended(`${where}it answered ${code}, not ${wanted[0]?.code}`)
      }
      const reached = wanted.flatMap(({ stages }) => (isHit ? stages : stages.slice(-1)))
      const spared = isHit ? before.flatMap((one) => sparing(one, deed)) : []
      const all = [...spared, ...reached]
      const after =
        isHit && fault.of === 'hook'
          ? [...before.flatMap((one) => breaking(one, deed)), ...all]
          : all
      const match =
        after.findLast((one) => differenceOf(live, one) === null) ?? after.at(-1) ?? model
      model = isHit && !isTold ? { ...match, unhooked: cameIn(model, match) } : match
      // The handler of a tool whose registration failed stays bound, which the next change shows.
      isOver = isHit && deed.do === 'register'
    }
    const { state, session } = live.workspace
    const difference = differenceOf(live, model)
    if (difference !== null) return ended(where + difference)
    if (!isDeepStrictEqual(fold(await kept.read(session)), state)) {
      return ended(`${where}the log folds to another state`)
    }
    const hooks = hooksOf(live)
    if (isTold && hooks.tooMany.length > 0)
      return ended(`${where}hooks are inside ${hooks.tooMany.join(', ')}`)
    if (everyHookRan && hooks.missing.length > 0) {
      return ended(`${where}hooks are not inside ${hooks.missing.join(', ')}`)
    }
  }
  await live.workspace.close()
  return ended(null)
}

/** Skills whose hook ran although they are not active, and active skills whose hook did not run. */
function hooksOf({ workspace, stage: { inside } }: LiveSession) {
  const active = new Set(workspace.skillManager.getActiveSkills().map(({ name }) => name))
  return { tooMany: [...inside.difference(active)], missing: [...active.difference(inside)] }
}

/**
 * Skills that were activated although this process received a failure: it treats them as activated by another
 * process.
 */
function cameIn(before: Model, { sources, unhooked }: Model): string[] {
  const isNew = ({ owner }: Model['sources'][number]) =>
    before.sources.every((one) => one.owner !== owner)
  return [...unhooked, ...sources.filter(isNew).map(({ owner }) => owner)]
}

/**
 * The states after an operation when an expired skill could not be deactivated: the others leave as usual.
 */
function sparing(before: Model, deed: Exclude<Act, { do: 'reopen' }>): readonly Model[] {
  return active(before).flatMap((stays) =>
    expected({ ...before, stays }, deed).stages.map((model) => ({ ...model, stays: undefined })),
  )
}

/**
 * The states after an operation when a hook fails at the first call after resuming: its skill is broken
 * before the call, which may then find the tool of another skill, or after it.
 */
function breaking(before: Model, deed: Exclude<Act, { do: 'reopen' }>): readonly Model[] {
  const broken = (model: Model) =>
    active(model).map((skill) => ({ ...model, broken: [...model.broken, skill] }))
  return [
    ...expected(before, deed).stages.flatMap(broken),
    ...broken(before).flatMap((model) => expected(model, deed).stages),
  ]
}

/** A refused command is checked against the log first, so that the session is as new as the log. */
async function catchUp({ workspace }: LiveSession): Promise<void> {
  await workspace.deny('a guess').catch(() => undefined)
  await workspace.deny('a guess')
}

function isFault(problem: unknown): boolean {
  return problem instanceof Error && problem.message.includes(FAULT)
}

/** A log of which one call fails. It counts all calls, and works normally after the failure. */
interface FaultyLog extends EventLog {
  /** The calls so far, of every kind. */
  readonly calls: number
  /** True after the call that had to fail. */
  readonly hasFailed: boolean
}

/** The message of a failure, to recognise it. */
const FAULT = 'The disk is on fire.'

/**
 * Returns a log whose n-th call fails.
 *
 * @param when `before` it had an effect, or `after`, when only its answer is lost
 */
function faultyLog(log: EventLog, at: number, when: 'before' | 'after'): FaultyLog {
  const { immediate: _, ...rest } = log
  let calls = 0
  let hasFailed = false
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1
    const fails = calls === at
    hasFailed ||= fails
    if (fails && when === 'before') throw new Error(FAULT)
    const done = await work()
    if (fails) throw new Error(FAULT)
    return done
  }
  return {
    ...rest,
    definitions: {
      has: (...given) => counted(() => log.definitions.has(...given)),
      put: (...given) => counted(() => log.definitions.put(...given)),
      get: (...given) => counted(() => log.definitions.get(...given)),
    },
    read: (...given) => counted(() => log.read(...given)),
    append: (...given) => counted(() => log.append(...given)),
    get calls() {
      return calls
    },
    get hasFailed() {
      return hasFailed
    },
  }
}
