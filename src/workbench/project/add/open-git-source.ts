import { join } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { runProgram, withoutCredentials } from './run-program.ts'
import { checkedFiles, type SourceFile, type SourceFiles } from './source-files.ts'

/** Settings that leave git no other program to run, and no further repository to fetch. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  'protocol.ssh.allow=always',
  'protocol.git.allow=always',
  'protocol.file.allow=always',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.fsckObjects=true',
  'transfer.bundleURI=false',
  // Larger files are not read into memory at once.
  'core.bigFileThreshold=16m',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LFS_SKIP_SMUDGE: '1',
  LC_ALL: 'C',
}

/** A reference that no option, range or second reference hides in. */
const PLAIN_REF = /^(?!.*\.\.)(?!.*@\{)[A-Za-z0-9_][\w./+-]{0,199}$/u

/**
 * Fetches one commit of a repository into `folder`, without a work tree, history, submodules or hooks, and reads
 * its files from there: no filter and no link is followed. Throws `SOURCE_INVALID` for a reference that is none, and
 * `SOURCE_TOO_LARGE` when the folder then has more than `maxFileBytes`.
 */
export async function openGitSource(
  address: string,
  ref: string | undefined,
  folder: string,
  maxFileBytes?: number,
): Promise<SourceFiles> {
  if (ref !== undefined && !PLAIN_REF.test(ref)) {
    throw new WorkspaceError('SOURCE_INVALID', `"${ref}" is no branch, tag or commit.`, {
      facts: { ref },
      hint: 'Give the name of a branch or tag, or a complete commit, after the "#".',
    })
  }
  const repository = join(folder, 'repository.git')
  const git = (words: readonly string[], more: { input?: string; maxBytes?: number } = {}) =>
    runProgram('git', {
      arguments: [...SETTINGS, ...words],
      cwd: folder,
      environment: { ...ENVIRONMENT, GIT_CEILING_DIRECTORIES: folder },
      ...(maxFileBytes !== undefined && { maxFileBytes }),
      ...more,
    })
  const inside = (...words: readonly string[]) => [`--git-dir=${repository}`, ...words]
  await git(['init', '--quiet', '--bare', '--template=', '--', repository])
  const fetching = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules']
  await git(inside(...fetching, '--', address, ref ?? 'HEAD'))
  const found = await git(inside('rev-parse', '--verify', 'FETCH_HEAD^{commit}'))
  const commit = found.toString('utf8').trim()
  const listed = await git(inside('ls-tree', '-r', '-z', '--long', '--full-tree', commit), {
    maxBytes: 64 * 1024 * 1024,
  })
  const entries = listed.toString('utf8').split('\0').flatMap(treeEntry)
  return {
    origin: withoutCredentials(address),
    ...(ref !== undefined && { ref }),
    commit,
    files: checkedFiles(entries.filter(({ isFile }) => isFile)),
    leftOut: entries.flatMap(({ isFile, path }) => (isFile ? [] : [path])),
    async read(files) {
      if (files.length === 0) return []
      const size = files.reduce((sum, file) => sum + file.size + 100, 0)
      const input = files.map(({ id }) => `${id}\n`).join('')
      return readBlobs(await git(inside('cat-file', '--batch'), { input, maxBytes: size }), files)
    },
  }
}

/** Reads an entry of `git ls-tree --long`: `100644 blob <id>   <size>\t<path>`. */
function treeEntry(line: string): readonly (SourceFile & { readonly isFile: boolean })[] {
  const [, mode, type, id, size, path] =
    /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/su.exec(line) ?? []
  if (mode === undefined || id === undefined || path === undefined) return []
  const isFile = type === 'blob' && mode.startsWith('100')
  return [{ path, id, size: Number(size) || 0, executable: mode === '100755', isFile }]
}

/** Reads the answer of `git cat-file --batch`: `<id> blob <size>\n<bytes>\n` for each file. */
function readBlobs(answer: Buffer, files: readonly SourceFile[]): readonly Uint8Array[] {
  let at = 0
  return files.map(({ path, size }) => {
    const end = answer.indexOf(10, at)
    const [, type, length] = answer.subarray(at, end).toString('utf8').split(' ')
    if (type !== 'blob' || Number(length) !== size) {
      throw new WorkspaceError('SOURCE_UNREADABLE', `git could not read "${path}".`, {
        facts: { path },
        hint: 'Fetch it again.',
      })
    }
    at = end + 1 + size + 1
    return new Uint8Array(answer.subarray(end + 1, end + 1 + size))
  })
}
