import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { priceTable } from '../../examples/mcp/prices.ts'

test('the example of servers attaches one with a skill, and removes it with the skill', async () => {
  const lines: string[] = []
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...words: string[]) => void lines.push(words.join(' ')))
  await import('../../examples/mcp/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "before: loadSkill, loadSkillFile, unloadSkill
    added: tickets_list, tickets_open
    the request has more tokens: true
    Opened: The printer is on fire.
    The arguments of "tickets_open" are not valid: /title: is required. Correct the arguments and call it again.
    It was registered as a tool of the server "tickets" along with "support".
    after: loadSkill, loadSkillFile, unloadSkill"
  `)
})

test('the prices of a server that a skill brings are those of the page', async () => {
  const page = readFileSync('docs/server-in-a-skill.md', 'utf8')
  const plain = (text: string) => text.replaceAll(/ +/gu, ' ').replaceAll(/-{2,}/gu, '---')
  const [tools = '', table = ''] = (await priceTable()).split('\n\n')
  expect(page).toContain(`a server with ${tools}`)
  expect(plain(page)).toContain(plain(table))
})
