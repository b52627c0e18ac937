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

/** So many ids fit into a schema; with more, the model reads them in the prompt, or lists them. */
export const ENUM_LIMIT = 50

/**
 * The meta-tools offered unless the host says otherwise, by how many skills the agent may load:
 * many may not fit into the prompt's catalog, so then there is a tool that lists them.
 */
export function defaultMetaTools(loadable: number): readonly MetaToolName[] {
  const usual: readonly MetaToolName[] = ['loadSkill', 'loadSkillFile', 'unloadSkill']
  return loadable <= ENUM_LIMIT ? usual : [...usual, 'listAvailableSkills']
}
