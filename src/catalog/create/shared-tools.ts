import compareBuild from 'semver/functions/compare-build.js'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { byName } from '../../kernel/by-name.ts'

/** Shared tools by name, in the order of names, each with its versions, the highest first. */
export interface SharedTools {
  readonly tools: Map<string, readonly Tool[]>
  readonly diagnostics: readonly Diagnostic[]
}

/** Group tools by name; of two of the same name and version the first given is kept. */
export function shareTools(given: readonly Tool[]): SharedTools {
  const tools = new Map<string, Tool[]>()
  const diagnostics: Diagnostic[] = []
  for (const tool of given.toSorted((a, b) => byName(a.name, b.name))) {
    const versions = tools.get(tool.name) ?? []
    tools.set(tool.name, versions)
    const first = versions.find(({ version }) => version === tool.version)
    if (first === undefined) versions.push(tool)
    else if (first.hash !== tool.hash) {
      diagnostics.push({
        code: 'duplicate-tool',
        severity: 'warning',
        message: `Two shared tools are "${tool.name}" in version ${tool.version}, with different definitions: ${shortHash(first)} is used, ${shortHash(tool)} is not.`,
        hint: 'Give one of the two another name or version.',
      })
    }
  }
  for (const versions of tools.values()) {
    Object.freeze(versions.sort((a, b) => compareBuild(b.version, a.version)))
  }
  return { tools, diagnostics }
}

/** Enough of a hash to tell two definitions apart. */
function shortHash({ hash }: Tool): string {
  return hash.slice(0, 'sha256:'.length + 12)
}
