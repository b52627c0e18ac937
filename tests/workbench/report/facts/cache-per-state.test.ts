import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cachePerState,
  regroup,
  type RowGroup,
} from '../../../../src/workbench/report/facts/cache-per-state.ts'
import { aPlayground } from '../../playground/a-playground.ts'

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
