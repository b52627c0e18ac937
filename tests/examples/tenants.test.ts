import { expect, test, vi } from 'vitest'

test('the example of tenants gives each session the skills of its tenant, also in the next process', async () => {
  const lines: string[] = []
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...words: string[]) => void lines.push(words.join(' ')))
  await import('../../examples/tenants/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "The name "support" belongs to a skill of the catalog.
    acme has returns, support
    active: Skill "returns" was registered in this session by the host; its tools are not trusted. Skill "returns" was activated by the host.
    label of order 7
    The name "support" belongs to a skill of the catalog.
    No skill is named "returns".
    globex has greetings, support"
  `)
})
