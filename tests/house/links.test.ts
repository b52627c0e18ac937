import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFiles } from '../../scripts/run-command.ts'

const project = join(import.meta.dirname, '..', '..')

/** Text of others, whose links may lead to files that were not copied. */
const FOREIGN = /^tests\/(?:corpus|corpus-evals|recorded\/projects)\/|public-skills\//

const pages = projectFiles(project).filter((path) => path.endsWith('.md') && !FOREIGN.test(path))

/** Returns a page without its code, where brackets and hashes have another meaning. */
function prose(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/\r/g, '')
  let fence = ''
  const lines = text.split('\n').filter((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    else return false
    return mark === ''
  })
  return lines.join('\n')
}

/** Returns GitHub's names of the headings of a page; a repeated heading gets a number. */
function anchors(path: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const names = new Set<string>()
  for (const [, heading = ''] of prose(path).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
    const name = words.trim().replaceAll(' ', '-')
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    names.add(times === 0 ? name : `${name}-${times}`)
  }
  return names
}

const links = pages.flatMap((page) =>
  [
    ...prose(join(project, page))
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, link = '']) => ({ page, link }))
    .filter(({ link }) => !/^[a-z]+:/.test(link)),
)

function problem({ page, link }: { page: string; link: string }): string | null {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(project, page) : join(project, dirname(page), path)
  if (!existsSync(target)) return `${page}: ${link} leads to no file`
  if (anchor === undefined || statSync(target).isDirectory()) return null
  return anchors(target).has(anchor) ? null : `${page}: ${link} names no heading of its page`
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
