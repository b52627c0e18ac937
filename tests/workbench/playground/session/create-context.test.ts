import { createCatalog, createMemoryLog, VirtualWorkspace, type EventLog } from 'loadout'
import { expect, test } from 'vitest'
import { followEntries } from '../../../../src/workbench/playground/session/create-context.ts'

test('an own entry that is read before its notification is not taken for one of another process', async () => {
  const log = createMemoryLog()
  const read = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const [wasRead, wasAppended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let appended = 0
  /** After two appends, the second notification and all reads wait until they are released. */
  const slow: EventLog = {
    ...log,
    async read(...asked) {
      if (appended > 0) await read.promise
      return log.read(...asked)
    },
    async append(...given) {
      await log.append(...given)
      appended += 1
      if (appended === 1) return
      wasAppended.resolve()
      await told.promise
    },
  }
  const catalog = await createCatalog({})
  const theirs = await VirtualWorkspace.open({ catalog, log, session: 's' })
  const mine = await VirtualWorkspace.open({ catalog, log: slow, session: 's' })
  expect(appended).toBe(0)
  const { entries, foreign, stop } = await followEntries(mine, () => {
    if (entries().length === 4) wasRead.resolve()
  })
  expect(entries()).toHaveLength(1)

  await theirs.beginTurn()
  await mine.beginTurn()
  const last = mine.beginTurn()
  await wasAppended.promise
  read.resolve()
  await wasRead.promise
  expect([...foreign()]).toEqual([1, 3])
  told.resolve()
  await last
  expect([...foreign()]).toEqual([1])
  stop()
  await mine.close()
  await theirs.close()
})
