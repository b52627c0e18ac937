import type { ApprovalStore, ApprovedTool } from 'loadout'
import { expect, test } from 'vitest'
import { textHash } from '../../../src/kernel/content-hash.ts'

export const APPROVED: ApprovedTool = {
  principal: 'ann',
  source: 'global',
  owner: 'global',
  tool: 'refund',
  hash: textHash('one'),
}

/** The contract of every approval store. */
export function approvalStoreContract(name: string, open: () => Promise<ApprovalStore>): void {
  test(`${name}: has what was put, once or twice, until it is removed`, async () => {
    const store = await open()
    expect(await store.has(APPROVED)).toBe(false)
    await store.put(APPROVED)
    await store.put(APPROVED)
    expect(await store.has(APPROVED)).toBe(true)
    expect(await store.remove(APPROVED)).toBe(true)
    expect(await store.has(APPROVED)).toBe(false)
    expect(await store.remove(APPROVED)).toBe(false)
  })

  test.each<Partial<ApprovedTool>>([
    { principal: 'bob' },
    { principal: null },
    { principal: 'null' },
    { source: 'skill' },
    { owner: 'billing' },
    { tool: '__proto__' },
    { tool: 'refund"' },
    { hash: textHash('two') },
  ])(`${name}: an approval is for nothing that differs in %o`, async (other) => {
    const store = await open()
    await store.put(APPROVED)
    expect(await store.has({ ...APPROVED, ...other })).toBe(false)
    await store.put({ ...APPROVED, ...other })
    expect(await store.has({ ...APPROVED, ...other })).toBe(true)
    expect(await store.has(APPROVED)).toBe(true)
  })

  test(`${name}: removing a tool removes it with each of its definitions, and no other tool`, async () => {
    const store = await open()
    const later = { ...APPROVED, hash: textHash('two') }
    const other = { ...APPROVED, tool: 'ship' }
    for (const one of [APPROVED, later, other]) await store.put(one)
    const { hash: _, ...subject } = APPROVED
    expect(await store.remove(subject)).toBe(true)
    expect(await Promise.all([APPROVED, later, other].map((one) => store.has(one)))).toEqual([
      false,
      false,
      true,
    ])
  })

  test(`${name}: what is put and removed at once does not undo what it is not about`, async () => {
    const store = await open()
    const tools = ['a', 'b', 'c', 'd', 'e', 'f'].map((tool) => ({ ...APPROVED, tool }))
    await store.put(APPROVED)
    await Promise.all([...tools.map((tool) => store.put(tool)), store.remove(APPROVED)])
    expect(await store.has(APPROVED)).toBe(false)
    for (const tool of tools) expect(await store.has(tool)).toBe(true)
  })
}
