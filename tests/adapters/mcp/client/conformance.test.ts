import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runClientSuites } from '../../../../scripts/conformance/client-suites.ts'
import { readModule } from '../../../../scripts/rooms/read-module.ts'
import { PROJECT } from '../../../../scripts/run-command.ts'

const PROGRAM = 'scripts/conformance/client-program.ts'

test('a program that only uses loadout/mcp passes every scored scenario for clients, in both revisions', async () => {
  const { imports } = readModule(PROGRAM, readFileSync(join(PROJECT, PROGRAM), 'utf8'))
  // The OAuth of the SDK is a function that makes requests.
  const used = ['loadout', 'loadout/mcp', './oauth-fetch.ts']
  expect(imports.map(({ specifier }) => specifier)).toEqual(used)
  expect(await runClientSuites()).toEqual([
    { revision: '2025-11-25', scored: 18, failed: [], unscored: 7 },
    { revision: '2026-07-28', scored: 32, failed: [], unscored: 7 },
  ])
})
