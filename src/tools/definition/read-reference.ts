import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { parseToolReference, type ToolReference } from './tool-reference.ts'

/** `parseToolReference` for text out of files: the error is given back, not thrown. */
export function readReference(text: string): ToolReference | WorkspaceError {
  try {
    return parseToolReference(text)
  } catch (error) {
    if (WorkspaceError.is(error) && error.code === 'TOOL_REFERENCE_INVALID') return error
    throw error
  }
}
