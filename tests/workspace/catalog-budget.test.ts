import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  recordedOptions,
  VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'

test('a budget of the workspace holds for each prompt, is overridden by one of a request, and is found in the log', async () => {
  const skills = Array.from({ length: 30 }, (_, at) =>
    defineSkill({ name: `skill-${at}`, description: 'Does one of many things in a shop. Use it.' }),
  )
  const catalog = await createCatalog({ skills })
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', catalogBudget: 300 })
  const small = workspace.prompt().text
  const full = workspace.prompt({ catalogBudget: 4000 }).text
  expect(small.length).toBeLessThan(full.length)
  const plain = await VirtualWorkspace.open({ catalog })
  expect(plain.prompt({ catalogBudget: 300 }).text).toBe(small)
  expect(plain.prompt().text).toBe(full)

  // Also to a reader that has another budget, before the first step and after it.
  const looked = async () => {
    const entries = await log.read('s')
    const recorded = await recordedOptions(log, entries, catalog)
    const reader = await VirtualWorkspace.open({
      catalog,
      ...recorded,
      log,
      session: 's',
      readOnly: true,
    })
    return reader.prompt(reader.state.prompt).text
  }
  expect(await looked()).toBe(small)
  await workspace.beginStep({})
  expect(await looked()).toBe(small)
  expect(workspace.state.prompt).toEqual(plain.state.prompt)
  await workspace.beginStep({ catalogBudget: 4000 })
  expect(await looked()).toBe(full)
  await workspace.close()
  await plain.close()
})
