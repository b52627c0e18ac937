import { usableName } from '../../../skills/definition/skill-name.ts'
import { usableToolName } from '../../../skills/definition/usable-tool-name.ts'

/** The name that a skill or agent of Carnet goes by here: Carnet allows any text as a name. */
export function carnetName(name: string): string {
  return usableName(name) ?? name
}

/** The name that a toolset or tool of Carnet goes by here. */
export function carnetToolName(name: string): string {
  return usableToolName(name) ?? name
}
