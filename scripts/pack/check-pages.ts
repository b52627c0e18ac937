import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deadLinks } from './dead-links.ts'
import { packedPage, packedPages, type PublishedAt } from './packed-pages.ts'
import { repositoryFiles } from './repository-files.ts'

/** The repository that the package is made from. */
interface Repository {
  readonly folder: string
  readonly files: readonly string[]
  readonly manifest: PublishedAt
}

/** The result of the check, with what was looked at. */
interface PagesReport {
  readonly links: number
  readonly problems: readonly string[]
  readonly summary: string
}

/** Stands for a repository, as long as `package.json` names none. */
const MADE_UP = 'https://github.com/example/loadout'

/**
 * Checks the links and pictures of the pages of a package in both forms: the packed one, and the one with another
 * `repository`: with one where `package.json` has none, without one where it has.
 *
 * @param folder the unpacked package
 * @param files its files
 */
export function checkPages(
  folder: string,
  files: readonly string[],
  { folder: source, files: sources, manifest }: Repository,
): PagesReport {
  const pages = packedPages(files)
  const repository = { files: sources, read: readerIn(source) }
  const address = repositoryFiles(manifest)
  const packed = deadLinks(pages, { files, read: readerIn(folder), repository, address })
  const { version } = manifest
  const other =
    address === undefined ? repositoryFiles({ version, repository: MADE_UP }) : undefined
  const rewritten = new Map(
    pages.map((page) => [page, packedPage(page, repository.read(page) ?? '', files, other)]),
  )
  const read = (path: string) => rewritten.get(path) ?? repository.read(path)
  const otherwise = deadLinks(pages, { files, read, repository, address: other })
  const problems = [
    ...packed.problems,
    ...otherwise.problems.map((problem) =>
      address === undefined ? `With a repository: ${problem}` : `Without a repository: ${problem}`,
    ),
  ]
  const { links, pictures, elsewhere } = packed
  return {
    links,
    problems,
    summary:
      `${links} links and ${pictures} pictures of ${pages.length} pages, ${packed.problems.length} of them dead ` +
      `(${elsewhere} lead to other sites), ${otherwise.links} links ${address === undefined ? 'with' : 'without'} a repository, ` +
      `${otherwise.problems.length} of them dead`,
  }
}

function readerIn(folder: string): (path: string) => string | null {
  return (path) => {
    const file = join(folder, path)
    return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : null
  }
}
