import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

test('the example of OpenAI loads a skill in the conversation, is asked about a call, and pays back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/openai/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "tools: loadSkill, loadSkillFile, unloadSkill; new items: user
    tools: loadSkill, loadSkillFile, unloadSkill; new items: function_call, function_call_output, user, additional_tools (findOrder, refund)
    tools: loadSkill, loadSkillFile, unloadSkill; new items: function_call, function_call_output
    A person is asked about refund {"order":"7"}, and says yes.
    tools: loadSkill, loadSkillFile, unloadSkill; new items: function_call, function_call_output
    Order 7 was paid back."
  `)
})

test('it has at most 25 lines of its own', () => {
  const text = readFileSync(new URL('../../examples/openai/main.ts', import.meta.url), 'utf8')
  const own = text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
  expect(own.length).toBeLessThanOrEqual(25)
})
