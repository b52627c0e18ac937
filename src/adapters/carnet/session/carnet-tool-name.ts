/** The meta-tools Carnet's documents name, in the order they are offered. */
export const CARNET_TOOL_NAMES = [
  'listAvailableSkills',
  'loadSkill',
  'loadSkillFile',
  'listSkillToolsets',
  'loadToolset',
  'loadTool',
] as const

export type CarnetToolName = (typeof CARNET_TOOL_NAMES)[number]

/** What the published package offers. */
export const DEFAULT_TOOL_NAMES: readonly CarnetToolName[] = ['loadSkill', 'loadSkillFile']
