import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { HandlerFile } from './loaded.ts'

/**
 * Findings for skills that name a toolset which brings no tool that could be called: it has none, or
 * nobody registered their code. What a handler's own finding says is not said again.
 */
export function toolsetsWithoutCode(
  { skills, toolsets, skillTools }: Catalog,
  handlers: readonly HandlerFile[],
): readonly Diagnostic[] {
  const handled = new Set<ContentHash>(handlers.map(({ tool }) => tool.hash))
  return [...skills.values()].flatMap(({ name, path, toolsets: used }) =>
    used.flatMap((one): readonly Diagnostic[] => {
      const toolset = typeof one === 'string' ? one : one.name
      if (typeof one === 'string' && !toolsets.has(one)) return []
      const tools = (skillTools.get(name) ?? []).filter((tool) => tool.toolset === toolset)
      const known = tools.some(({ tool }) => tool.run !== undefined || handled.has(tool.hash))
      if (known) return []
      return [
        {
          code: 'toolset-without-code',
          severity: 'warning',
          message: `The skill "${name}" uses the toolset "${toolset}", ${
            tools.length === 0
              ? 'which brings no tool'
              : 'and no code is registered for its tools, so they cannot be called'
          }.`,
          hint: 'Give the tools of the toolset to createCatalog (or register them with Carnet), or give them handlers in tools/<name>/.',
          ...(path !== undefined && { file: path }),
        },
      ]
    }),
  )
}
