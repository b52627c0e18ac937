import { expect, test, vi } from 'vitest'

test('the example of durable steps makes every step twice, and pays each order back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/durable/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "4 steps, 5 processes
    Both orders were paid back.
    paid: 7, 8"
  `)
})
