import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/**
 * Tools by definition hash: the first of each that has a handler, else the first.
 *
 * A skill's own handler is its own, whatever the index says. Two equal definitions with different
 * handlers are one tool while both skills are active, and that is reported: only one of them runs.
 */
export function indexByHash(
  tools: Iterable<Tool>,
  diagnostics: Diagnostic[],
): Map<ContentHash, Tool> {
  const index = new Map<ContentHash, Tool>()
  const reported = new Set<ContentHash>()
  for (const tool of tools) {
    const first = index.get(tool.hash)
    if (first?.run === undefined) {
      if (first === undefined || tool.run !== undefined) index.set(tool.hash, tool)
    } else if (tool.run !== undefined && tool.run !== first.run && !reported.has(tool.hash)) {
      reported.add(tool.hash)
      diagnostics.push({
        code: 'ambiguous-handler',
        severity: 'warning',
        message: `The tool "${tool.name}" is defined twice, word for word, with two handlers: while both can be called, only one of them is.`,
        hint: 'Share one tool, or tell the two apart by name or description.',
      })
    }
  }
  return index
}
