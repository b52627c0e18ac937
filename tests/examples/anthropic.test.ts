import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

test('the example of Anthropic loads a skill in the conversation, is asked about a call, and pays back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/anthropic/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "tools: loadSkill, loadSkillFile, unloadSkill; new messages: user (text)
    tools: loadSkill, loadSkillFile, unloadSkill; new messages: assistant (tool_use), user (tool_result), user (text), system (tool_addition findOrder, tool_addition refund)
    tools: loadSkill, loadSkillFile, unloadSkill; new messages: assistant (tool_use), user (tool_result)
    A person is asked about refund {"order":"7"}, and says yes.
    tools: loadSkill, loadSkillFile, unloadSkill; new messages: assistant (tool_use), user (tool_result)
    Order 7 was paid back."
  `)
})

test('it has at most 25 lines of its own', () => {
  const text = readFileSync(new URL('../../examples/anthropic/main.ts', import.meta.url), 'utf8')
  const own = text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
  expect(own.length).toBeLessThanOrEqual(25)
})
