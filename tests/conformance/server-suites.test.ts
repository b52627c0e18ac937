import { expect, test } from 'vitest'
import { serverSuites } from '../../scripts/conformance/server-suites.ts'

test('the command passes every scored scenario of the conformance suites for servers', async () => {
  const results = await serverSuites()
  expect(results.map(({ name, found }) => `${name}: ${found}`)).toMatchInlineSnapshot(`
    [
      "server: public names only: 6 of 6 files",
      "server: 2025-11-25: 30 of 30 scored scenarios",
      "server: 2026-07-28: 37 of 37 scored scenarios",
      "server: sep-2640-skills-enumeration: 32/32, 0 failed, 0 warnings",
      "server: sep-2640-skills-manifest: 6/6, 0 failed, 0 warnings",
      "server: sep-2640-skills-directory: 7/7, 0 failed, 0 warnings",
    ]
  `)
  expect(results.every(({ passed }) => passed)).toBe(true)
})
