import { entryHash } from '../../../entries/log.ts'
import type { Entry } from '../../../entries/index.ts'
import { type Laws, someEntries } from './event-log-case.ts'

/** Texts that stores get wrong. */
const ODD_TEXTS = [
  '',
  '\0',
  'it\'s "quoted" \\ %s ?',
  'line\r\nbreak\u2028\u2029',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  'e\u0301 is not \u00e9',
  '\u202Eright to left',
  '-- ; DROP TABLE entry',
  'x'.repeat(20_000),
]

/** The laws of appending, reading and deleting. */
export const ENTRY_LAWS: Laws = {
  'gives back what was appended, in order, also to one who opens it again': async (
    { create },
    expect,
  ) => {
    const { log, again } = await create()
    await log.append('s1', 0, someEntries(0, 3))
    await log.append('s1', 3, someEntries(3, 5))
    expect(await log.read('s1')).toEqual(someEntries(0, 5))
    expect(await (await again()).read('s1')).toEqual(someEntries(0, 5))
  },

  'reads from any entry on': async ({ create }, expect) => {
    const { log } = await create()
    await log.append('s1', 0, someEntries(0, 5))
    expect(await log.read('s1', 3)).toEqual(someEntries(3, 5))
    expect(await log.read('s1', 5)).toEqual([])
    expect(await log.read('s1', 99)).toEqual([])
  },

  'reads from any entry up to any other': async ({ create }, expect) => {
    const { log, again } = await create()
    await log.append('s1', 0, someEntries(0, 5))
    for (const [from, last] of [
      [0, 2],
      [1, 1],
      [3, 99],
      [4, 2],
      [0, -1],
    ] as const) {
      const wanted = someEntries(0, 5).slice(from, last + 1)
      expect(await log.read('s1', from, last)).toEqual(wanted)
      expect(await (await again()).read('s1', from, last)).toEqual(wanted)
    }
  },

  'is empty for a session it does not know': async ({ create }, expect) => {
    const { log } = await create()
    expect(await log.read('nobody')).toEqual([])
    expect(await log.list()).toEqual([])
    await log.delete('nobody')
    await log.append('s1', 0, someEntries(0, 1))
    expect(await log.read('nobody')).toEqual([])
  },

  'refuses an append that expects another number of entries than there are': async (
    { create },
    expect,
  ) => {
    const { log } = await create()
    await log.append('s1', 0, someEntries(0, 2))
    for (const expected of [0, 1, 3]) {
      await expect(
        log.append('s1', expected, someEntries(expected, expected + 1)),
      ).rejects.toMatchObject({ code: 'LOG_CONFLICT', facts: { expected, found: 2 } })
    }
    expect(await log.read('s1')).toEqual(someEntries(0, 2))
  },

  'refuses entries whose numbers do not continue it, and takes none of them': async (
    { create },
    expect,
  ) => {
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
  },

  'refuses an entry whose time nobody could read back, and those with it': async (
    { create },
    expect,
  ) => {
    const { log } = await create()
    await log.append('s1', 0, someEntries(0, 1))
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const [first, odd, last] = someEntries(1, 4)
      const entries = [first, odd && { ...odd, at }, last].flatMap((entry) => entry ?? [])
      await expect(log.append('s1', 1, entries)).rejects.toMatchObject({
        code: 'LOG_NOT_AN_ENTRY',
        facts: { session: 's1', seq: 2 },
      })
    }
    expect(await log.read('s1')).toEqual(someEntries(0, 1))
  },

  'rejects, and does not throw, for entries that are no JSON': async ({ create }, expect) => {
    const { log } = await create()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const event = {
      type: 'component.updated',
      component: 'notes',
      state: circle as never,
    } as const
    const entries = someEntries(0, 1).map((entry) => ({ ...entry, event }))
    await expect(log.append('s1', 0, entries)).rejects.toBeInstanceOf(TypeError)
    expect(await log.read('s1')).toEqual([])
  },

  'refuses entries that follow another entry than its last one, such as that of a session that was replaced':
    async ({ create, writers = 'many' }, expect) => {
      const { log, again } = await create()
      const other = writers === 'one' ? log : await again()
      await log.append('s1', 0, someEntries(0, 2))
      const lastHash = (entries: readonly Entry[]) => entries.map(entryHash).at(-1)
      await log.append('s1', 2, someEntries(2, 3), lastHash(await log.read('s1')))
      const known = lastHash(await other.read('s1'))
      await log.delete('s1')
      await log.append('s1', 0, someEntries(0, 3, 'again'))
      const append = () => other.append('s1', 3, someEntries(3, 4), known)
      await expect(append()).rejects.toMatchObject({ code: 'LOG_CONFLICT', facts: { expected: 3 } })
      await expect(append()).rejects.toMatchObject({ code: 'LOG_CONFLICT', facts: { expected: 3 } })
      expect(await other.read('s1')).toEqual(someEntries(0, 3, 'again'))
      await other.append('s1', 3, someEntries(3, 4), lastHash(someEntries(2, 3, 'again')))
      await log.append('s1', 4, someEntries(4, 5), lastHash(someEntries(3, 4)))
      expect(await log.read('s1')).toHaveLength(5)
    },

  'lets exactly one of several racing appends win': async (
    { create, writers = 'many' },
    expect,
  ) => {
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
  },

  'takes appends in the order they were made': async ({ create }, expect) => {
    const { log } = await create()
    const appends = Array.from({ length: 10 }, (_, index) =>
      log.append('s1', index, someEntries(index, index + 1)),
    )
    await Promise.all(appends)
    expect(await log.read('s1')).toEqual(someEntries(0, 10))
  },

  'carries out a deletion in its turn': async ({ create }, expect) => {
    const { log } = await create()
    await Promise.all([
      log.append('s1', 0, someEntries(0, 2)),
      log.delete('s1'),
      log.append('s1', 0, someEntries(0, 1, 'again')),
    ])
    expect(await log.read('s1')).toEqual(someEntries(0, 1, 'again'))
  },

  'sees what another one appended, and goes on from there': async (
    { create, writers = 'many' },
    expect,
  ) => {
    if (writers === 'one') return
    const { log, again } = await create()
    const other = await again()
    await log.append('s1', 0, someEntries(0, 1))
    await other.append('s1', 1, someEntries(1, 2))
    expect(await log.read('s1', 1)).toEqual(someEntries(1, 2))
    await log.append('s1', 2, someEntries(2, 3))
    expect(await other.read('s1')).toEqual(someEntries(0, 3))
  },

  'changes nothing when an append is empty': async ({ create }, expect) => {
    const { log } = await create()
    await log.append('s1', 0, [])
    expect(await log.list()).toEqual([])
    await expect(log.append('s1', 1, [])).rejects.toMatchObject({ code: 'LOG_CONFLICT' })
  },

  'carries any text and any JSON unchanged': async ({ create }, expect) => {
    const { log, again } = await create()
    for (const [version, text] of ODD_TEXTS.entries()) {
      const state = { [text]: [text, version, null, { nested: { [text]: -0.5e-7 } }] }
      const entry: Entry = {
        seq: version,
        at: 0,
        cause: { by: 'user' },
        event: { type: 'component.updated', component: text, state },
      }
      await log.append('s1', version, [entry])
      expect(await (await again()).read('s1', version)).toEqual([entry])
    }
  },

  'takes any text for the name of a session': async ({ create }, expect) => {
    for (const session of ['__proto__', 'constructor', 'a/b\\..', '\u{1F600}\n']) {
      const { log, again } = await create()
      await log.append(session, 0, someEntries(0, 1))
      expect(await (await again()).read(session)).toEqual(someEntries(0, 1))
    }
  },

  'keeps sessions apart': async ({ create, sessions }, expect) => {
    if (sessions === 'one') return
    const { log } = await create()
    await log.append('s2', 0, someEntries(0, 2, 'two'))
    await log.append('s1', 0, someEntries(0, 1, 'one'))
    expect(await log.read('s1')).toEqual(someEntries(0, 1, 'one'))
    expect((await log.list()).map(({ session }) => session)).toEqual(['s2', 's1'])
    await log.delete('s1')
    expect(await log.read('s2')).toEqual(someEntries(0, 2, 'two'))
  },
}
