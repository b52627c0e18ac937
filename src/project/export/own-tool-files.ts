import { dirname, join } from 'node:path'
import type { SkillTool } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { HandlerFile } from '../folders/loaded.ts'
import type { NewFiles } from '../walk/create-files.ts'
import { isInside } from '../walk/is-inside.ts'
import { exportFinding } from './export-finding.ts'
import { folderFiles } from './folder-files.ts'
import { toolFolderFiles } from './tool-folder-files.ts'

interface OwnToolFiles {
  /** By path in the folder of the skill. */
  readonly files: NewFiles
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The folders of tools that a skill brings and that do not lie in its own folder: shared tools, those
 * of toolsets, and those that are code. In a folder of its own each becomes the skill's.
 */
export async function ownToolFiles(
  skill: string,
  folder: string | null,
  tools: readonly SkillTool[],
  handlers: ReadonlyMap<string, HandlerFile>,
): Promise<OwnToolFiles> {
  const files = new Map<string, string | Uint8Array>()
  const diagnostics: Diagnostic[] = []
  for (const { tool } of tools) {
    const file = handlers.get(tool.hash)
    if (folder !== null && file !== undefined && isInside(folder, file.folder)) continue
    const base = `tools/${tool.name}`
    for (const [inner, text] of toolFolderFiles(tool)) files.set(`${base}/${inner}`, text)
    if (file === undefined || file.path === null) {
      if (file === undefined && tool.run !== undefined) {
        diagnostics.push(
          exportFinding.codeMissing(
            `The tool "${tool.name}" of the skill "${skill}" is code: its definition was written without a handler.`,
            'Write handler.ts beside its schema.json.',
          ),
        )
      }
      continue
    }
    const copied = await folderFiles(dirname(file.path))
    diagnostics.push(...copied.diagnostics)
    for (const [inner, bytes] of copied.files) {
      if (inner !== 'TOOL.md') files.set(`${base}/${inner}`, bytes)
    }
    const outside = reachesOut([...copied.files.values()])
    if (outside !== null) {
      diagnostics.push(
        exportFinding.reachesOut(
          `The code of the tool "${tool.name}" imports "${outside}", which lies outside its folder and is not in the export.`,
          'Copy what it imports, or bundle it into the handler.',
          join(file.folder, 'schema.json'),
        ),
      )
    }
  }
  return { files, diagnostics }
}

/** The first path above the folder that a file of it imports, as far as plain imports tell. */
function reachesOut(files: readonly Uint8Array[]): string | null {
  for (const bytes of files) {
    const text = new TextDecoder().decode(bytes)
    const [, path] =
      /\b(?:from|import)\s{0,4}\(?\s{0,4}['"](\.\.\/[^'"\n]{0,200})['"]/.exec(text) ?? []
    if (path !== undefined) return path
  }
  return null
}
