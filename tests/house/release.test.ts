import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare } from 'semver'
import { describe, expect, test } from 'vitest'
import {
  cutChangelog,
  datedSections,
  unreleasedChanges,
} from '../../scripts/release/cut-changelog.ts'
import { missingSettings } from '../../scripts/release/missing-settings.ts'
import { readArguments } from '../../scripts/release/read-arguments.ts'
import { versionedFiles } from '../../scripts/release/versioned-files.ts'
import { PROJECT, projectEnvironment, runProgram } from '../../scripts/run-command.ts'

const CHANGELOG = `# Changelog

## Unreleased

### Added

- A door.

## 0.2.0 - 2026-11-20

### Fixed

- A lock.

## 0.1.0 - 2026-11-10

- Walls.
`

test('the changelog of this project has its versions in order, none above that of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  const sections = datedSections(readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8'))
  expect(sections.length).toBeGreaterThan(1)
  expect(compare(sections[0]?.version ?? '', version)).toBeLessThanOrEqual(0)
})

describe('the cut', () => {
  const cut = { version: '0.3.0', date: '2026-11-29' }

  test('gives the changes of "Unreleased" to the version, and leaves the rest', () => {
    expect(cutChangelog(CHANGELOG, cut)).toBe(
      CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n## 0.3.0 - 2026-11-29\n'),
    )
    expect(unreleasedChanges(CHANGELOG)).toBe('### Added\n\n- A door.')
  })

  test('twice is an error: nothing is left to release', () => {
    expect(() => cutChangelog(cutChangelog(CHANGELOG, cut), { ...cut, version: '0.4.0' })).toThrow(
      'no change under "## Unreleased"',
    )
  })

  test.each([
    ['a version that is there', CHANGELOG, '0.2.0', 'has 0.2.0 already'],
    ['a version below', CHANGELOG, '0.1.5', 'the next version cannot be 0.1.5'],
    [
      'no section for changes',
      CHANGELOG.replace('## Unreleased', '## Next'),
      '0.3.0',
      'no "## Unreleased"',
    ],
    [
      'a version without a date',
      CHANGELOG.replace(' - 2026-11-20', ''),
      '0.3.0',
      '"## 0.2.0" is no version',
    ],
    [
      'a date that is none',
      CHANGELOG.replace('2026-11-20', '2026-13-45'),
      '0.3.0',
      'is no version with its date',
    ],
    [
      'versions in another order',
      CHANGELOG.replace('0.2.0', '0.0.9'),
      '0.3.0',
      '0.0.9 is above 0.1.0',
    ],
    [
      'dates in another order',
      CHANGELOG.replace('2026-11-10', '2026-11-21'),
      '0.3.0',
      '0.2.0 is above 0.1.0',
    ],
  ])('of a changelog with %s is an error', (_, text, version, message) => {
    expect(() => cutChangelog(text, { ...cut, version })).toThrow(message)
  })
})

test('a version is set in a repository without writing to it', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-release-test-'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    })
  const lock = {
    name: 'small',
    version: '0.2.0',
    packages: { '': { name: 'small', version: '0.2.0' }, 'node_modules/a': { version: '0.2.0' } },
  }
  const files = {
    'package.json': `${JSON.stringify({ name: 'small', version: '0.2.0' }, null, 2)}\n`,
    'package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
    'CHANGELOG.md': CHANGELOG,
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder.path, path), text)
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'Begin')

  const changed = versionedFiles(folder.path, '0.3.0', '2026-11-29')
  expect(git('status', '--porcelain')).toBe('')

  for (const [path, text] of Object.entries(changed)) writeFileSync(join(folder.path, path), text)
  expect(git('diff', '--unified=0').match(/^[-+](?![-+]).*/gm)).toEqual([
    '+## 0.3.0 - 2026-11-29',
    '+',
    ...['-', '+'].map((sign) => `${sign}  "version": "0.${sign === '-' ? 2 : 3}.0",`),
    ...['-', '+'].map((sign) => `${sign}      "version": "0.${sign === '-' ? 2 : 3}.0"`),
    ...['-', '+'].map((sign) => `${sign}  "version": "0.${sign === '-' ? 2 : 3}.0"`),
  ])
})

describe('the arguments', () => {
  test.each([
    [[], '0.3.0', '0.2.0', '0.3.0', 'latest'],
    [['minor'], '0.2.0', '0.2.0', '0.3.0', 'latest'],
    [['1.0.0-beta.1'], '0.2.0', '0.2.0', '1.0.0-beta.1', 'beta'],
    [['prerelease'], '0.1.0-alpha.5', '0.1.0-alpha.5', '0.1.0-alpha.6', 'alpha'],
    [['0.2.1', '--tag', 'old'], '0.2.0', '0.2.0', '0.2.1', 'old'],
    [[], '0.1.0', undefined, '0.1.0', 'latest'],
  ])('%j at %s, after %s, is %s as %s', (args, current, newest, version, distTag) => {
    expect(readArguments(args, current, newest)).toMatchObject({ version, distTag, isDry: false })
  })

  test.each([
    [['--dry'], "Unknown option '--dry'"],
    [['0.3.0', '0.4.0'], 'Name one version, not 2.'],
    [['0.3'], '"0.3" is no version. Write one such as 1.2.3'],
    [['v0.3.0'], '"v0.3.0" is no version.'],
    [['big'], '"big" is no version.'],
    [['0.2.0'], '0.2.0 is not above 0.2.0'],
    [[], '0.2.0 is in the changelog already. Name the next version'],
    [['0.3.0', '--tag', '1.0.0'], '"1.0.0" cannot be a dist-tag'],
    [['0.3.0-rc.1', '--tag', 'latest'], '0.3.0-rc.1 is a pre-release'],
  ])('%j are an error: %s', (args, message) => {
    expect(() => readArguments(args, '0.2.0', '0.2.0')).toThrow(message)
  })

  test('that are wrong end the command with the usage, before anything is packed', async () => {
    const main = join(PROJECT, 'scripts/release/main.ts')
    const options = { cwd: PROJECT, env: projectEnvironment() }
    const { code, stdout, stderr } = await runProgram(process.execPath, [main, '0.0.1'], options)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('0.0.1 is not above')
    expect(stderr).toContain('Usage: npm run release --')
  })
})

describe('the settings', () => {
  const complete = {
    version: '1.0.0',
    license: 'MIT',
    repository: { url: 'git+https://github.com/ada/engine.git' },
    homepage: 'https://example.org',
    bugs: { url: 'https://example.org/bugs' },
    publishConfig: { provenance: true },
  }

  test.each([
    [complete, []],
    [
      { version: '1.0.0' },
      ['repository', 'publishConfig.provenance', 'homepage', 'bugs', 'license'],
    ],
    [{ ...complete, repository: 'https://git.example.org/a/b' }, ['repository']],
    [{ ...complete, publishConfig: { provenance: false } }, ['publishConfig.provenance']],
    [{ ...complete, private: true }, ['private']],
  ])('%j lack %j', (manifest, expected) => {
    const missing = missingSettings(manifest)
    expect(missing.map(({ setting }) => setting)).toEqual(expected)
    expect(missing.every(({ command }) => command.startsWith('npm pkg '))).toBe(true)
  })
})
