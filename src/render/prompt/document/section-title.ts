/** The headings of the document that are always the same. */
export const SECTION_TITLE = {
  agentPrompt: 'Agent prompt',
  initialSkills: 'Initial skills',
  skillCatalog: 'Skill catalog',
  loading: 'Loading skills',
  discovery: 'Finding tools',
  activeSkills: 'Loaded skills',
  availableTools: 'Available tools',
  rules: 'Rules',
  workingMemory: 'Working memory',
  foundTools: 'Found tools',
  backgroundResults: 'Background results',
} as const

/** What headings with a name in them begin with; the name follows after a space. */
export const SECTION_PREFIX = { skillTools: 'SKILL TOOLS:', panel: 'PANEL:' } as const
