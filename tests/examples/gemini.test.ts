import { expect, test, vi } from 'vitest'

test('the example of Gemini loads a skill, is asked about a call, and pays back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/gemini/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "tools: loadSkill, loadSkillFile, unloadSkill; new parts: text
    tools: loadSkill, loadSkillFile, unloadSkill, findOrder, refund; new parts: functionCall, functionResponse, text
    tools: loadSkill, loadSkillFile, unloadSkill, findOrder, refund; new parts: functionCall, functionResponse
    A person is asked about refund {"order":"7"}, and says yes.
    tools: loadSkill, loadSkillFile, unloadSkill, findOrder, refund; new parts: functionCall, functionResponse
    Order 7 was paid back."
  `)
})
