import type { Catalog } from '../../../../src/catalog/create/catalog.ts'
import { replaceTools } from '../../../../src/catalog/create/replace-tools.ts'
import type { ScenarioHost } from '../../../../src/workbench/project/scenarios/run-scenario.ts'
import type { Tool } from '../../../../src/tools/definition/tool.ts'

/** A change of a host that one scenario has to notice. */
export type PlantedFault = (host: ScenarioHost) => ScenarioHost

/** A rule that nobody wanted. */
const ruled =
  (effect: 'deny' | 'ask' | 'allow', tool: string): PlantedFault =>
  (host) => {
    const { permissions = {} } = host.policy ?? {}
    const rules = { ...permissions, [effect]: [...(permissions[effect] ?? []), tool] }
    return { ...host, policy: { ...host.policy, permissions: rules } }
  }

const changed =
  (change: (catalog: Catalog) => Partial<Catalog>): PlantedFault =>
  (host) => ({ ...host, catalog: Object.freeze({ ...host.catalog, ...change(host.catalog) }) })

/** A skill that was not shipped. */
const without = (skill: string): PlantedFault =>
  changed(({ skills, skillTools, agents }) => ({
    skills: new Map([...skills].filter(([name]) => name !== skill)),
    skillTools: new Map([...skillTools].filter(([name]) => name !== skill)),
    agents: new Map(
      [...agents].map(([name, one]) => [
        name,
        { ...one, initialSkills: one.initialSkills.filter((other) => other !== skill) },
      ]),
    ),
  }))

/** A skill that is active from the start. */
const initial = (skill: string): PlantedFault =>
  changed(({ agents }) => ({
    agents: new Map(
      [...agents].map(([name, one]) => [
        name,
        { ...one, initialSkills: [...one.initialSkills, skill] },
      ]),
    ),
  }))

/** A skill that has another name. */
const renamed = (skill: string, name: string): PlantedFault =>
  changed(({ skills, skillTools }) => ({
    skills: new Map(
      [...skills].map(([key, one]) => (key === skill ? [name, { ...one, name }] : [key, one])),
    ),
    skillTools: new Map([...skillTools].map(([key, one]) => [key === skill ? name : key, one])),
  }))

/** Code of a tool that does something else. */
const coded = (tool: string, execute: NonNullable<Tool['execute']>): PlantedFault =>
  changed((catalog) =>
    replaceTools(catalog, (one) => (one.name === tool ? Object.freeze({ ...one, execute }) : one)),
  )

const prompted = (prompt: string): PlantedFault =>
  changed(({ agents }) => ({
    agents: new Map([...agents].map(([name, one]) => [name, { ...one, prompt }])),
  }))

const LOADED = [
  'gemini-interactions-api',
  'gh-fix-ci',
  'linear',
  'mcp-builder',
  'neon-postgres',
  'notion-meeting-intelligence',
  'react-native-best-practices',
  'supabase-postgres-best-practices',
  'theme-factory',
  'verification-before-completion',
  'vue',
  'writing-plans',
]

const CLOSED = {
  open_table: 'data-analysis',
  query_table: 'data-analysis',
  describe_table: 'data-analysis',
  summarise_table: 'data-analysis',
  fetch_page: 'web-reader',
  read_text: 'web-reader',
  extract_links: 'web-reader',
}

const OPEN = ['git_history', 'list_files', 'read_file', 'search_text']

const slug = (name: string) => name.replace('_', '-')

/** The fault that each scenario of the workbench has to catch. */
export const PLANTED_FAULTS: Readonly<Record<string, PlantedFault>> = {
  ...Object.fromEntries(LOADED.map((name) => [`load-${name}`, initial(name)])),
  ...Object.fromEntries(
    Object.entries(CLOSED).map(([name, skill]) => [`closed-${slug(name)}`, initial(skill)]),
  ),
  ...Object.fromEntries(OPEN.map((name) => [`open-${slug(name)}`, ruled('deny', name)])),
  'note-is-kept': coded('add_note', () => ({ id: 1 })),
  'note-is-edited': coded('edit_note', () => ({ ok: true })),
  'note-is-removed': coded('remove_note', () => ({ ok: true })),
  'note-without-text': ruled('deny', 'add_note'),
  'unknown-note': coded('edit_note', () => ({ ok: true })),
  'denied-by-rule': changed(() => ({ components: new Map() })),
  'asked-and-approved': ruled('deny', 'add_note'),
  'asked-and-denied': ruled('deny', 'add_note'),
  'asked-and-left': ruled('deny', 'add_note'),
  'stub-answers': ruled('deny', 'current_time'),
  'unknown-skill': renamed('vue', 'gardening'),
  'unloaded-by-model': ruled('deny', 'unloadSkill'),
  'two-skills': without('web-reader'),
  'price-of-the-start': initial('mcp-builder'),
  'price-of-a-skill': initial('mcp-builder'),
  'append-keeps-the-prefix': ruled('deny', 'query_table'),
  'bridge-hides-later-tools': without('data-analysis'),
  'prompt-of-the-agent': prompted('You may guess.'),
  'from-question-to-lifetime': without('data-analysis'),
  'budget-is-not-there': (host) => ({
    ...host,
    policy: { ...host.policy, callsPerTurn: { action: 2 } },
  }),
}
