import type { Project } from '../../project/folders/open-project.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'

/**
 * The finding that keeps a configuration from being read which could be read before; null when
 * there is none. Without it agents, folders and tools would seem to be gone.
 */
export function brokenConfig(before: Project, after: Project): Diagnostic | null {
  const { file } = before.config
  if (file === null || after.config.file !== null) return null
  return after.diagnostics.find((one) => one.file === file) ?? null
}
