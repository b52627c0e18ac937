/** The meta-tools any workspace can offer its model. */
export const META_TOOL_NAMES = [
  'loadSkill',
  'loadSkillFile',
  'unloadSkill',
  'listAvailableSkills',
  'listSkillToolsets',
  'loadToolset',
  'loadTool',
  'tool_search',
  'call_tool',
] as const

/** Those, and the one that takes a host with something to run scripts. */
export type MetaToolName = (typeof META_TOOL_NAMES)[number] | 'runSkillScript'

/** So many ids fit into a schema; with more, the model reads them in the prompt, or lists them. */
export const MAX_ENUM_IDS = 50

/** What decides, beside skills, which meta-tools a session needs. */
interface MetaNeeds {
  /** Tools are found by search. */
  readonly searches?: boolean
  /** The request's tools never change, so that others are called through one of them. */
  readonly bridges?: boolean
}

/**
 * The meta-tools offered unless the host says otherwise. With search, one finds tools and one gives
 * all of what the answer had no room for; a bridge needs one to call what is found. Many skills may
 * not fit into the prompt's catalog: what is not searched for is listed.
 *
 * @param loadable how many skills the agent may load
 */
export function defaultMetaTools(
  loadable: number,
  { searches = false, bridges = false }: MetaNeeds = {},
): readonly MetaToolName[] {
  const finding: readonly MetaToolName[] = searches ? ['tool_search', 'loadTool'] : []
  const calling: readonly MetaToolName[] = bridges ? ['call_tool'] : []
  const loading: readonly MetaToolName[] = ['loadSkill', 'loadSkillFile', 'unloadSkill']
  const listing: readonly MetaToolName[] =
    loadable > MAX_ENUM_IDS && !searches ? ['listAvailableSkills'] : []
  return [...finding, ...calling, ...loading, ...listing]
}
