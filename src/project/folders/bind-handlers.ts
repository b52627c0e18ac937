import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { HandlerFile, Loaded } from './loaded.ts'
import { importModule } from '../trust/import-module.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { bindTool, toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

export interface BindOptions {
  /** True when code below a given path (its real path) may run, as the host decides. */
  readonly trusted: boolean | ((root: string) => boolean)
}

/**
 * Imports and binds the handlers of tools from disk, for trusted folders only.
 *
 * A handler exports `execute(input, context)`. A tool whose handler is missing, untrusted or broken
 * stays unbound, with a diagnostic, and does not affect the others. Hashes do not change.
 */
export async function bindHandlers(loaded: Loaded, { trusted }: BindOptions): Promise<Loaded> {
  const diagnostics: Diagnostic[] = []
  const bound = new Map<Tool, Tool>()
  const mayRun = (root: string) => (typeof trusted === 'boolean' ? trusted : trusted(root))
  const outcomes = await mapBounded(loaded.handlers, FILES_AT_ONCE, (handler) =>
    bind(handler, mayRun(handler.root)),
  )
  for (const { from, tool, diagnostic } of outcomes) {
    if (tool) bound.set(from, tool)
    if (diagnostic) diagnostics.push(diagnostic)
  }
  const swap = (tool: Tool) => bound.get(tool) ?? tool
  return {
    ...loaded,
    tools: loaded.tools.map(swap),
    skills: loaded.skills.map((skill) => withBoundTools(skill, bound)),
    diagnostics: [...loaded.diagnostics, ...diagnostics],
  }
}

interface BindOutcome {
  readonly from: Tool
  readonly tool?: Tool
  readonly diagnostic?: Diagnostic
}

async function bind(
  { tool, folder, path, root }: HandlerFile,
  trusted: boolean,
): Promise<BindOutcome> {
  const unbound = (
    code: string,
    severity: Diagnostic['severity'],
    message: string,
    hint: string,
  ) => ({
    from: tool,
    diagnostic: { code, severity, message, hint, file: path ?? folder },
  })
  if (path === null) {
    return unbound(
      'handler-missing',
      'warning',
      `The tool "${tool.name}" has no handler; it is listed but cannot be called.`,
      'Add handler.ts, handler.js or handler.mjs that exports execute(input, context).',
    )
  }
  if (!trusted) {
    return unbound(
      'handler-untrusted',
      'warning',
      `The handler of "${tool.name}" was not run: its folder is not trusted.`,
      `Read the code, then trust the folder: loadout trust "${root}" (or --trust for one run).`,
    )
  }
  const outcome = await importModule(root, path)
  if (!outcome.ok) {
    return unbound(
      'handler-failed',
      'error',
      `The handler of "${tool.name}" could not be imported: ${outcome.message}.`,
      'Correct the handler. Until then, the tool is listed but cannot be called.',
    )
  }
  const { execute } = outcome.exports
  if (typeof execute !== 'function') {
    return unbound(
      'handler-without-execute',
      'error',
      `The handler of "${tool.name}" exports no function named execute.`,
      'Export it by name: `export async function execute(input, context) { … }`.',
    )
  }
  const run = execute as NonNullable<Tool['execute']>
  return { from: tool, tool: bindTool(toolDefinition(tool), run) }
}

/** Returns the skill with bound tools. Its hash covers only definitions and stays the same. */
function withBoundTools(skill: Skill, bound: ReadonlyMap<Tool, Tool>): Skill {
  if (!skill.tools.some((tool) => typeof tool !== 'string' && bound.has(tool))) return skill
  const tools = skill.tools.map((tool) =>
    typeof tool === 'string' ? tool : (bound.get(tool) ?? tool),
  )
  return Object.freeze({ ...skill, tools: Object.freeze(tools) })
}

/**
 * Reports skills with a toolset that has no callable tool: it has no tools, or no code is
 * registered for them. Tools with a handler file are left out, since the handler has a finding of
 * its own.
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
      const known = tools.some(({ tool }) => tool.execute !== undefined || handled.has(tool.hash))
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
          hint: 'Pass the tools of the toolset to createCatalog (or register them with Carnet), or add handlers in tools/<name>/.',
          ...(path !== undefined && { file: path }),
        },
      ]
    }),
  )
}
