import { defineTool } from '../../src/tools/define-tool.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'

/** A tool of which only name, version, description and handler matter to a test. */
export function toolNamed(
  name: string,
  fields: Partial<Pick<Tool, 'version' | 'description' | 'execute'>> = {},
): Tool {
  return defineTool({ name, description: `Does ${name}.`, ...fields })
}
