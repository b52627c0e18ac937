import { carnetName, carnetToolName } from '../format/carnet-name.ts'
import { isUsableName } from '../../../skills/definition/skill-name.ts'
import { toolName } from '../../../tools/definition/tool-name.ts'
import type { Manifest } from '../format/manifest.ts'
import { UsableNames } from './usable-names.ts'

/** The ids of a manifest's skills, agents and tools. */
export interface ManifestNames {
  readonly skills: UsableNames
  readonly agents: UsableNames
  readonly tools: UsableNames
}

export function manifestNames({ skills, agents, tools }: Manifest): ManifestNames {
  const definitions = (entries: Readonly<Record<string, unknown>>) =>
    new UsableNames(
      (name) => (isUsableName(carnetName(name)) ? carnetName(name) : undefined),
      (id) => Object.hasOwn(entries, id),
    )
  return {
    skills: definitions(skills),
    agents: definitions(agents),
    tools: new UsableNames(
      (name) =>
        toolName.safeParse(carnetToolName(name)).success ? carnetToolName(name) : undefined,
      (id) => Object.hasOwn(tools, id),
    ),
  }
}
