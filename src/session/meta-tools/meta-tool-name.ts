/** The meta-tools a workspace can offer its model. */
export const META_TOOL_NAMES = [
  'loadSkill',
  'loadSkillFile',
  'unloadSkill',
  'listAvailableSkills',
  'listSkillToolsets',
  'loadToolset',
  'loadTool',
] as const

export type MetaToolName = (typeof META_TOOL_NAMES)[number]

/** Those offered unless the host says otherwise. */
export const DEFAULT_META_TOOLS: readonly MetaToolName[] = [
  'loadSkill',
  'loadSkillFile',
  'unloadSkill',
]
