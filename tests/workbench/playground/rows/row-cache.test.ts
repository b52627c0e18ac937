import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cachePerState,
  regroup,
  rowCache,
  type RowGroup,
} from '../../../../src/workbench/playground/rows/row-cache.ts'
import { aPlayground } from '../a-playground.ts'

describe('cache per state', () => {
  test('a value is computed once for a state and arguments, and again for others', async () => {
    const { workspace } = await aPlayground()
    let reads = 0
    const count = cachePerState((reader, word: string) => {
      reads += 1
      return `${word} ${reader.tools().length}`
    })
    expect(count(workspace, 'a')).toBe(count(workspace, 'a'))
    expect(reads).toBe(1)
    count(workspace, 'b')
    expect(reads).toBe(2)
    await workspace.activateSkill('music')
    count(workspace, 'b')
    expect(reads).toBe(3)
  })
})

describe('regroup', () => {
  interface Row {
    readonly title: string
  }

  const by = (folded: readonly string[] = []) => ({
    titleOf: ({ title }: Row) => title,
    idOf: (title: string) => `group ${title}`,
    folded,
  })

  const A1: Row = { title: 'a' }

  const A2: Row = { title: 'a' }

  const B1: Row = { title: 'b' }

  const C1: Row = { title: 'c' }

  test('scattered rows are put under one heading, at the place of the first', () => {
    expect(regroup([A1, B1, A2], by(['group b']), [])).toEqual([
      { id: 'group a', title: 'a', folded: false, rows: [A1, A2] },
      { id: 'group b', title: 'b', folded: true, rows: [B1] },
    ])
  })

  test('an unchanged group is the same object, wherever it is now', () => {
    const before = regroup([A1, A2, B1, C1], by(), [])
    const [a, b, c] = before
    expect(regroup([B1, C1], by(), before)[1]).toBe(c)
    const after = regroup([A1, B1, C1], by(['group c']), before)
    expect(after[0]).not.toBe(a)
    expect(after[1]).toBe(b)
    expect(after[2]).toEqual({ ...c, folded: true })
  })

  test('whatever was before, the groups are those of a plain grouping', () => {
    const rows = fc.array(fc.constantFrom(A1, A2, B1, C1), { maxLength: 8 })
    fc.assert(
      fc.property(rows, rows, fc.subarray(['group a', 'group b']), (first, second, folded) => {
        const before = regroup(first, by(), [])
        const plain = [...Map.groupBy(second, ({ title }) => title)].map(
          ([title, its]): RowGroup<Row> => ({
            id: `group ${title}`,
            title,
            folded: folded.includes(`group ${title}`),
            rows: its,
          }),
        )
        expect(regroup(second, by(folded), before)).toEqual(plain)
      }),
    )
  })
})

describe('row cache', () => {
  interface Listing {
    readonly name: number
  }

  const ALL: readonly Listing[] = Array.from({ length: 200 }, (_, name) => ({ name }))

  const rowOf = ({ name }: Listing) => ({ name })

  test('an unchanged listing keeps its row when others before it change', () => {
    const keep = rowCache<object, Listing, Listing>()
    const owner = {}
    const before = keep(owner, ALL.slice(0, 10), rowOf)
    const after = keep(owner, [{ name: 300 }, ...ALL.slice(2, 12)], rowOf)
    expect(after[0]).toEqual({ name: 300 })
    expect(after[1]).toBe(before[2])
    expect(after[8]).toBe(before[9])
  })

  test('another owner has rows of its own', () => {
    const keep = rowCache<object, Listing, Listing>()
    const [row] = keep({}, ALL.slice(0, 1), rowOf)
    expect(keep({}, ALL.slice(0, 1), rowOf)[0]).not.toBe(row)
  })

  test('whatever was listed before, each listing has the row made of it', () => {
    const lists = fc.array(fc.shuffledSubarray([...ALL]), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(lists, (listed) => {
        const keep = rowCache<object, Listing, Listing>()
        const owner = {}
        for (const one of listed) expect(keep(owner, one, rowOf)).toEqual(one)
      }),
    )
  })

  const FEW = ALL.slice(0, 4)

  test('whatever was listed before, every row is that of its listing', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...FEW]), fc.shuffledSubarray([...FEW]), (first, second) => {
        const keep = rowCache<object, Listing, Listing>()
        const owner = {}
        keep(owner, first, rowOf)
        expect(keep(owner, second, rowOf)).toEqual(second)
      }),
    )
  })

  test('listings that keep their order keep their rows, wherever others come and go', () => {
    fc.assert(
      fc.property(fc.subarray([...FEW]), fc.subarray([...FEW]), (first, second) => {
        const keep = rowCache<object, Listing, Listing>()
        const owner = {}
        const before = new Set(keep(owner, first, rowOf))
        const after = keep(owner, second, rowOf)
        expect(after.map((row) => before.has(row))).toEqual(
          second.map((one) => first.includes(one)),
        )
      }),
    )
  })
})
