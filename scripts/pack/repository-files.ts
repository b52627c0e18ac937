import type { PublishedAt } from './packed-pages.ts'

/** Returns the address of a file of the repository, as its host shows it. */
export type FileAddress = (path: string, as: 'page' | 'folder' | 'picture') => string

/** The part of an address between the repository and the version, by host. */
const HOSTS: Readonly<Record<string, Readonly<Record<Parameters<FileAddress>[1], string>>>> = {
  'github.com': { page: 'blob', folder: 'tree', picture: 'raw' },
  'gitlab.com': { page: '-/blob', folder: '-/tree', picture: '-/raw' },
}

/**
 * Returns the addresses of the files of a version, at its tag. Without `repository` in `package.json` there are none.
 *
 * @throws when the host is one whose addresses are not known
 */
export function repositoryFiles({ version, repository }: PublishedAt): FileAddress | undefined {
  if (repository === undefined) return undefined
  const given = typeof repository === 'string' ? repository : repository.url
  const url = given
    .replace(/^github:|^(?=[\w.-]+\/[\w.-]+$)/, 'https://github.com/')
    .replace(/^gitlab:/, 'https://gitlab.com/')
    .replace(/^git\+/, '')
    .replace(/\.git$|\/$/, '')
  const host = URL.parse(url)?.host ?? ''
  const parts = HOSTS[host]
  if (parts === undefined) {
    throw new Error(
      `The addresses of files at "${given}" are not known. Hosts: ${Object.keys(HOSTS).join(', ')} (scripts/pack/repository-files.ts).`,
    )
  }
  return (path, as) => `${url}/${parts[as]}/v${version}/${path}`
}
