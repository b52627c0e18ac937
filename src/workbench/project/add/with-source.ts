import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { tryOrUndefined } from '../../../entries/kit.ts'
import { resolveOptions } from '../walk/load-options.ts'
import { readInside } from '../walk/read-inside.ts'
import { walkFolders } from '../walk/walk-folders.ts'
import { openArchive } from './open-archive.ts'
import { openGitSource } from './open-git-source.ts'
import { runProgram } from './run-program.ts'
import { checkedFiles, parentFolder, type SourceFile, type SourceFiles } from './source-files.ts'

/**
 * Opens the place that an address names, uses it, and removes what was fetched:
 *
 * - a folder, or a `.tgz` file;
 * - a git repository: `https://…`, `ssh://…`, `git://…`, `file://…`, `git@host:path`, `github:owner/name` or `owner/name`;
 * - a folder of a repository, or a file in it, by its address on a forge: `https://github.com/owner/name/tree/main/skills`;
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

/** A folder or file of a repository on GitHub, GitLab, Bitbucket, Gitea and others: the repository, a reference and a path. */
const FORGE_ADDRESS =
  /^(?<repository>https?:\/\/[^/\s]+\/[^/\s]+\/[^?#\s]+?)\/(?:-\/)?(?:tree|blob|raw|src\/(?:branch|tag|commit)|src)\/(?<rest>[^?#\s]+)/u

/** Parts of a path that a reference may have, such as `feature/pdf`. */
const MOST_REFERENCE_PARTS = 4

/** Opens the repository of an address on a forge. Where its reference ends and its path begins, the repository says. */
async function openForge(repository: string, rest: string, folder: string): Promise<SourceFiles> {
  const parts = rest.split('/').filter((part) => part !== '')
  const names = parts.map((part) => tryOrUndefined(() => decodeURIComponent(part)) ?? part)
  for (let length = 1; ; length += 1) {
    try {
      const source = await openGitSource(repository, names.slice(0, length).join('/'), folder)
      const path = names.slice(length).join('/')
      const isFile = source.files.some((file) => file.path === path)
      return { ...source, within: isFile ? parentFolder(path) : path }
    } catch (error) {
      if (length >= Math.min(names.length, MOST_REFERENCE_PARTS)) throw error
    }
  }
}

/** Writes an address as git takes it: with its scheme, and without what a browser adds. */
function plainAddress(given: string): string {
  return given
    .replace(
      /^(?:https?:\/\/)?(?:www\.)?(?=(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\/)/u,
      'https://',
    )
    .replace(
      /^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\//u,
      'https://github.com/$1/raw/',
    )
    .replace(/^(https?:\/\/[^?#]*)\?tab=[^#]*(?:#.*)?$/u, '$1')
}

async function openSource(written: string, cwd: string, folder: string): Promise<SourceFiles> {
  const given = plainAddress(written)
  const { repository, rest } = FORGE_ADDRESS.exec(given)?.groups ?? {}
  if (repository !== undefined && rest !== undefined) return openForge(repository, rest, folder)
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
  const { slug, skill } =
    /^(?<slug>[\w-]+\/[\w.-]+)(?:@(?<skill>[^@\s]+))?$/u.exec(address)?.groups ?? {}
  if (slug !== undefined && stats === null) {
    const source = await openGitSource(`https://github.com/${slug}.git`, ref, folder)
    return skill === undefined ? source : { ...source, skill }
  }
  const { name, version } = PACKAGE.exec(given)?.groups ?? {}
  if (name !== undefined && stats === null) return openPackage(name, version, folder)
  throw new WorkspaceError('SOURCE_INVALID', `"${given}" is no place to add skills from.`, {
    facts: { source: given },
    hint: 'Give a folder, a .tgz file, the address of a git repository (owner/name, https://…#branch) or of a folder in it (https://github.com/owner/name/tree/main/skills), or a package of npm (npm:name).',
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
