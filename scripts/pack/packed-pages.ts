import { readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type FileAddress, repositoryFiles } from './repository-files.ts'
import { pageLinks } from './read-page.ts'

/** The part of `package.json` that says where the files of a version are. */
export interface PublishedAt {
  readonly version: string
  readonly repository?: string | { readonly url: string }
}

/** Text of others, which stays as they wrote it. */
const FOREIGN = /(?:^|\/)public-skills\//

/** Returns the pages among the files of the package. */
export function packedPages(files: readonly string[]): readonly string[] {
  return files.filter(
    (file) =>
      file.endsWith('.md') && /^[^/]+$|^docs\/|\/README\.md$/.test(file) && !FOREIGN.test(file),
  )
}

/**
 * Writes the pages of a copy of the project as the package has them.
 *
 * @param files the files of the package, from the folder
 */
export function writePackedPages(folder: string, files: readonly string[]): void {
  const manifest: PublishedAt = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const address = repositoryFiles(manifest)
  for (const page of packedPages(files)) {
    const path = join(folder, page)
    writeFileSync(path, packedPage(page, readFileSync(path, 'utf8'), files, address))
  }
}

/**
 * Returns a page as the package has it.
 *
 * With a repository, all links of the README are absolute, since the registry shows it without the other files, and
 * so are links of other pages to files that the package does not have. Without one there is no address to lead to: links to
 * files of the package stay unchanged, and of other links the text stays.
 *
 * @param page its path in the package
 * @param files the files of the package
 * @param address the addresses of files in the repository, if it is known
 */
export function packedPage(
  page: string,
  text: string,
  files: readonly string[],
  address: FileAddress | undefined,
): string {
  let packed = text
  for (const { target, isPicture, at, opens } of pageLinks(text).toReversed()) {
    if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target)) continue
    const [path = '', anchor] = target.split('#')
    const file = posix.join(posix.dirname(page), path).replace(/\/$/, '')
    const isFolder =
      files.some((one) => one.startsWith(`${file}/`)) || !/\.\w+$|^LICENSE$/.test(file)
    const isPacked = files.includes(file) || files.some((one) => one.startsWith(`${file}/`))
    const end = at + target.length
    if (address !== undefined && (page === 'README.md' || !isPacked)) {
      const absolute = address(file, isPicture ? 'picture' : isFolder ? 'folder' : 'page')
      packed =
        packed.slice(0, at) +
        absolute +
        (anchor === undefined ? '' : `#${anchor}`) +
        packed.slice(end)
    } else if (!isPacked && opens !== undefined) {
      const shown = packed.slice(opens + 1, at - ']('.length)
      packed =
        packed.slice(0, isPicture ? opens - 1 : opens) +
        shown +
        packed.slice(packed.indexOf(')', end) + 1)
    }
  }
  return packed
}
