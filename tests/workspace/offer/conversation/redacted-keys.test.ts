import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'

const history = Array.from({ length: 20 }, (_, index) => ({
  role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${index}.`,
}))

async function sentKeys(prefixes: readonly string[]) {
  const instructions = 'Say please.'
  const skill = defineSkill({ name: 'vault', description: 'Opens it.', instructions, tools: [] })
  const catalog = await createCatalog({ skills: [skill] })
  const workspace = await VirtualWorkspace.open({ catalog, redact: { prefixes } })
  await workspace.activateSkill('vault')
  await workspace.beginStep({ history })
  const { cost } = await workspace.beginStep({ history })
  const { sent } = workspace.state.conversation
  return { keys: (sent ?? []).map(([key]) => key), isKept: cost.kept === cost.previous }
}

test('keys of messages that look like secrets are kept, because the next step compares them', async () => {
  const { keys } = await sentKeys(['no-such-prefix'])
  const prefixes = keys.map((key) => key.slice(0, 3))
  expect(await sentKeys(prefixes)).toEqual({ keys, isKept: true })
})
