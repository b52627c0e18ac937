import { basename } from 'node:path'
import type { Diagnostic, Tool } from '../../../entries/index.ts'
import { quotedPath } from '../../../entries/kit.ts'
import { isTool, withTopic } from '../../../entries/definitions.ts'
import { moduleName } from './load-tool-modules.ts'
import type { ToolModule } from './loaded.ts'
import { importModule } from '../trust/import-module.ts'

/** The tool of one file; null when its code may not run, or defines no tool. */
interface ImportedTool {
  readonly module: ToolModule
  readonly tool: Tool | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Imports the tool that one file defines, if its code may run. */
export async function importTool(module: ToolModule, trusted: boolean): Promise<ImportedTool> {
  const { file, path, root, topic } = module
  const name = basename(file)
  const finding = (
    code: string,
    severity: Diagnostic['severity'],
    message: string,
    hint: string,
  ): Diagnostic => ({ code, severity, message, hint, file })
  const none = (diagnostic: Diagnostic) => ({ module, tool: null, diagnostics: [diagnostic] })
  if (!trusted) {
    return none(
      finding(
        'tool-untrusted',
        'warning',
        `The tool in "${name}" is unknown: code defines it, and its folder is not trusted.`,
        `Read the code, then trust the folder: loadout trust ${quotedPath(root)} (or --trust for one run).`,
      ),
    )
  }
  const outcome = await importModule(root, path)
  if (!outcome.ok) {
    return none(
      finding(
        'tool-failed',
        'error',
        `The tool in "${name}" could not be imported: ${outcome.message}.`,
        outcome.hint ?? 'Correct the file. Until then, the tool does not exist.',
      ),
    )
  }
  const exported = exportedTool(outcome.exports)
  if (!exported.ok) {
    return none(
      finding(
        'tool-export',
        'error',
        `The file "${name}" ${exported.problem}.`,
        'Export one tool: `export default defineTool({ … })`. Move shared code into a folder `lib`.',
      ),
    )
  }
  const tool = withTopic(exported.tool, topic)
  const diagnostics: Diagnostic[] = []
  if (tool.name.replaceAll('-', '_') !== moduleName(file)) {
    diagnostics.push(
      finding(
        'name-mismatch',
        'warning',
        `The tool is named "${tool.name}" but its file is "${name}".`,
        'Give the tool and the file the same name; "_" may be "-" in the file.',
      ),
    )
  }
  if (tool.execute === undefined) {
    const message = `The tool "${tool.name}" has no handler; it is listed but cannot be called.`
    const hint = 'Add `execute` to its definition.'
    const missing = finding('handler-missing', 'warning', message, hint)
    diagnostics.push({ ...missing, tool: tool.hash })
  }
  return { module, tool, diagnostics }
}

type ExportedTool =
  { readonly ok: true; readonly tool: Tool } | { readonly ok: false; readonly problem: string }

/** Returns the one tool that a module exports, by default or by name. */
export function exportedTool(exports: Readonly<Record<string, unknown>>): ExportedTool {
  const [tool, ...others] = new Set(Object.values(exports).filter(isTool))
  if (tool === undefined) return { ok: false, problem: 'exports no tool' }
  if (others.length === 0) return { ok: true, tool }
  const names = [tool, ...others].map(({ name }) => name).join(', ')
  return { ok: false, problem: `exports several tools (${names})` }
}
