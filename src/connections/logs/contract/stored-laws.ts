import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContentHash, Entry } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import { storedDefinition, type Laws, someEntries } from './event-log-case.ts'

/** The laws of definitions and snapshots, and of pruning. */
export const STORED_LAWS: Laws = {
  'keeps definitions by hash': async ({ create }, expect) => {
    const { log, again } = await create()
    const definition = { name: 'search', schema: { type: 'object' } }
    await log.definitions.put(textHash('a'), definition)
    await log.definitions.put(textHash('a'), definition)
    await log.definitions.put(textHash('null'), null)
    await log.append('s1', 0, someEntries(0, 1))
    for (const one of [log, await again()]) {
      expect(await storedDefinition(one, textHash('a'))).toEqual(definition)
      expect(await storedDefinition(one, textHash('null'))).toBeNull()
      expect(await storedDefinition(one, textHash('b'))).toBeUndefined()
      expect(await one.definitions.has(textHash('null'))).toBe(true)
      expect(await one.definitions.has(textHash('b'))).toBe(false)
    }
  },

  'reads many definitions at once, and leaves out those it does not have': async (
    { create },
    expect,
  ) => {
    const { log, again } = await create()
    const hashes = Array.from({ length: 300 }, (_, index) => textHash(`${index}`))
    const [unknown] = hashes
    for (const [index, hash] of hashes.entries()) {
      if (hash !== unknown) await log.definitions.put(hash, index)
      // The others are not in the store yet.
      if (index === 200) await log.append('s1', 0, someEntries(0, 1))
    }
    const all = hashes.flatMap((hash, index) => (hash === unknown ? [] : [[hash, index] as const]))
    expect(await log.definitions.get(hashes)).toEqual(new Map(all))
    expect(await log.definitions.get([])).toEqual(new Map())
    const written = await (await again()).definitions.get(hashes.slice(0, 201))
    expect(written).toEqual(new Map(all.slice(0, 200)))
  },

  'prunes old sessions and what no other session refers to, and only reports it at first': async (
    { create, sessions },
    expect,
  ) => {
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
    expect(await storedDefinition(log, old)).toEqual(private_)
    expect(await log.read('s1')).toHaveLength(2)
    expect(await other.prune(request)).toEqual(report)
    expect(await log.read('s1')).toEqual([])
    expect(await storedDefinition(log, old)).toBeUndefined()
    for (const hash of [kept, inner, listing]) {
      expect(await storedDefinition(log, hash)).toBeDefined()
    }
    expect(await other.prune(request)).toEqual({ sessions: [], definitions: 0, bytes: 0 })
  },

  'prunes sessions with their parents and children, when all of them are old': async (
    { create, sessions },
    expect,
  ) => {
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
      expect(await storedDefinition(log, textHash(session))).toBe(session)
    }
  },

  'keeps what others write while it is pruned': async ({ create, sessions }, expect) => {
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
      expect(await storedDefinition(other, hash)).toBeDefined()
    }
    expect(await storedDefinition(other, texts[0])).toBeUndefined()
  },

  'says after the next append that definitions were pruned': async (
    { create, sessions },
    expect,
  ) => {
    const { log, again } = await create()
    if (sessions === 'one') return
    await log.append('s1', 0, someEntries(0, 1))
    const { epoch } = log.definitions
    await log.append('s1', 1, someEntries(1, 2))
    expect(log.definitions.epoch).toBe(epoch)
    await (await again()).prune()
    await log.append('s1', 2, someEntries(2, 3))
    expect(log.definitions.epoch).not.toBe(epoch)
  },

  'writes definitions without an append when it is asked to': async ({ create }, expect) => {
    const { log, again } = await create()
    if (log.definitions.epoch === undefined) return
    const hash = textHash('flushed')
    await log.append('s1', 0, someEntries(0, 1))
    await log.definitions.put(hash, { name: 'flushed' })
    await log.definitions.flush?.()
    await log.definitions.flush?.()
    expect(await storedDefinition(await again(), hash)).toEqual({ name: 'flushed' })
  },

  'has the definitions it was given after a session was deleted': async ({ create }, expect) => {
    const { log, again } = await create()
    await log.definitions.put(textHash('a'), 1)
    await log.append('s1', 0, someEntries(0, 1))
    await log.delete('s1')
    expect(await storedDefinition(log, textHash('a'))).toBe(1)
    await log.append('s2', 0, someEntries(0, 1))
    expect(await storedDefinition(await again(), textHash('a'))).toBe(1)
  },

  'shares nothing with those who write and read': async ({ create }, expect) => {
    const { log } = await create()
    type Changeable = readonly { at: number }[]
    const entries = structuredClone(someEntries(0, 1)) as Changeable
    const definition = { name: 'search' }
    await log.definitions.put(textHash('a'), definition)
    await log.append('s1', 0, entries as unknown as readonly Entry[])
    const [read] = (await log.read('s1')) as Changeable
    for (const entry of [entries[0], read]) if (entry) entry.at = -1
    definition.name = 'changed'
    const got = (await storedDefinition(log, textHash('a'))) as { name: string }
    expect(got).toEqual({ name: 'search' })
    got.name = 'changed'
    expect(await storedDefinition(log, textHash('a'))).toEqual({ name: 'search' })
    expect(await log.read('s1')).toEqual(someEntries(0, 1))
  },

  'keeps the latest snapshot of a format, where it keeps any': async ({ create }, expect) => {
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
  },

  'loads the latest snapshot with the entries from its last one on, where it can': async (
    { create },
    expect,
  ) => {
    const { log, again } = await create()
    if (log.load === undefined) return
    expect(await log.load('s1', 'a')).toEqual({ entries: [] })
    await log.append('s1', 0, someEntries(0, 5))
    expect(await log.load('s1', 'a')).toEqual({ entries: someEntries(0, 5) })
    const snapshots = [1, 3].map((seq) => ({ seq, format: 'a', text: `{"seq":${seq},"\0":1}` }))
    for (const snapshot of snapshots) await log.snapshots?.put('s1', snapshot)
    expect(await log.load('s1', 'b')).toEqual({ entries: someEntries(0, 5) })
    const [, snapshot] = snapshots
    for (const one of [log, await again()]) {
      const loaded = await one.load?.('s1', 'a')
      expect(loaded).toEqual({ snapshot, entries: someEntries(3, 5) })
    }
    await log.append('s1', 5, someEntries(5, 6))
    expect(await log.load('s1', 'a')).toEqual({ snapshot, entries: someEntries(3, 6) })
    await log.delete('s1')
    expect(await log.load('s1', 'a')).toEqual({ entries: [] })
  },
}
