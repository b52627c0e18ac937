import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'
import type { LintedItem, LintItem, LintStatus } from './checks/lint-item.ts'

/** Files that stand for the folder they are in: what is found inside is found about them. */
const OF_FOLDER = /^(?:SKILL\.md|skill\.md|AGENT\.md|TOOLSET\.md|TOOL\.md|schema\.json)$/

const ORDER: readonly Severity[] = ['error', 'warning', 'info']

/**
 * Items with the findings about them: about their file, else about something in their folder. A
 * finding about nothing that was listed makes an item of its own, of the folder it is in or of
 * `root`, so that none is lost.
 */
export function assignFindings(
  items: readonly LintItem[],
  findings: readonly Diagnostic[],
  root: string,
): readonly LintedItem[] {
  const byFile = new Map<string, Map<string | null, LintItem>>()
  const byFolder = new Map<string, LintItem>()
  for (const item of items) {
    const inFile = byFile.get(item.path) ?? new Map<string | null, LintItem>()
    byFile.set(item.path, inFile)
    if (!inFile.has(item.name)) inFile.set(item.name, item)
    const { folder, name } = split(item.path)
    if (OF_FOLDER.test(name) && !byFolder.has(folder)) byFolder.set(folder, item)
  }
  const found = new Map<LintItem, Diagnostic[]>(items.map((item) => [item, []]))
  const others = new Map<string, Diagnostic[]>()
  for (const one of findings) {
    const item = itemOf(one, byFile, byFolder)
    if (item !== undefined) found.get(item)?.push(one)
    else {
      const path = one.file ?? root
      const about = others.get(path)
      if (about === undefined) others.set(path, [one])
      else about.push(one)
    }
  }
  return [
    ...Array.from(found, ([item, about]) => linted(item, about)),
    ...Array.from(others, ([path, about]) => linted({ kind: 'folder', path, name: null }, about)),
  ]
}

function itemOf(
  { file, message }: Diagnostic,
  byFile: ReadonlyMap<string, ReadonlyMap<string | null, LintItem>>,
  byFolder: ReadonlyMap<string, LintItem>,
): LintItem | undefined {
  if (file === undefined) return undefined
  const inFile = byFile.get(file)
  if (inFile !== undefined) {
    // Many definitions may stand in one file; the finding says which by its name.
    for (const [, name = ''] of message.matchAll(/"([^"]+)"/g)) {
      const named = inFile.get(name)
      if (named !== undefined) return named
    }
    const [first] = inFile.values()
    return first
  }
  for (let folder = file; folder !== ''; folder = split(folder).folder) {
    const item = byFolder.get(folder)
    if (item !== undefined) return item
  }
  return undefined
}

function linted(item: LintItem, about: readonly Diagnostic[]): LintedItem {
  const diagnostics = about.toSorted(
    (a, b) =>
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
      compare(a.code, b.code),
  )
  return { ...item, status: statusOf(about), diagnostics }
}

/** Remarks leave an item as it should be. */
function statusOf(about: readonly Diagnostic[]): LintStatus {
  if (about.some(({ severity }) => severity === 'error')) return 'error'
  return about.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok'
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function split(path: string): { readonly folder: string; readonly name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) }
}
