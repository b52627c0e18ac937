import { basename, join } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import type { LoadedItem, RootContext, ToolModule } from './loaded.ts'
import { readText } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** Matches `refund.ts`, but not `refund.test.ts` or `refund.d.ts`. */
const MODULE_NAME = /^[^.]+\.(?:ts|js|mjs)$/

/** Matches the code that defines a tool. Other code in a folder `tools` is left alone. */
const DEFINES_TOOL = [/\bdefineTool\b/, /['"]loadout['"]/]

interface FoundModules {
  readonly modules: readonly ToolModule[]
  readonly items: readonly LoadedItem[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Finds the tools of a folder `tools` that are one file each: code that imports `defineTool` of
 * `loadout`. The files are read, and not run. `boundary` is the real path of the folder outside which
 * nothing is read.
 */
export async function loadToolModules(
  folder: Folder,
  boundary: string,
  { root, options }: Pick<RootContext, 'root' | 'options'>,
  skill: Pick<ToolModule, 'skill' | 'topic'> = { skill: null },
): Promise<FoundModules> {
  const modules: ToolModule[] = []
  const diagnostics: Diagnostic[] = []
  for (const { name } of folder.entries) {
    if (!MODULE_NAME.test(name)) continue
    const file = join(folder.path, name)
    const text = await readText(boundary, file, options, diagnostics, 'warning')
    if (text === null || !DEFINES_TOOL.every((part) => part.test(text))) continue
    modules.push({ ...skill, file, path: join(folder.real, name), root })
  }
  const items = modules.map(({ file }) => ({ kind: 'tool' as const, path: file, name: null }))
  return { modules, items, diagnostics }
}

/** Returns the name that a tool in this file should have; `-` stands for `_` in it. */
export function moduleName(file: string): string {
  return basename(file)
    .replace(/\.\w+$/, '')
    .replaceAll('-', '_')
}

/** Findings of tools in one file that could not be imported. */
const UNKNOWN_TOOL = new Set(['tool-untrusted', 'tool-failed', 'tool-export'])

/** Returns the tools in one file that findings say are unknown, each with the name that its file promises. */
export function unknownTools(
  diagnostics: readonly Diagnostic[],
): readonly Readonly<Record<'name' | 'file' | 'message' | 'hint', string>>[] {
  return diagnostics.flatMap(({ code, file, message, hint }) =>
    file !== undefined && UNKNOWN_TOOL.has(code)
      ? [{ name: moduleName(file), file, message, hint }]
      : [],
  )
}
