import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pageAnchors, pageLinks } from '../../scripts/pack/read-page.ts'
import { projectFiles } from '../../scripts/run-command.ts'

const project = join(import.meta.dirname, '..', '..')

/** Text of others, whose links may lead to files that were not copied. */
const FOREIGN = /^tests\/(?:corpus|corpus-evals|recorded\/projects)\/|public-skills\//

const pages = projectFiles(project).filter((path) => path.endsWith('.md') && !FOREIGN.test(path))

const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r', '')

const links = pages.flatMap((page) =>
  pageLinks(read(join(project, page)))
    .map(({ target }) => ({ page, link: target }))
    .filter(({ link }) => !/^[a-z]+:/.test(link)),
)

function problem({ page, link }: { page: string; link: string }): string | null {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(project, page) : join(project, dirname(page), path)
  if (!existsSync(target)) return `${page}: ${link} leads to no file`
  if (anchor === undefined || statSync(target).isDirectory()) return null
  return pageAnchors(read(target)).has(anchor)
    ? null
    : `${page}: ${link} names no heading of its page`
}

test('every link within the documents leads to a file and a heading', () => {
  expect(links.length).toBeGreaterThan(100)
  expect(links.flatMap((link) => problem(link) ?? [])).toEqual([])
})

test('the README leads to every page of docs', () => {
  const linked = new Set(
    links.filter(({ page }) => page === 'README.md').map(({ link }) => link.replace(/#.*/, '')),
  )
  const docs = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page))
  expect(docs.length).toBeGreaterThan(10)
  expect(docs.filter((page) => !linked.has(page))).toEqual([])
})
