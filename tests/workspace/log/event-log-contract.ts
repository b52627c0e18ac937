import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContentHash, textHash } from '../../../src/kernel/content-hash.ts'
import type { Entry } from '../../../src/engine/model/workspace-event.ts'
import { entryHash } from '../../../src/workspace/log/stored-entry.ts'
import type {
  EventLog,
  PruneRequest,
  SessionSummary,
} from '../../../src/workspace/log/event-log.ts'
import { someEntries } from './some-entries.ts'
import { definitionOf } from './definition-of.ts'

/** An implementation under test. */
export interface EventLogCase {
  /** A new, empty log, and a way to open the same one again as another process would. */
  create(): Promise<{ readonly log: EventLog; again(): Promise<EventLog> }>
  /** The number of sessions that one log can hold. */
  readonly sessions: 'one' | 'many'
  /** The number of logs that can write at the same time; `many` when absent. */
  readonly writers?: 'one' | 'many'
  /** True when its sessions can be followed. */
  readonly follows: boolean
}

/** The behaviour of every event log, wherever it stores sessions. */
export function eventLogContract(
  name: string,
  { create, sessions, writers = 'many', follows }: EventLogCase,
): void {
  describe(`${name}, as an event log,`, () => {
    test('gives back what was appended, in order, also to one who opens it again', async () => {
      const { log, again } = await create()
      await log.append('s1', 0, someEntries(0, 3))
      await log.append('s1', 3, someEntries(3, 5))
      expect(await log.read('s1')).toEqual(someEntries(0, 5))
      expect(await (await again()).read('s1')).toEqual(someEntries(0, 5))
    })

    test('reads from any entry on', async () => {
      const { log } = await create()
      await log.append('s1', 0, someEntries(0, 5))
      expect(await log.read('s1', 3)).toEqual(someEntries(3, 5))
      expect(await log.read('s1', 5)).toEqual([])
      expect(await log.read('s1', 99)).toEqual([])
    })

    test.each([
      { from: 0, last: 2 },
      { from: 1, last: 1 },
      { from: 3, last: 99 },
      { from: 4, last: 2 },
      { from: 0, last: -1 },
    ])('reads from entry $from up to entry $last', async ({ from, last }) => {
      const { log, again } = await create()
      await log.append('s1', 0, someEntries(0, 5))
      const wanted = someEntries(0, 5).slice(from, last + 1)
      expect(await log.read('s1', from, last)).toEqual(wanted)
      expect(await (await again()).read('s1', from, last)).toEqual(wanted)
    })

    test('is empty for a session it does not know', async () => {
      const { log } = await create()
      expect(await log.read('nobody')).toEqual([])
      expect(await log.list()).toEqual([])
      await log.delete('nobody')
      await log.append('s1', 0, someEntries(0, 1))
      expect(await log.read('nobody')).toEqual([])
    })

    test.each([{ expected: 0 }, { expected: 1 }, { expected: 3 }])(
      'refuses an append that expects $expected entries where there are two',
      async ({ expected }) => {
        const { log } = await create()
        await log.append('s1', 0, someEntries(0, 2))
        await expect(
          log.append('s1', expected, someEntries(expected, expected + 1)),
        ).rejects.toMatchObject({ code: 'LOG_CONFLICT', facts: { expected, found: 2 } })
        expect(await log.read('s1')).toEqual(someEntries(0, 2))
      },
    )

    test('refuses entries whose numbers do not continue it, and takes none of them', async () => {
      const { log } = await create()
      const [first, second] = someEntries(0, 2)
      await expect(
        log.append(
          's1',
          0,
          [first, second, second].flatMap((entry) => entry ?? []),
        ),
      ).rejects.toMatchObject({ code: 'LOG_SEQUENCE', facts: { expected: 2, found: 1 } })
      expect(await log.read('s1')).toEqual([])
    })

    test.each([Number.NaN, Number.POSITIVE_INFINITY])(
      'refuses an entry whose time is %d, which nobody could read back, and those with it',
      async (at) => {
        const { log } = await create()
        await log.append('s1', 0, someEntries(0, 1))
        const [first, odd, last] = someEntries(1, 4)
        const entries = [first, odd && { ...odd, at }, last].flatMap((entry) => entry ?? [])
        await expect(log.append('s1', 1, entries)).rejects.toMatchObject({
          code: 'LOG_NOT_AN_ENTRY',
          facts: { session: 's1', seq: 2 },
        })
        expect(await log.read('s1')).toEqual(someEntries(0, 1))
      },
    )

    test('rejects, and does not throw, for entries that are no JSON', async () => {
      const { log } = await create()
      const circle: Record<string, unknown> = {}
      circle['self'] = circle
      const event = {
        type: 'component.updated',
        component: 'notes',
        state: circle as never,
      } as const
      const entries = someEntries(0, 1).map((entry) => ({ ...entry, event }))
      await log.append('s1', 0, entries).then(
        () => expect.unreachable(),
        (error: unknown) => expect(error).toBeInstanceOf(TypeError),
      )
      expect(await log.read('s1')).toEqual([])
    })

    test('refuses entries that follow another entry than its last one, such as that of a session that was replaced', async () => {
      const { log, again } = await create()
      const other = writers === 'one' ? log : await again()
      await log.append('s1', 0, someEntries(0, 2))
      const hashOf = (entries: readonly Entry[]) => entries.map(entryHash).at(-1)
      await log.append('s1', 2, someEntries(2, 3), hashOf(await log.read('s1')))
      const known = hashOf(await other.read('s1'))
      await log.delete('s1')
      await log.append('s1', 0, someEntries(0, 3, 'anew'))
      const append = () => other.append('s1', 3, someEntries(3, 4), known)
      await expect(append()).rejects.toMatchObject({ code: 'LOG_CONFLICT', facts: { expected: 3 } })
      await expect(append()).rejects.toMatchObject({ code: 'LOG_CONFLICT', facts: { expected: 3 } })
      expect(await other.read('s1')).toEqual(someEntries(0, 3, 'anew'))
      await other.append('s1', 3, someEntries(3, 4), hashOf(someEntries(2, 3, 'anew')))
      await log.append('s1', 4, someEntries(4, 5), hashOf(someEntries(3, 4)))
      expect(await log.read('s1')).toHaveLength(5)
    })

    test('lets exactly one of several racing appends win', async () => {
      const { log, again } = await create()
      await log.append('s1', 0, someEntries(0, 1))
      const others = writers === 'one' ? [log, log] : [log, await again(), await again(), log]
      const results = await Promise.allSettled(
        others.map((one, index) => one.append('s1', 1, someEntries(1, 3, `writer ${index}`))),
      )
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      const losers = results.flatMap((result) => (result.status === 'rejected' ? [result] : []))
      expect(losers).toHaveLength(others.length - 1)
      for (const { reason } of losers) expect(reason).toMatchObject({ code: 'LOG_CONFLICT' })
      const expected = [...someEntries(0, 1), ...someEntries(1, 3, `writer ${winner}`)]
      for (const one of others) expect(await one.read('s1')).toEqual(expected)
    })

    test('takes appends in the order they were made', async () => {
      const { log } = await create()
      const appends = Array.from({ length: 10 }, (_, index) =>
        log.append('s1', index, someEntries(index, index + 1)),
      )
      await Promise.all(appends)
      expect(await log.read('s1')).toEqual(someEntries(0, 10))
    })

    test('carries out a deletion in its turn', async () => {
      const { log } = await create()
      await Promise.all([
        log.append('s1', 0, someEntries(0, 2)),
        log.delete('s1'),
        log.append('s1', 0, someEntries(0, 1, 'anew')),
      ])
      expect(await log.read('s1')).toEqual(someEntries(0, 1, 'anew'))
    })

    test.runIf(writers === 'many')(
      'sees what another one appended, and goes on from there',
      async () => {
        const { log, again } = await create()
        const other = await again()
        await log.append('s1', 0, someEntries(0, 1))
        await other.append('s1', 1, someEntries(1, 2))
        expect(await log.read('s1', 1)).toEqual(someEntries(1, 2))
        await log.append('s1', 2, someEntries(2, 3))
        expect(await other.read('s1')).toEqual(someEntries(0, 3))
      },
    )

    test('changes nothing when an append is empty', async () => {
      const { log } = await create()
      await log.append('s1', 0, [])
      expect(await log.list()).toEqual([])
      await expect(log.append('s1', 1, [])).rejects.toMatchObject({ code: 'LOG_CONFLICT' })
    })

    test('lists what it holds', async () => {
      const { log } = await create()
      await log.append('s1', 0, someEntries(0, 1))
      await log.append('s1', 1, someEntries(1, 3))
      expect(await log.list()).toEqual([
        { session: 's1', version: 3, openedAt: 1000, changedAt: 1002 },
      ])
    })

    test('forgets a session that is deleted, and takes a new one of its name', async () => {
      const { log, again } = await create()
      await log.append('s1', 0, someEntries(0, 3))
      await log.delete('s1')
      expect(await log.read('s1')).toEqual([])
      expect(await log.list()).toEqual([])
      await log.append('s1', 0, someEntries(0, 1, 'anew'))
      expect(await (await again()).read('s1')).toEqual(someEntries(0, 1, 'anew'))
    })

    test('keeps definitions by hash', async () => {
      const { log, again } = await create()
      const definition = { name: 'search', schema: { type: 'object' } }
      await log.definitions.put(textHash('a'), definition)
      await log.definitions.put(textHash('a'), definition)
      await log.definitions.put(textHash('null'), null)
      await log.append('s1', 0, someEntries(0, 1))
      for (const one of [log, await again()]) {
        expect(await definitionOf(one, textHash('a'))).toEqual(definition)
        expect(await definitionOf(one, textHash('null'))).toBeNull()
        expect(await definitionOf(one, textHash('b'))).toBeUndefined()
        expect(await one.definitions.has(textHash('null'))).toBe(true)
        expect(await one.definitions.has(textHash('b'))).toBe(false)
      }
    })

    test('reads many definitions at once, and leaves out those it does not have', async () => {
      const { log, again } = await create()
      const hashes = Array.from({ length: 300 }, (_, index) => textHash(`${index}`))
      const [unknown] = hashes
      for (const [index, hash] of hashes.entries()) {
        if (hash !== unknown) await log.definitions.put(hash, index)
        // The others are not in the store yet.
        if (index === 200) await log.append('s1', 0, someEntries(0, 1))
      }
      const all = hashes.flatMap((hash, index) =>
        hash === unknown ? [] : [[hash, index] as const],
      )
      expect(await log.definitions.get(hashes)).toEqual(new Map(all))
      expect(await log.definitions.get([])).toEqual(new Map())
      const written = await (await again()).definitions.get(hashes.slice(0, 201))
      expect(written).toEqual(new Map(all.slice(0, 200)))
    })

    test('prunes old sessions and what no other session refers to, and only reports it at first', async () => {
      const { log, again } = await create()
      if (sessions === 'one') return
      const private_ = { name: 'private', instructions: 'The word is xyzzy.' }
      const [old, kept, inner, listing] = ['old', 'kept', 'inner', 'listing'].map(textHash)
      await log.definitions.put(old as ContentHash, private_)
      await log.definitions.put(kept as ContentHash, { name: 'kept', file: inner as string })
      await log.definitions.put(inner as ContentHash, { name: 'inner' })
      await log.definitions.put(listing as ContentHash, { skills: [] })
      await log.append('s1', 0, someEntries(0, 2, old))
      await log.append('s2', 0, someEntries(0, 3, `${kept} ${listing}`))
      const request = { changedBefore: 1002 }
      const bytes = Buffer.byteLength(JSON.stringify(private_))
      const report = { sessions: ['s1'], definitions: 1, bytes }
      const other = await again()
      expect(await other.prune({ ...request, dryRun: true })).toEqual(report)
      expect(await definitionOf(log, old)).toEqual(private_)
      expect(await log.read('s1')).toHaveLength(2)
      expect(await other.prune(request)).toEqual(report)
      expect(await log.read('s1')).toEqual([])
      expect(await definitionOf(log, old)).toBeUndefined()
      for (const hash of [kept, inner, listing]) {
        expect(await definitionOf(log, hash)).toBeDefined()
      }
      expect(await other.prune(request)).toEqual({ sessions: [], definitions: 0, bytes: 0 })
    })

    test('prunes sessions with their parents and children, when all of them are old', async () => {
      const { log, again } = await create()
      if (sessions === 'one') return
      const tree = [
        { session: 'a', parent: null, at: 1 },
        { session: 'a child', parent: 'a', at: 1 },
        { session: 'a grandchild', parent: 'a child', at: 9 },
        { session: 'b', parent: null, at: 9 },
        { session: 'b child', parent: 'b', at: 1 },
        { session: 'c', parent: null, at: 1 },
        { session: 'c child', parent: 'c', at: 2 },
        { session: 'child of one that was deleted', parent: 'gone', at: 1 },
        // As a fork of a child: its first entry is that of another session.
        { session: 'd', opened: 'b child', parent: 'b', at: 1 },
        // Only an imported log can have them.
        { session: 'x', parent: 'y', at: 1 },
        { session: 'y', parent: 'x', at: 1 },
      ]
      for (const { session, opened = session, parent, at } of tree) {
        const [hash, link] = [textHash(session), parent && { session: parent, call: null }]
        await log.definitions.put(hash, session)
        const event = { type: 'session.opened', session: opened, format: 1, parent: link, hash }
        await log.append(session, 0, [{ seq: 0, at, cause: { by: 'host' }, event: event as never }])
      }
      const old = ['c', 'c child', 'child of one that was deleted', 'd', 'x', 'y']
      const other = await again()
      const planned = await other.prune({ changedBefore: 5, dryRun: true })
      expect(planned.sessions.toSorted()).toEqual(old)
      const report = await other.prune({ changedBefore: 5 })
      expect({ ...report, sessions: report.sessions.toSorted() }).toEqual({
        ...planned,
        sessions: old,
        definitions: old.length,
      })
      const left = tree.map(({ session }) => session).filter((session) => !old.includes(session))
      expect((await log.list()).map(({ session }) => session).toSorted()).toEqual(left)
      for (const session of left) {
        expect(await definitionOf(log, textHash(session))).toBe(session)
      }
    })

    test('keeps what others write while it is pruned', async () => {
      const { log, again } = await create()
      if (sessions === 'one') return
      const texts = Array.from({ length: 2_500 }, (_, index) => textHash(`unused ${index}`))
      for (const hash of texts) await log.definitions.put(hash, hash)
      await log.append('s1', 0, someEntries(0, 2_500))
      await log.append('s2', 0, someEntries(0, 1))
      const other = await again()
      const over = new AbortController()
      const pruning = other.prune().finally(() => over.abort())
      const written: string[] = []
      for (let at = 0; !over.signal.aborted; at += 1) {
        const hash = textHash(`new ${at}`)
        await log.definitions.put(hash, at)
        // In sessions that were looked at already, and in ones that were not.
        const session = `s${1 + (at % 3)}`
        const version = (await log.read(session)).length
        await log.append(session, version, someEntries(version, version + 1, hash))
        written.push(hash)
        await nextTurn()
      }
      expect(await pruning).toMatchObject({ sessions: [], definitions: texts.length })
      for (const hash of written) {
        expect(await definitionOf(other, hash)).toBeDefined()
      }
      expect(await definitionOf(other, texts[0])).toBeUndefined()
    })

    test('says after the next append that definitions were pruned', async () => {
      const { log, again } = await create()
      if (sessions === 'one') return
      await log.append('s1', 0, someEntries(0, 1))
      const { epoch } = log.definitions
      await log.append('s1', 1, someEntries(1, 2))
      expect(log.definitions.epoch).toBe(epoch)
      await (await again()).prune()
      await log.append('s1', 2, someEntries(2, 3))
      expect(log.definitions.epoch).not.toBe(epoch)
    })

    test('writes definitions without an append when it is asked to', async () => {
      const { log, again } = await create()
      if (log.definitions.epoch === undefined) return
      const hash = textHash('flushed')
      await log.append('s1', 0, someEntries(0, 1))
      await log.definitions.put(hash, { name: 'flushed' })
      await log.definitions.flush?.()
      await log.definitions.flush?.()
      expect(await definitionOf(await again(), hash)).toEqual({ name: 'flushed' })
    })

    test.each([
      { changedBefore: '2000-01-01' },
      { changedBefore: new Date(0) },
      { changedBefore: NaN },
      { dryRun: 'no' },
      { olderThan: 5 },
    ])('refuses to prune by %j, and deletes nothing', async (request) => {
      const { log } = await create()
      await log.append('s1', 0, someEntries(0, 1))
      await expect(log.prune(request as PruneRequest)).rejects.toMatchObject({
        code: 'OPTIONS_INVALID',
      })
      expect(await log.read('s1')).toEqual(someEntries(0, 1))
    })

    test('lists all sessions up to any great number, and refuses a number that is not whole', async () => {
      const { log } = await create()
      await log.append('s1', 0, someEntries(0, 1))
      for (const limit of [1, Infinity, 1e20]) expect(await log.list({ limit })).toHaveLength(1)
      expect(await log.list({ limit: 0 })).toEqual([])
      for (const limit of [-1, 1.5, NaN]) {
        await expect(log.list({ limit })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
      }
    })

    test.runIf(sessions === 'many')(
      'lists pages, the session that changed last first',
      async () => {
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
    )

    test('has the definitions it was given after a session was deleted', async () => {
      const { log, again } = await create()
      await log.definitions.put(textHash('a'), 1)
      await log.append('s1', 0, someEntries(0, 1))
      await log.delete('s1')
      expect(await definitionOf(log, textHash('a'))).toBe(1)
      await log.append('s2', 0, someEntries(0, 1))
      expect(await definitionOf(await again(), textHash('a'))).toBe(1)
    })

    test('shares nothing with those who write and read', async () => {
      const { log } = await create()
      type Changeable = readonly { at: number }[]
      const entries = structuredClone(someEntries(0, 1)) as Changeable
      const definition = { name: 'search' }
      await log.definitions.put(textHash('a'), definition)
      await log.append('s1', 0, entries as unknown as readonly Entry[])
      const [read] = (await log.read('s1')) as Changeable
      for (const entry of [entries[0], read]) if (entry) entry.at = -1
      definition.name = 'changed'
      const got = (await definitionOf(log, textHash('a'))) as { name: string }
      expect(got).toEqual({ name: 'search' })
      got.name = 'changed'
      expect(await definitionOf(log, textHash('a'))).toEqual({ name: 'search' })
      expect(await log.read('s1')).toEqual(someEntries(0, 1))
    })

    test('carries any text and any JSON unchanged', async () => {
      const { log, again } = await create()
      let version = 0
      const odd = fc.string({ unit: 'binary' })
      await fc.assert(
        fc.asyncProperty(odd, fc.jsonValue(), async (component, value) => {
          const state = JSON.parse(JSON.stringify(value)) as never
          const entry: Entry = {
            seq: version,
            at: 0,
            cause: { by: 'user' },
            event: { type: 'component.updated', component, state },
          }
          await log.append('s1', version, [entry])
          expect(await (await again()).read('s1', version)).toEqual([entry])
          version += 1
        }),
        { numRuns: 30 },
      )
    })

    test.each(['__proto__', 'constructor', 'a/b\\..', '\u{1F600}\n'])(
      'takes %j for the name of a session',
      async (session) => {
        const { log, again } = await create()
        await log.append(session, 0, someEntries(0, 1))
        expect(await (await again()).read(session)).toEqual(someEntries(0, 1))
      },
    )

    test('keeps the latest snapshot of a format, where it keeps any', async () => {
      const { log, again } = await create()
      await log.append('s1', 0, someEntries(0, 5))
      const snapshots = (await again()).snapshots
      if (log.snapshots === undefined || snapshots === undefined) return
      const texts = ['{"a":"\u0000\u{1F600}"}', 'two', 'three'] as const
      await log.snapshots.put('s1', { seq: 1, format: 'a', text: texts[1] })
      await log.snapshots.put('s1', { seq: 3, format: 'a', text: texts[0] })
      expect(await snapshots.latest('s1', 'a')).toEqual({ seq: 3, format: 'a', text: texts[0] })
      expect(await snapshots.latest('s1', 'a', 2)).toEqual({ seq: 1, format: 'a', text: texts[1] })
      expect(await snapshots.latest('s1', 'a', 0)).toBeUndefined()
      expect(await snapshots.latest('s1', 'c')).toBeUndefined()
      expect(await snapshots.latest('s2', 'a')).toBeUndefined()
      await log.snapshots.put('s1', { seq: 3, format: 'a', text: 'anew' })
      expect(await snapshots.latest('s1', 'a')).toMatchObject({ text: 'anew' })
      await log.snapshots.put('s1', { seq: 4, format: 'b', text: texts[2] })
      expect(await snapshots.latest('s1', 'b')).toMatchObject({ seq: 4 })
      expect(await snapshots.latest('s1', 'a')).toMatchObject({ seq: 3 })
      // Only the two newest are kept, whatever their formats.
      expect(await snapshots.latest('s1', 'a', 2)).toBeUndefined()
      await log.delete('s1')
      expect(await snapshots.latest('s1', 'a')).toBeUndefined()
      await log.snapshots.put('s1', { seq: 1, format: 'a', text: 'of nothing' })
      expect(await snapshots.latest('s1', 'a')).toBeUndefined()
    })

    test.runIf(follows)(
      'notifies the followers of a session of each change, by this process or another',
      async () => {
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
    )

    test.runIf(follows)(
      'notifies of no other session, and of none after it was stopped',
      async () => {
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
    )

    test.runIf(sessions === 'many')('keeps sessions apart', async () => {
      const { log } = await create()
      await log.append('s2', 0, someEntries(0, 2, 'two'))
      await log.append('s1', 0, someEntries(0, 1, 'one'))
      expect(await log.read('s1')).toEqual(someEntries(0, 1, 'one'))
      expect((await log.list()).map(({ session }) => session)).toEqual(['s2', 's1'])
      await log.delete('s1')
      expect(await log.read('s2')).toEqual(someEntries(0, 2, 'two'))
    })
  })
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
