import type { SessionSummary } from '../../../entries/log.ts'
import { type Laws, someEntries } from './event-log-case.ts'

/** The laws of listing sessions. */
export const LIST_LAWS: Laws = {
  'lists what it holds': async ({ create }, expect) => {
    const { log } = await create()
    await log.append('s1', 0, someEntries(0, 1))
    await log.append('s1', 1, someEntries(1, 3))
    expect(await log.list()).toEqual([
      { session: 's1', version: 3, openedAt: 1000, changedAt: 1002 },
    ])
  },

  'forgets a session that is deleted, and takes a new one of its name': async (
    { create },
    expect,
  ) => {
    const { log, again } = await create()
    await log.append('s1', 0, someEntries(0, 3))
    await log.delete('s1')
    expect(await log.read('s1')).toEqual([])
    expect(await log.list()).toEqual([])
    await log.append('s1', 0, someEntries(0, 1, 'anew'))
    expect(await (await again()).read('s1')).toEqual(someEntries(0, 1, 'anew'))
  },

  'refuses to prune by what is no time, and deletes nothing': async ({ create }, expect) => {
    const { log } = await create()
    await log.append('s1', 0, someEntries(0, 1))
    const requests = [
      { changedBefore: '2000-01-01' },
      { changedBefore: new Date(0) },
      { changedBefore: NaN },
      { dryRun: 'no' },
      { olderThan: 5 },
    ]
    for (const request of requests) {
      await expect(log.prune(request as object)).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
    }
    expect(await log.read('s1')).toEqual(someEntries(0, 1))
  },

  'lists all sessions up to any great number, and refuses a number that is not whole': async (
    { create },
    expect,
  ) => {
    const { log } = await create()
    await log.append('s1', 0, someEntries(0, 1))
    for (const limit of [1, Infinity, 1e20]) expect(await log.list({ limit })).toHaveLength(1)
    expect(await log.list({ limit: 0 })).toEqual([])
    for (const limit of [-1, 1.5, NaN]) {
      await expect(log.list({ limit })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
    }
  },

  'lists pages, the session that changed last first': async ({ create, sessions }, expect) => {
    if (sessions === 'one') return
    const { log } = await create()
    const names = ['b', 'd', 'a', 'e', 'c']
    for (const [index, name] of names.entries()) {
      const [entry] = someEntries(0, 1)
      // Two of them changed at the same time.
      if (entry) await log.append(name, 0, [{ ...entry, at: 1000 + Math.floor(index / 2) }])
    }
    const all = await log.list()
    expect(all.map(({ changedAt }) => changedAt)).toEqual([1002, 1001, 1001, 1000, 1000])
    for (const limit of [1, 2, 3, 5, 9]) {
      const pages: SessionSummary[] = []
      for (;;) {
        const after = pages.at(-1)
        const page = await log.list({ limit, ...(after && { after }) })
        expect(page.length).toBeLessThanOrEqual(limit)
        if (page.length === 0) break
        pages.push(...page)
      }
      expect(pages).toEqual(all)
    }
  },
}
