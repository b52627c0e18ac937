import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { RENAMED } from '../../scripts/upgrade/renamed.ts'
import { GROUPS, membersIn } from './workspace-groups.ts'

const DEPRECATED_MEMBERS = 'src/workspace/deprecated-members.ts'

const members = membersIn('src/workspace/virtual-workspace.ts', 'VirtualWorkspace')

const deprecated = membersIn(DEPRECATED_MEMBERS, 'DeprecatedMembers')

const rows = RENAMED.filter(({ of }) => of === 'VirtualWorkspace')

test(`a workspace has ${members.length} public members, at most 58 with its groups`, () => {
  expect(members.length).toBeLessThanOrEqual(58)
  expect(members).toEqual(expect.arrayContaining(GROUPS.map(({ group }) => group)))
})

test('a workspace has exactly these members', () => {
  expect(members.toSorted()).toMatchSnapshot()
})

test.each(GROUPS)('$group has exactly these members, two or more', ({ names }) => {
  expect(names.length).toBeGreaterThanOrEqual(2)
  expect(names.toSorted()).toMatchSnapshot()
})

test('every deprecated member has a new name in the table, which its comment gives', () => {
  const text = readFileSync(join(PROJECT, DEPRECATED_MEMBERS), 'utf8')
  const comments = [
    ...text.matchAll(/@deprecated Use `workspace\.([\w.]+)`\. \*\/\s+readonly (\w+):/g),
  ]
  expect(comments.map(([, to, from]) => ({ from, to }))).toEqual(
    rows.map(({ from, to }) => ({ from, to })),
  )
  expect(deprecated).toEqual(rows.map(({ from }) => from))
  const moved = GROUPS.flatMap(({ group, names }) => names.map((name) => `${group}.${name}`))
  expect(moved).toEqual(expect.arrayContaining(rows.map(({ to }) => to)))
  expect(members.filter((name) => deprecated.includes(name))).toEqual([])
})

test('sources, documents and examples use no deprecated member', () => {
  const patterns = ['src/**/*.{ts,tsx}', 'docs/**/*.md', 'examples/**/*.{ts,tsx,md}', 'README.md']
  const files = globSync(patterns, { cwd: PROJECT })
  expect(files.length).toBeGreaterThan(100)
  const old = new RegExp(`\\bworkspace\\.(?:${deprecated.join('|')})\\b(?!\\.)`)
  expect(files.filter((file) => old.test(readFileSync(join(PROJECT, file), 'utf8')))).toEqual([])
})
