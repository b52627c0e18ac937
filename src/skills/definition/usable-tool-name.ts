import { toolName } from '../../tools/definition/tool-name.ts'

/**
 * The name itself when a tool or toolset can go by it, else one made of it: what is no letter,
 * digit, `_`, `-` or `.` becomes a hyphen. Undefined when nothing is left.
 */
export function usableToolName(name: string): string | undefined {
  if (toolName.safeParse(name).success) return name
  const parts = name
    .normalize('NFKC')
    .split(/[^A-Za-z0-9_.-]+/)
    .filter((part) => part !== '')
  const made = parts.join('-').slice(0, 128)
  return toolName.safeParse(made).success ? made : undefined
}
