import { expect, test } from 'vitest'
import { createCatalog, createMemoryLog, VirtualWorkspace } from '../../../../src/entries/index.ts'
import { inTreeOrder, sessionTree } from '../../../../src/workbench/cli/opening/session-tree.ts'

const DEEP = 20_000

test('children follow their parents, also thousands of levels deep', () => {
  const rows = Array.from({ length: DEEP }, (_, index) => {
    return { session: `s${index}`, parent: index === 0 ? null : `s${index - 1}` }
  })
  const placed = inTreeOrder([...rows].reverse())
  expect(placed).toEqual(rows.map((row, depth) => ({ row, depth })))
})

test('siblings stay in the order in which they are given, each with those below it', () => {
  const rows = [
    { session: 'b2', parent: 'b' },
    { session: 'a', parent: null },
    { session: 'b', parent: 'not there' },
    { session: 'a1', parent: 'a' },
    { session: 'b1', parent: 'b' },
    { session: 'a11', parent: 'a1' },
  ]
  const placed = inTreeOrder(rows).map(({ row, depth }) => `${row.session} ${depth}`)
  expect(placed).toEqual(['a 0', 'a1 1', 'a11 2', 'b 0', 'b2 1', 'b1 1'])
})

test('sessions that say they are parents of each other, or of themselves, are listed', () => {
  const rows = [
    { session: 'a', parent: 'b' },
    { session: 'b', parent: 'a' },
    { session: 'own', parent: 'own' },
    { session: 'c', parent: null },
  ]
  const placed = inTreeOrder(rows).map(({ row, depth }) => `${row.session} ${depth}`)
  expect(placed).toEqual(['c 0', 'a 0', 'b 1', 'own 0'])
})

test('the tree of sessions in a circle has each of them once', async () => {
  const catalog = await createCatalog({ skills: [] })
  const log = createMemoryLog()
  for (const [session, parent] of [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['d', 'd'],
  ] as const) {
    const own = createMemoryLog()
    const workspace = await VirtualWorkspace.open({ catalog, log: own, session })
    await workspace.close()
    const entries = (await own.read(session)).map((entry) =>
      entry.event.type === 'session.opened'
        ? { ...entry, event: { ...entry.event, parent: { session: parent, call: null } } }
        : entry,
    )
    await log.append(session, 0, entries)
  }
  expect((await sessionTree(log, 'a')).toSorted()).toEqual(['a', 'b', 'c'])
  expect(await sessionTree(log, 'd')).toEqual(['d'])
})
