/** The meta-tools that every workspace can offer its model. */
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

/** Those, the one that needs a host with a script runner, and the one that needs a result. */
export type MetaToolName = (typeof META_TOOL_NAMES)[number] | 'runSkillScript' | 'read_result'

/** The most ids in a schema; with more, the model reads them in the prompt, or lists them. */
export const MAX_ENUM_IDS = 50

const RUNNING: readonly MetaToolName[] = ['runSkillScript']

/** Properties of a session that decide which meta-tools it needs. */
interface MetaNeeds {
  /** True when tools are found by search. */
  readonly searches?: boolean
  /** True when the request's tools never change, and the others are called through one of them. */
  readonly bridges?: boolean
  /** True when the host runs the scripts of skills. */
  readonly runs?: boolean
}

/**
 * Returns the meta-tools that are offered by default. With search, one finds tools and one returns the
 * details that did not fit; a bridge needs one to call found tools. Many skills may not fit into the
 * prompt's catalog, so without search they can be listed.
 *
 * @param loadable how many skills the agent may load
 */
export function defaultMetaTools(
  loadable: number,
  { searches = false, bridges = false, runs = false }: MetaNeeds = {},
): readonly MetaToolName[] {
  const finding: readonly MetaToolName[] = searches ? ['tool_search', 'loadTool'] : []
  const calling: readonly MetaToolName[] = bridges ? ['call_tool'] : []
  const loading: readonly MetaToolName[] = ['loadSkill', 'loadSkillFile', 'unloadSkill']
  const listing: readonly MetaToolName[] =
    loadable > MAX_ENUM_IDS && !searches ? ['listAvailableSkills'] : []
  return [...finding, ...calling, ...loading, ...listing, ...(runs ? RUNNING : [])]
}
