import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'

const lines = readFileSync(join(PROJECT, 'README.md'), 'utf8').trimEnd().split('\n')

test('the first screen of the README has the install line, the first code and its output', () => {
  expect(lines.indexOf('npm install loadout zod')).toBeGreaterThan(0)
  expect(lines.indexOf('npm install loadout zod')).toBeLessThan(20)
  const output = lines.indexOf('```text')
  expect(output).toBeGreaterThan(lines.indexOf('```ts'))
  expect(lines.indexOf('```', output)).toBeLessThan(35)
  expect(lines.length).toBeLessThanOrEqual(150)
})
