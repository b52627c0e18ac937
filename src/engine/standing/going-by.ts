import type { Tool } from '../../tools/definition/tool.ts'

const renamed = new WeakMap<Tool, Map<string, Tool>>()

/** A tool under the name its claim was given; the same object for the same name. */
export function goingBy(tool: Tool, name: string): Tool {
  if (tool.name === name) return tool
  const names = renamed.get(tool) ?? new Map<string, Tool>()
  renamed.set(tool, names)
  const known = names.get(name) ?? Object.freeze({ ...tool, name })
  names.set(name, known)
  return known
}
