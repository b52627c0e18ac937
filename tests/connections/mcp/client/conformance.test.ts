import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  runClientSuites,
  runSkillScenarios,
} from '../../../../scripts/conformance/client-suites.ts'
import { readModule } from '../../../../scripts/rooms/read-module.ts'
import { PROJECT } from '../../../../scripts/run-command.ts'

test('a program that only uses loadout/mcp passes every scored scenario for clients, in both revisions', async () => {
  // The OAuth of the SDK is a function that makes requests.
  expect(importsOf('client-program.ts')).toEqual(['loadout', 'loadout/mcp', './oauth-fetch.ts'])
  expect(await runClientSuites()).toEqual([
    { revision: '2025-11-25', scored: 18, failed: [], unscored: 7 },
    { revision: '2026-07-28', scored: 32, failed: [], unscored: 7 },
  ])
})

test('a program that only uses loadout/mcp reads skills of a server when they are needed, and none that differ from the list', () => {
  expect(importsOf('skills-program.ts')).toEqual(['loadout', 'loadout/mcp'])
  const results = runSkillScenarios()
  expect(results.map(({ found }) => found)).toEqual(
    Array.from({ length: 4 }, () => '1/1, 0 failed, 0 warnings'),
  )
  expect(results.filter(({ passed }) => !passed)).toEqual([])
})

function importsOf(program: string): readonly string[] {
  const file = `scripts/conformance/${program}`
  const { imports } = readModule(file, readFileSync(join(PROJECT, file), 'utf8'))
  return imports.map(({ specifier }) => specifier)
}
