import type { EventLog } from '../../../entries/index.ts'
import { type Laws, someEntries } from './event-log-case.ts'

/** The laws of following a session. */
export const FOLLOW_LAWS: Laws = {
  'notifies the followers of a session of each change, by this process or another': async (
    { create },
    expect,
  ) => {
    const { log, again } = await create()
    const other = await again()
    const heard = new Heard()
    await heard.follow(log, 's1')
    for (const [version, one] of [other, log, other].entries()) {
      await one.append('s1', version, someEntries(version, version + 1))
      await heard.until(async () => (await log.read('s1')).length > version)
    }
    await other.delete('s1')
    await heard.until(async () => (await log.read('s1')).length === 0)
    expect(heard.times).toBeGreaterThan(3)
  },

  'notifies of no other session, and of none after it was stopped': async ({ create }, expect) => {
    const { log, again } = await create()
    const other = await again()
    const [first, second, third] = [new Heard(), new Heard(), new Heard()]
    await first.follow(log, 's1')
    const stop = await second.follow(log, 's2')
    await third.follow(log, 's2')
    await other.append('s2', 0, someEntries(0, 1))
    await third.until(async () => third.times > 0)
    expect([first.times, second.times > 0]).toEqual([0, true])
    await stop()
    const { times } = second
    await other.append('s2', 1, someEntries(1, 2))
    await third.until(async () => (await log.read('s2')).length === 2)
    expect([first.times, second.times]).toEqual([0, times])
  },
}

/** Counts the calls of a listener, and waits for more. */
class Heard {
  times = 0
  #next = Promise.withResolvers<void>()

  async follow(log: EventLog, session: string): Promise<() => Promise<void>> {
    const stop = await log.follow?.(session, () => {
      this.times += 1
      this.#next.resolve()
    })
    if (stop === undefined) throw new Error('It cannot be followed.')
    return stop
  }

  /** Checks a condition at each call until it is true; without calls the test runs into its time limit. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (;;) {
      await this.#next.promise
      this.#next = Promise.withResolvers()
      if (await isSo()) return
    }
  }
}
