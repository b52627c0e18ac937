import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT, projectFiles } from '../../scripts/run-command.ts'

const files = projectFiles(PROJECT)

/** What stands in backticks on a page, outside of blocks of code. */
function quoted(page: string): readonly string[] {
  const text = readFileSync(join(PROJECT, page), 'utf8').replace(/^```[^]*?^```/gm, '')
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words)
}

/** Whether a file has that path, or lies in that folder; `*` stands for a part of a name. */
function isThere(path: string): boolean {
  const pattern = new RegExp(`^${parts(path)}${path.endsWith('/') ? '' : '$'}`)
  return files.some((file) => pattern.test(file))
}

/** Whether some file is called that, wherever it is. */
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
