import type { Tool } from '../../tools/definition/tool.ts'
import type { HandlerFile, Loaded } from './loaded.ts'

/** What one folder, or one file, gave. */
export type Found = Omit<Loaded, 'carnet' | 'tools' | 'scanned'> & {
  /** Shared tools that no handler belongs to. */
  readonly tools: readonly Tool[]
  /** Shared tools with the place of their handlers. */
  readonly shared: readonly HandlerFile[]
  readonly files: number
}

export const NOTHING_FOUND: Found = {
  skills: [],
  toolsets: [],
  tools: [],
  agents: [],
  rules: [],
  shared: [],
  handlers: [],
  items: [],
  diagnostics: [],
  files: 0,
}

/** Everything that several folders gave, in their order. */
export function joinFound(parts: readonly Found[]): Found {
  return {
    skills: parts.flatMap(({ skills }) => skills),
    toolsets: parts.flatMap(({ toolsets }) => toolsets),
    tools: parts.flatMap(({ tools }) => tools),
    agents: parts.flatMap(({ agents }) => agents),
    rules: parts.flatMap(({ rules }) => rules),
    shared: parts.flatMap(({ shared }) => shared),
    handlers: parts.flatMap(({ handlers }) => handlers),
    items: parts.flatMap(({ items }) => items),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    files: parts.reduce((sum, { files }) => sum + files, 0),
  }
}
