import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writePackedPages } from './pack/packed-pages.ts'
import { outsideEnvironment, PROJECT, projectFiles, runCommand } from './run-command.ts'

/** The part of `package.json` that the scripts need. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly repository?: string | { readonly url: string }
}

export function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
}

/** The names that a user may import: `loadout`, `loadout/node`, and so on, without data files. */
function importableNames({ name, exports }: PackageManifest): readonly string[] {
  return Object.keys(exports)
    .filter((subpath) => !subpath.endsWith('.json'))
    .map((subpath) => `${name}${subpath.slice(1)}`)
}

/** A packed package. */
export interface Packed {
  readonly tarball: string
  /** Paths inside the package, such as `dist/cli/main.js`. */
  readonly files: readonly string[]
  /** The bytes of the tarball. */
  readonly bytes: number
  /** The bytes of its files. */
  readonly unpackedBytes: number
}

/** Files that no part of the package comes from. */
const NOT_PACKED = /^(?:\.ci|bench|docs\/decisions|tests)\/|^examples\/.*\.test\.ts$/

/** Packages by what they were packed from. */
const PACKED = join(PROJECT, '.fetched', 'packed')

/**
 * Packs a copy of the project, as publishing it would, or takes the package that was packed from the same files.
 *
 * A copy, so that an old `dist` cannot hide a missing file, and no running program loses its `dist`.
 *
 * @param folder an empty folder, for the tarball
 * @param changed texts of files of the project that only the copy has, by path
 */
export function packProject(
  folder: string,
  changed: Readonly<Record<string, string>> = {},
): Packed {
  const paths = projectFiles(PROJECT).filter((path) => !NOT_PACKED.test(path))
  const hash = createHash('sha256').update(process.version)
  for (const path of paths) {
    hash.update(`\0${path}\0`).update(changed[path] ?? readFileSync(join(PROJECT, path)))
  }
  const kept = join(PACKED, hash.digest('hex').slice(0, 16))
  if (!existsSync(kept)) packCopy(paths, changed, kept)
  const { filename, files, size, unpackedSize } = JSON.parse(
    readFileSync(join(kept, 'packed.json'), 'utf8'),
  )
  cpSync(join(kept, filename), join(folder, filename))
  return {
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path),
    bytes: size,
    unpackedBytes: unpackedSize,
  }
}

/** Packs these files of the project. The folder gets the tarball, and what npm says of it; no other package is kept. */
function packCopy(
  paths: readonly string[],
  changed: Readonly<Record<string, string>>,
  kept: string,
): void {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'loadout-copy-'))
  for (const path of paths) {
    mkdirSync(dirname(join(temporary.path, path)), { recursive: true })
    cpSync(join(PROJECT, path), join(temporary.path, path))
  }
  for (const [path, text] of Object.entries(changed)) {
    writeFileSync(join(temporary.path, path), text)
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(temporary.path, 'node_modules'), 'junction')
  writePackedPages(temporary.path, listedFiles(temporary.path))
  mkdirSync(PACKED, { recursive: true })
  const fresh = mkdtempSync(`${kept}-packing-`)
  const { passed, stdout, output } = runCommand(
    'npm',
    ['pack', '--silent', '--json', '--pack-destination', fresh],
    { cwd: temporary.path },
  )
  if (!passed) throw new Error(`npm pack failed:\n${output}`)
  writeFileSync(join(fresh, 'packed.json'), JSON.stringify(JSON.parse(stdout)[0]))
  for (const other of readdirSync(PACKED)) {
    const isFinished = /^[\da-f]+$/.test(other) && join(PACKED, other) !== kept
    if (isFinished) rmSync(join(PACKED, other), { recursive: true, force: true })
  }
  renameInto(fresh, kept)
}

/** Returns the files that npm would pack of a folder that is not built. */
function listedFiles(folder: string): readonly string[] {
  const options = { cwd: folder }
  const listed = ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts']
  const { passed, stdout, output } = runCommand('npm', listed, options)
  if (!passed) throw new Error(`npm pack failed:\n${output}`)
  return JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
}

/** Moves a folder to its place, unless another process was first. */
export function renameInto(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(fresh, { recursive: true })
  }
}

/** The licences of the packages whose code is part of the bundle: they require it. */
const LICENCES = 'THIRD-PARTY.md'

/** Patterns of all files that the package may have. */
const WELCOME = [
  /^bin\/[^/]+\.js$/,
  /^dist\/.+\.(js|d\.ts)$/,
  /^docs\/[^/]+\.(md|svg)$/,
  /^skills\/[^/]+\/SKILL\.md$/,
  /^examples\/[^/]+\/.*(?<!\.test\.ts|\.tgz|\.sqlite|\.env)$/,
]

/** The schema of scenario files, for editors. */
const SCENARIO_SCHEMA = 'dist/scenario.schema.json'

const EXPECTED = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  LICENCES,
  SCENARIO_SCHEMA,
]

/** Returns the files of the package that should not be there, and those that are missing. */
export function wrongContents(
  files: readonly string[],
  { bin, exports }: PackageManifest,
): readonly string[] {
  const targets = [...Object.values(bin), ...Object.values(exports).flatMap(exportTargets)]
  const expected = new Set([...EXPECTED, ...targets.map((path) => path.replace(/^\.\//, ''))])
  return [
    ...files
      .filter((file) => !expected.has(file) && !WELCOME.some((pattern) => pattern.test(file)))
      .map((file) => `${file} has no place in the package. Leave it out of "files".`),
    ...[...expected]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing from the package.`),
  ]
}

function exportTargets(target: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target)
}

/** Optional peers that a subpath cannot be imported without. */
export const NEEDED_PEERS = ['ai', '@ai-sdk/provider', '@opentelemetry/api', 'ink', 'pg', 'react']

/** The peers of all that is tried and recorded, so that one installation serves it. */
export const ALL_PEERS = [
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/provider',
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  'ai',
  'ink',
  'openai',
  'pg',
  'react',
]

/**
 * Installs a tarball with these peers in a folder next to it, once for all programs that ask for it.
 *
 * @param peers names of packages; they get the versions that this project is developed with
 *
 * @returns the folder; projects in it can import the package
 */
export function installTarball(tarball: string, peers: readonly string[]): string {
  const sorted = peers.toSorted()
  // A digest: the names of all peers together are too long for a name of a folder.
  const name = createHash('sha256').update(sorted.join(' ')).digest('hex').slice(0, 12)
  const folder = join(dirname(tarball), `with-${name}`)
  if (existsSync(folder)) return folder
  const { dependencies, devDependencies } = readManifest()
  const versions = sorted.map((peer) => `${peer}@${dependencies[peer] ?? devDependencies[peer]}`)
  const fresh = mkdtempSync(join(dirname(tarball), 'installing-'))
  writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  const { passed, output } = runCommand('npm', ['install', ...options, tarball, ...versions], {
    cwd: fresh,
    env: outsideEnvironment(),
  })
  if (!passed) throw new Error(`npm install of the tarball failed:\n${output}`)
  renameInto(fresh, folder)
  return folder
}

/** The result of using an installed package. */
interface Trial {
  /** Such as `v24.21.0`. */
  readonly node: string
  /** One line for each use. */
  readonly done: readonly string[]
  readonly problems: readonly string[]
}

/**
 * Imports every subpath of the installed package and runs its command.
 *
 * @param user the folder in which it is installed
 *
 * @param node how to start Node: a program and its first arguments
 */
export function tryPackage(
  user: string,
  manifest: PackageManifest,
  [program, ...before]: readonly [string, ...string[]],
): Trial {
  const run = (...args: readonly string[]) =>
    runCommand(program, [...before, ...args], { cwd: user, env: outsideEnvironment() })
  const command = join(user, 'node_modules', manifest.name, manifest.bin['loadout'] ?? '')
  const attempts = [
    ...importableNames(manifest).map((name) => ({
      what: `import '${name}'`,
      ended: run('--input-type=module', '--eval', namesOf(name)),
      expected: (output: string) => /^[1-9]\d* names$/m.test(output),
    })),
    {
      what: 'loadout --version',
      ended: run(command, '--version'),
      expected: (output: string) => output.trim() === manifest.version,
    },
    {
      what: 'loadout --help',
      ended: run(command, '--help'),
      expected: (output: string) => /usage/i.test(output),
    },
  ].map(({ what, ended, expected }) => ({
    what,
    output: ended.output.trim(),
    good: ended.passed && expected(ended.stdout),
  }))
  return {
    node: run('--version').stdout.trim(),
    done: attempts.filter(({ good }) => good).map(({ what }) => what),
    problems: attempts
      .filter(({ good }) => !good)
      .map(({ what, output }) => `${what} did not work:\n${output}`),
  }
}

function namesOf(name: string): string {
  return `console.log(Object.keys(await import('${name}')).length + ' names')`
}
