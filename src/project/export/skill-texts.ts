import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { exportFinding } from './export-finding.ts'

/** The files of a skill that has no folder, by their texts: those of a manifest, or of code. */
export async function skillTexts(skill: Skill): Promise<{
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly diagnostics: readonly Diagnostic[]
}> {
  const files = new Map<string, Uint8Array>()
  const diagnostics: Diagnostic[] = []
  for (const { path } of skill.files) {
    try {
      const text = await skill.readFile?.(path)
      if (text !== undefined) files.set(path, new TextEncoder().encode(text))
      else diagnostics.push(unreadable(skill, path, 'it is listed without a text'))
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      diagnostics.push(unreadable(skill, path, error.message))
    }
  }
  return { files, diagnostics }
}

function unreadable({ name }: Skill, path: string, why: string): Diagnostic {
  return exportFinding.leftOut(
    `The file "${path}" of the skill "${name}" was left out: ${why}`,
    'Give the folder that holds it in place of the manifest.',
  )
}
