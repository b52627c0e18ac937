import {
  copyFileSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { inspectPackage } from '../pack/inspect-package.ts'
import { PROJECT, runCommand, runProgram, projectEnvironment } from '../run-command.ts'
import { packProject } from '../try-package.ts'
import { datedSections, unreleasedChanges } from './cut-changelog.ts'
import { missingSettings } from './missing-settings.ts'
import { readArguments, type ReleaseOrder, USAGE } from './read-arguments.ts'
import { versionedFiles } from './versioned-files.ts'

/**
 * `npm run release`: does everything for a release but publish it. Version and changelog are set in a copy, which is
 * built, packed and checked; the working tree changes when all of it has passed, and never with `--dry-run`.
 */
const changelog = readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8')

const order = readOrder()

const { version, distTag, isDry, skipsGates } = order

const changed = versionedFiles(PROJECT, version, new Date().toISOString().slice(0, 10))

const manifest = JSON.parse(changed['package.json'] ?? '')

const missing = missingSettings(manifest)

const uncommitted = runCommand('git', ['status', '--porcelain']).stdout.split('\n').filter(Boolean)

if (!isDry) {
  if (missing.length > 0) stop('Settings are missing:', settings())
  if (uncommitted.length > 0) stop('Commit these files first:', uncommitted)
}

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-release-'))

console.log(`Packing ${manifest.name}@${version} ...`)

const packed = packProject(folder.path, changed)

const problems = skipsGates ? [] : await runGates()

const entries = Object.keys(manifest.exports)
  .filter((subpath) => !subpath.endsWith('.json'))
  .map((subpath) => `${manifest.name}${subpath.slice(1)}`)

const changes = unreleasedChanges(changelog)

const rows = [
  ['package', `${manifest.name}@${version}`],
  ['dist-tag', distTag],
  [
    'tarball',
    `${basename(packed.tarball)}, ${packed.bytes} bytes, ${packed.unpackedBytes} unpacked`,
  ],
  ['files', `${packed.files.length}`],
  ['entries', `${entries.length}: ${entries.join(', ')}`],
  ['changes', `${changes.match(/^- /gm)?.length ?? 0}, ${changes.split(/\s+/).length} words`],
  ['gates', skipsGates ? 'not run' : `${problems.length} problems`],
  ['settings', missing.length === 0 ? 'complete' : `${missing.length} missing`],
  [
    'git',
    uncommitted.length === 0 ? 'nothing uncommitted' : `${uncommitted.length} files uncommitted`,
  ],
]

console.log(`\n${isDry ? 'This would be published:' : 'This is to be published:'}`)

for (const [name = '', text = ''] of rows) console.log(`  ${name.padEnd(10)}${text}`)

for (const line of settings()) console.log(line)

if (problems.length > 0) {
  console.error(['The gates found problems. Nothing was changed:', ...problems].join('\n'))
  process.exitCode = 1
} else if (isDry) console.log('\nNothing was changed or published.')
else finish()

function readOrder(): ReleaseOrder {
  try {
    const current = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version
    const newest = datedSections(changelog)[0]?.version
    return readArguments(process.argv.slice(2), current, newest)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(2)
  }
}

function stop(message: string, lines: readonly string[]): never {
  console.error([message, ...lines].join('\n'))
  process.exit(1)
}

function settings(): readonly string[] {
  return missing.flatMap(({ setting, why, command }) => [
    `  missing   ${setting}: ${why}`,
    `            ${command}`,
  ])
}

/** Inspects the tarball, and runs every check of the project but that of the package. */
async function runGates(): Promise<readonly string[]> {
  const inspection = await inspectPackage(folder.path, packed, manifest)
  console.log(inspection.summary)
  const checks = await runProgram(
    process.execPath,
    [join(PROJECT, 'scripts/check.ts'), '--skip', 'package'],
    { cwd: PROJECT, env: projectEnvironment() },
  )
  console.log(checks.stdout)
  return [...inspection.problems, ...(checks.code === 0 ? [] : [checks.stderr])]
}

/** Keeps the tarball, writes the version and the changelog, and prints what is left to do. */
function finish(): void {
  const kept = join('.fetched', 'release', basename(packed.tarball))
  mkdirSync(join(PROJECT, '.fetched', 'release'), { recursive: true })
  copyFileSync(packed.tarball, join(PROJECT, kept))
  for (const [path, text] of Object.entries(changed)) writeFileSync(join(PROJECT, path), text)
  console.log(`
The tarball is ${kept}. ${Object.keys(changed).join(', ')} have the new version. Links of its pages lead to the tag, so push it first:

  git commit --all --message "Release ${version}"
  git tag v${version}
  git push --follow-tags origin HEAD v${version}
  npm publish ${kept} --tag ${distTag}`)
}
