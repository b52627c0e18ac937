import { unknownReference } from '../../../catalog/create/unknown-reference.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { Manifest } from '../format/manifest.ts'

/** What a manifest names and does not have. Each name is left out where it stands. */
export function manifestFindings({
  app,
  agents,
  skills,
  toolsets,
  tools,
}: Manifest): readonly Diagnostic[] {
  const known = (entries: Readonly<Record<string, unknown>>) => new Map(Object.entries(entries))
  const unknownSkill = unknownReference('skill', known(skills))
  const unknownToolset = unknownReference('toolset', known(toolsets))
  const unknownTool = unknownReference('tool', known(tools))
  const missing = (names: readonly string[], entries: object) =>
    names.filter((name) => !Object.hasOwn(entries, name))
  return Object.freeze([
    ...Object.entries(agents).flatMap(([name, agent]) => {
      const lists = {
        initialSkills: [...app.globalInitialSkills, ...agent.initialSkills],
        skills: [...app.globalSkills, ...agent.skills],
      }
      return Object.entries(lists).flatMap(([field, list]) =>
        missing(list, skills).map((to) =>
          unknownSkill({ from: { kind: 'agent', name }, field, to }),
        ),
      )
    }),
    ...Object.entries(skills).flatMap(([name, skill]) =>
      missing(skill.toolsets, toolsets).map((to) =>
        unknownToolset({ from: { kind: 'skill', name }, field: 'toolsets', to }),
      ),
    ),
    ...Object.entries(toolsets).flatMap(([name, toolset]) =>
      missing(toolset.tools, tools).map((to) =>
        unknownTool({ from: { kind: 'toolset', name }, field: 'tools', to }),
      ),
    ),
  ])
}
