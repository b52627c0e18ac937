import type { Place } from './findings.ts'
import type { Findings } from './findings.ts'
import type { YamlEntry, YamlNode } from './yaml-node.ts'

/** A file that front matter names, with what it says about it. */
export interface ListedFile {
  readonly path: string
  readonly description: string
  readonly place: Place
}

/** Read a `files` field: a list of paths, or of `path` and `description`. */
export function listedFiles(
  entry: YamlEntry | undefined,
  findings: Findings,
): readonly ListedFile[] {
  if (entry === undefined) return []
  const items = entry.node.kind === 'list' ? entry.node.items : [entry.node]
  return items.flatMap((item) => {
    const path = item.kind === 'map' ? scalarText(item.entries.get('path')?.node) : scalarText(item)
    if (path !== '') {
      const described = item.kind === 'map' ? item.entries.get('description')?.node : undefined
      return [{ path: withoutDot(path), description: scalarText(described), place: item.place }]
    }
    findings.add(
      'warning',
      'field-kind',
      'An item of "files" names no path; it has no effect.',
      'Write `- path: references/guide.md` and, below it, a description.',
      item.place,
    )
    return []
  })
}

function scalarText(node: YamlNode | undefined): string {
  return node?.kind === 'scalar' ? node.text.trim() : ''
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path
}
