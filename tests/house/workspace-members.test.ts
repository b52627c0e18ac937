import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from 'oxc-parser'
import { expect, test } from 'vitest'
import { readModule } from '../../scripts/rooms/read-module.ts'
import { PROJECT } from '../../scripts/run-command.ts'
import { RENAMED } from '../../scripts/upgrade/renamed.ts'

const GROUPS = ['figures', 'sessions', 'calls', 'approvals'] as const

const DEPRECATED_MEMBERS = 'src/workspace/deprecated-members.ts'

const members = membersIn('src/workspace/virtual-workspace.ts', 'VirtualWorkspace')

const groups = GROUPS.map((group) => {
  const type = `Workspace${group.charAt(0).toUpperCase()}${group.slice(1)}`
  return { group, names: membersIn(`src/workspace/groups/workspace-${group}.ts`, type) }
})

const deprecated = membersIn(DEPRECATED_MEMBERS, 'DeprecatedMembers')

const rows = RENAMED.filter(({ of }) => of === 'VirtualWorkspace')

test(`a workspace has ${members.length} public members, at most 56 with its groups`, () => {
  expect(members.length).toBeLessThanOrEqual(56)
  expect(members).toEqual(expect.arrayContaining([...GROUPS]))
  expect(members.toSorted()).toMatchSnapshot()
})

test.each(groups)('$group has exactly these members, two or more', ({ names }) => {
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
  const moved = groups.flatMap(({ group, names }) => names.map((name) => `${group}.${name}`))
  expect(rows.map(({ to }) => to).toSorted()).toEqual(moved.toSorted())
  expect(members.filter((name) => deprecated.includes(name))).toEqual([])
})

test('sources, documents and examples use no deprecated member', () => {
  const patterns = ['src/**/*.{ts,tsx}', 'docs/**/*.md', 'examples/**/*.{ts,tsx,md}', 'README.md']
  const files = globSync(patterns, { cwd: PROJECT })
  expect(files.length).toBeGreaterThan(100)
  const old = new RegExp(`\\bworkspace\\.(?:${deprecated.join('|')})\\b(?!\\.)`)
  expect(files.filter((file) => old.test(readFileSync(join(PROJECT, file), 'utf8')))).toEqual([])
})

/** Returns the names of the public members that a class or an interface declares, each once. */
function membersIn(path: string, type: string): readonly string[] {
  const { program } = readModule(path, readFileSync(join(PROJECT, path), 'utf8'))
  const names = program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    const isType =
      declared?.type === 'ClassDeclaration' || declared?.type === 'TSInterfaceDeclaration'
    if (!isType || declared.id?.name !== type) return []
    return (declared.body.body as readonly Node[]).flatMap((member) => publicName(member) ?? [])
  })
  return [...new Set(names)]
}

function publicName(member: Node): string | null {
  if (!('key' in member) || member.key.type !== 'Identifier') return null
  if ('accessibility' in member && member.accessibility !== null) return null
  return member.key.name === 'constructor' ? null : member.key.name
}
