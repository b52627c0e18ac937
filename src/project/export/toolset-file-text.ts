import type { Toolset } from '../../tools/toolset.ts'
import { frontMatterFile } from './front-matter-file.ts'

/** The `TOOLSET.md` of a toolset, which names its tools; its rules stand in a file of their own. */
export function toolsetFileText({ name, description, tools, instructions }: Toolset): string {
  const names = tools.map((tool) => (typeof tool === 'string' ? tool : tool.name))
  return frontMatterFile({ name, description, tools: names }, instructions)
}
