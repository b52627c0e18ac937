import { expect, test, vi } from 'vitest'

test('the example of durable steps makes every step twice, and pays each order back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/durable/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "step 1: 3 messages, 1 calls recorded
    step 2: 5 messages, 2 calls recorded
    step 3: 7 messages, 3 calls recorded
    step 4: 8 messages, 3 calls recorded
    Both orders were paid back.
    paid: 7, 8"
  `)
})
