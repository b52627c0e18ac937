import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { resolveOptions } from '../walk/load-options.ts'
import { readInside } from '../walk/read-inside.ts'
import { walkFolders } from '../walk/walk-folders.ts'
import { openArchive } from './open-archive.ts'
import { openGitSource } from './open-git-source.ts'
import { runProgram } from './run-program.ts'
import { checkedFiles, type SourceFile, type SourceFiles } from './source-files.ts'

/**
 * Opens the place that an address names, uses it, and removes what was fetched:
 *
 * - a folder, or a `.tgz` file;
 * - a git repository: `https://…`, `ssh://…`, `git://…`, `file://…`, `git@host:path` or `github:owner/name`;
 * - a package of npm: `npm:name`, `name` or `@scope/name`, with a version after `@`.
 *
 * A `#` after the address of a repository is followed by a branch, a tag or a commit. Nothing that is fetched runs.
 * Throws `SOURCE_INVALID` for any other address.
 */
export async function withSource<Result>(
  given: string,
  cwd: string,
  use: (source: SourceFiles) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loadout-source-')))
  try {
    return await use(await openSource(given, cwd, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const GIT_ADDRESS =
  /^(?:(?:https?|ssh|git|file):\/\/[^\s-]\S*|[\w.][\w.-]*@[\w][\w.-]*:[^\s-]\S*|github:[\w.-]+\/[\w.-]+)$/u

const PACKAGE =
  /^(?:npm:)?(?<name>(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:@(?<version>[\w.^~+-]+))?$/u

async function openSource(given: string, cwd: string, folder: string): Promise<SourceFiles> {
  const [address = '', ...refs] = given.split('#')
  const ref = refs.length === 0 ? undefined : refs.join('#')
  if (GIT_ADDRESS.test(address)) {
    const [, name] = /^github:(.+)$/u.exec(address) ?? []
    return openGitSource(
      name === undefined ? address : `https://github.com/${name}.git`,
      ref,
      folder,
    )
  }
  const path = resolve(cwd, given)
  const stats = address.startsWith('npm:') ? null : await stat(path).catch(() => null)
  if (stats?.isDirectory()) return openFolder(path, cwd)
  if (stats?.isFile() && /\.t(?:ar\.)?gz$/iu.test(path)) {
    return openArchive(path, { origin: storedOrigin(path, cwd) })
  }
  const local = resolve(cwd, address)
  if (ref !== undefined && (await stat(join(local, '.git')).catch(() => null)) !== null) {
    const source = await openGitSource(local, ref, folder)
    return { ...source, origin: storedOrigin(local, cwd) }
  }
  const { name, version } = PACKAGE.exec(given)?.groups ?? {}
  if (name !== undefined && stats === null) return openPackage(name, version, folder)
  throw new WorkspaceError('SOURCE_INVALID', `"${given}" is no place to add skills from.`, {
    facts: { source: given },
    hint: 'Give a folder, a .tgz file, the address of a git repository (https://…#branch) or a package of npm (npm:name).',
  })
}

/** Downloads a package as npm does, without its scripts and its dependencies. */
async function openPackage(
  name: string,
  version: string | undefined,
  folder: string,
): Promise<SourceFiles> {
  const printed = await runProgram('npm', {
    arguments: [
      'pack',
      '--ignore-scripts',
      '--json',
      '--loglevel=error',
      `--pack-destination=${folder}`,
      '--',
      `${name}@${version ?? 'latest'}`,
    ],
    cwd: folder,
    environment: { npm_config_ignore_scripts: 'true', npm_config_update_notifier: 'false' },
  })
  const answer: unknown = JSON.parse(printed.toString('utf8'))
  const [packed] = Array.isArray(answer) ? answer : Object.values(Object(answer))
  const { filename, version: found } = Object(packed) as Record<string, unknown>
  return openArchive(join(folder, basename(String(filename))), {
    origin: `npm:${name}`,
    ...(version !== undefined && { ref: version }),
    ...(typeof found === 'string' && { commit: found }),
  })
}

async function openFolder(path: string, cwd: string): Promise<SourceFiles> {
  const root = await realpath(path)
  const options = resolveOptions({ limits: { maxFolders: 20_000 } })
  const { folders } = await walkFolders(root, options, () => true)
  const files: SourceFile[] = []
  const leftOut: string[] = []
  for (const folder of folders) {
    const isLinked = folder.path !== folder.real
    for (const entry of folder.entries) {
      const full = join(folder.path, entry.name)
      const inner = relative(root, full).split(sep).join('/')
      if (entry.isSymbolicLink()) leftOut.push(inner)
      else if (entry.isFile() && !isLinked) {
        const { size, mode } = await stat(full)
        files.push({ path: inner, size, executable: (mode & 0o111) !== 0, id: full })
      }
    }
  }
  return {
    origin: storedOrigin(path, cwd),
    files: checkedFiles(files),
    leftOut,
    async read(wanted) {
      return Promise.all(wanted.map((file) => readWanted(root, file)))
    },
  }
}

async function readWanted(root: string, { id, path, size }: SourceFile): Promise<Uint8Array> {
  const read = await readInside(root, id, { maxBytes: size, followLinksOut: false })
  if (read.ok) return read.bytes
  throw new WorkspaceError('SOURCE_UNREADABLE', `"${path}" cannot be read. ${read.fault.message}`, {
    facts: { path },
    hint: read.fault.hint,
  })
}

/** Returns a path as a lock stores it: relative to the project, with `/`, so that it is the same on each machine. */
function storedOrigin(path: string, cwd: string): string {
  const inner = relative(cwd, path).split(sep).join('/')
  return inner === '' ? '.' : inner.startsWith('..') ? inner : `./${inner}`
}
