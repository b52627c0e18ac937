import { toolName } from '../../registry/tool-name.ts'
import { usableName } from '../parse/skill-name.ts'

/** The name that a skill or agent of Carnet goes by here: Carnet allows any text as a name. */
export function carnetName(name: string): string {
  return usableName(name) ?? name
}

/** The name that a toolset or tool of Carnet goes by here. */
export function carnetToolName(name: string): string {
  if (toolName.safeParse(name).success) return name
  const made = name
    .normalize('NFKC')
    .split(/[^A-Za-z0-9_.-]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 128)
  return toolName.safeParse(made).success ? made : name
}
