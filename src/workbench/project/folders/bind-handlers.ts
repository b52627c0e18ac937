import {
  type Catalog,
  type ContentHash,
  defineSkill,
  type Diagnostic,
  type Skill,
  type Tool,
} from '../../../entries/index.ts'
import { checkKind, checkRecord, quotedPath } from '../../../entries/kit.ts'
import { bindTool, toolDefinition } from '../../../entries/manifest.ts'
import { importTool } from './import-tool.ts'
import type { HandlerFile, Loaded } from './loaded.ts'
import { importModule } from '../trust/import-module.ts'
import { guardTools } from '../trust/is-trusted.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'

export interface BindOptions {
  /** True when code below a given path (its real path) may run, as the host decides. */
  readonly trusted: boolean | ((root: string) => boolean)
}

/**
 * Runs the code of tools from disk, for trusted folders only: imports tools that are one file, and
 * binds handlers, which export `execute(input, context)`.
 *
 * A tool whose handler is missing, untrusted or broken stays unbound, with a diagnostic, and keeps its
 * hash. A tool that is one file is missing then. Neither affects other tools.
 */
export async function bindHandlers<Definitions extends Omit<Loaded, 'carnet'>>(
  loaded: Definitions,
  options: BindOptions,
): Promise<Definitions> {
  checkRecord(options, { trusted: true }, 'trusted')
  const { trusted } = options
  if (typeof trusted !== 'function') checkKind(trusted, 'trusted', 'switch')
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
  const imported = await mapBounded(loaded.toolModules, FILES_AT_ONCE, (module) =>
    importTool(module, mayRun(module.root)),
  )
  for (const { module, tool, diagnostics: found } of imported) {
    if (tool !== null) guardTools([tool], module.root)
    diagnostics.push(...found)
  }
  const defined = imported.flatMap(({ module, tool }) => (tool === null ? [] : [{ module, tool }]))
  const nameOf = new Map(defined.map(({ module, tool }) => [module.file, tool.name]))
  const toolsOf = Map.groupBy(defined, ({ module }) => module.skill)
  const brought = (path: string | null) => (toolsOf.get(path) ?? []).map(({ tool }) => tool)
  return {
    ...loaded,
    tools: [...loaded.tools.map((tool) => bound.get(tool) ?? tool), ...brought(null)],
    skills: loaded.skills.map((skill) =>
      withMoreTools(withBoundTools(skill, bound), brought(skill.path ?? null)),
    ),
    handlers: [
      ...loaded.handlers,
      ...defined.map(({ module: { file, path, root }, tool }) => ({
        tool,
        file,
        folder: null,
        path,
        root,
      })),
    ],
    toolModules: imported.filter(({ tool }) => tool === null).map(({ module }) => module),
    items: loaded.items.map((item) => ({ ...item, name: nameOf.get(item.path) ?? item.name })),
    diagnostics: [...loaded.diagnostics, ...diagnostics],
  }
}

interface BindOutcome {
  readonly from: Tool
  readonly tool?: Tool
  readonly diagnostic?: Diagnostic
}

async function bind(
  { tool, file, folder, path, root }: HandlerFile,
  trusted: boolean,
): Promise<BindOutcome> {
  const unbound = (
    code: string,
    severity: Diagnostic['severity'],
    message: string,
    hint: string,
  ) => ({
    from: tool,
    diagnostic: { code, severity, message, hint, file: path ?? folder ?? file, tool: tool.hash },
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
      `Read the code, then trust the folder: loadout trust ${quotedPath(root)} (or --trust for one run).`,
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
  guardTools([{ execute: run }], root)
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

/** Returns the skill with tools whose definitions were unknown when it was read. */
function withMoreTools(skill: Skill, more: readonly Tool[]): Skill {
  if (more.length === 0) return skill
  const { hash: _, ...definition } = skill
  return defineSkill({ ...definition, tools: [...skill.tools, ...more] })
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
      const defined = typeof one === 'string' ? toolsets.get(one) : one
      // The tools of its servers are known when they are connected.
      if (defined === undefined || defined.servers !== undefined) return []
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
