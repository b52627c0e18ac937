import { expect, test, vi } from 'vitest'

test('the ten lines for an embedder run and say what happened', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/embed/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "before: The tool "refund" is not available (skill-inactive): Skill "refunds" has not been activated since the session opened. Activate the skill "refunds".
    to change that: Activate the skill "refunds".
    entry 3 brought: refund
    paid back: 42
    now skill-inactive, because:
      #6 Skill "refunds" was deactivated because its lifetime ended."
  `)
})
