import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT, projectFiles } from '../../scripts/run-command.ts'

const files = projectFiles(PROJECT)

/** Returns the texts in backticks of a page, outside of code blocks. */
function quoted(page: string): readonly string[] {
  const text = readFileSync(join(PROJECT, page), 'utf8').replace(/^```[^]*?^```/gm, '')
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words)
}

/** Returns true when a file has that path, or is in that folder; `*` is any part of a name. */
function isThere(path: string): boolean {
  const pattern = new RegExp(`^${parts(path)}${path.endsWith('/') ? '' : '$'}`)
  return files.some((file) => pattern.test(file))
}

/** Returns true when a file of any folder has that name. */
function isNamed(name: string): boolean {
  const pattern = new RegExp(`(^|/)${parts(name)}$`)
  return files.some((file) => pattern.test(file))
}

function parts(pattern: string): string {
  return pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')
}

test('every file and folder that CONTRIBUTING.md names is there', () => {
  const named = quoted('CONTRIBUTING.md').filter((words) => /^[\w*/.-]+(\.tsx?|\/)$/.test(words))
  expect(named.length).toBeGreaterThan(100)
  const missing = named.filter((name) =>
    name.includes('/') ? !isThere(name) && !isThere(`src/${name}`) : !isNamed(name),
  )
  expect(missing).toEqual([])
})

test('every path of this repository that another document names is there', () => {
  const pages = files.filter((file) => /^[^/]+\.md$|^docs\/.*\.md$/.test(file))
  const named = pages.flatMap((page) =>
    quoted(page)
      .filter((words) => /^(src|tests|scripts|examples|bench|docs)\/[\w*/.-]+$/.test(words))
      .map((path) => ({ page, path })),
  )
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ path }) => !isThere(path) && !isThere(`${path}/`))
  expect(missing).toEqual([])
})
