import { expect, test, vi } from 'vitest'

test('the example of the AI SDK is refused, loads a skill, is asked about, and pays back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/ai-sdk/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "offered: loadSkill, loadSkillFile, unloadSkill
    offered: loadSkill, loadSkillFile, unloadSkill
    offered: loadSkill, loadSkillFile, unloadSkill, findOrder, refund
    offered: loadSkill, loadSkillFile, unloadSkill, findOrder, refund
    asked: refund {"order":"7"}
    offered: loadSkill, loadSkillFile, unloadSkill, findOrder, refund
    Order 7 was paid back.
    #4 refund refused: skill-inactive
    #6 loadSkill called
    #10 findOrder called
    #14 approved
    #15 refund called"
  `)
})
