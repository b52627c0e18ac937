import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageName, resolveImport } from '../../scripts/rooms/room-of.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'
import { PROJECT } from '../../scripts/run-command.ts'

test('no file outside of the adapter names OpenTelemetry, not even for its types', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT })
  const naming = files.filter((path) =>
    readModule(path, readFileSync(join(PROJECT, path), 'utf8')).imports.some(
      ({ specifier }) =>
        resolveImport(path, specifier) === undefined &&
        packageName(specifier).startsWith('@opentelemetry/'),
    ),
  )
  expect(naming.length).toBeGreaterThan(1)
  expect(naming.filter((path) => !path.startsWith('src/connections/wires/otel/'))).toEqual([])
})
