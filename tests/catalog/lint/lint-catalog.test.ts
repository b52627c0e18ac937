import { expect, test } from 'vitest'
import { assignFindings } from '../../../src/catalog/lint/lint-catalog.ts'
import type { LintItem } from '../../../src/catalog/lint/checks/lint-input.ts'
import type { Diagnostic } from '../../../src/kernel/diagnostic.ts'

const ITEMS: readonly LintItem[] = [
  { kind: 'skill', path: '/p/skills/a/SKILL.md', name: 'a' },
  { kind: 'tool', path: '/p/skills/a/tools/t/schema.json', name: 't' },
  { kind: 'tool', path: '/p/toolsets/s/t2.md', name: 't2' },
  { kind: 'skill', path: '/p/carnet.manifest.json', name: '__proto__' },
  { kind: 'skill', path: '/p/carnet.manifest.json', name: 'c' },
]

const finding = (file?: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'x',
  severity: 'info',
  message: 'm',
  hint: 'h',
  ...(file !== undefined && { file }),
  ...more,
})

const ownerOf = (one: Diagnostic) =>
  assignFindings(ITEMS, [one], '/p').flatMap(({ name, path, kind, diagnostics }) =>
    diagnostics.length === 0 ? [] : [name ?? `${kind} ${path}`],
  )

test.each([
  ['/p/skills/a/SKILL.md', 'a'],
  ['/p/skills/a/references/deep/b.md', 'a'],
  ['/p/skills/a', 'a'],
  ['/p/skills/a/tools/t/doc.md', 't'],
  ['/p/skills/a/tools', 'a'],
  ['/p/toolsets/s/t2.md', 't2'],
  ['/p/toolsets/s/t3.md', 'folder /p/toolsets/s/t3.md'],
  ['/p/skills/ab/x.md', 'folder /p/skills/ab/x.md'],
  ['/p/carnet.manifest.json', '__proto__'],
  [undefined, 'folder /p'],
])('a finding about %s is one about %s', (file, owner) => {
  expect(ownerOf(finding(file))).toEqual([owner])
})

test('a finding in a file of many definitions belongs to the one it names', () => {
  const message = 'The skill "c" lists "d".'
  expect(ownerOf(finding('/p/carnet.manifest.json', { message }))).toEqual(['c'])
})

test('findings are sorted by place, the worst first; `info` does not change the status', () => {
  const file = '/p/skills/a/SKILL.md'
  const of = (line: number, severity: Diagnostic['severity']) => finding(file, { line, severity })
  const [item] = assignFindings(ITEMS, [of(9, 'info'), of(2, 'info'), of(2, 'warning')], '/p')
  expect(item?.diagnostics.map(({ line, severity }) => `${line} ${severity}`)).toEqual([
    '2 warning',
    '2 info',
    '9 info',
  ])
  expect(item?.status).toBe('warning')
  expect(assignFindings(ITEMS, [of(2, 'info')], '/p')[0]?.status).toBe('ok')
  expect(assignFindings(ITEMS, [of(2, 'error')], '/p')[0]?.status).toBe('error')
})

test('every finding is reported once, whatever it is about', () => {
  const files = [undefined, '', '/', '/p', 'relative.md', 'C:\\p\\SKILL.md']
  const told = assignFindings(
    ITEMS,
    files.map((file) => finding(file)),
    '/p',
  )
  expect(told.flatMap(({ diagnostics }) => diagnostics)).toHaveLength(files.length)
})
