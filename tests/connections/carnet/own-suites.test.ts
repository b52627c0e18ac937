import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { CARNET_VERSIONS } from '../../../scripts/carnet/carnet-versions.ts'
import { deliberateDifferences } from '../../../scripts/carnet/deliberate-differences.ts'
import { runSuite } from '../../../scripts/carnet/run-suite.ts'

const differences = deliberateDifferences(readFileSync('docs/migrating-from-carnet.md', 'utf8'))

test.for(CARNET_VERSIONS)(
  "of Carnet's own tests of $version, those fail that the page lists, and no others",
  ({ version }, { skip }) => {
    const clone = resolve('.fetched', 'carnet', version)
    skip(!existsSync(join(clone, 'tests')), 'Carnet is not fetched: npm run carnet')
    const { passed, failed } = runSuite(clone)
    const listed = differences.filter(({ versions }) => versions.includes(version))
    expect(failed).toEqual(listed.map(({ test: name }) => name).toSorted())
    expect(passed).toBeGreaterThan(100)
  },
)

test('every difference that the page lists names a version, a file and a test', () => {
  expect(differences.length).toBeGreaterThan(0)
  const known = CARNET_VERSIONS.map(({ version }) => String(version))
  for (const { versions, test: name } of differences) {
    expect(known).toEqual(expect.arrayContaining([...versions]))
    expect(name).toMatch(/^.+\.test\.ts: ./)
  }
})
