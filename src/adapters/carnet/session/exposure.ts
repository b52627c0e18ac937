import { activeSkills } from '../../../engine/standing/skill-standing.ts'
import type { WorkspaceState } from '../../../engine/model/state.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { CarnetProject } from './carnet-project.ts'

/** What is loaded in a state and what that brings, by the names of the manifest. */
export interface Exposure {
  readonly state: WorkspaceState
  readonly skills: readonly string[]
  /** In the order they came. */
  readonly toolsets: ReadonlySet<string>
  readonly tools: ReadonlySet<string>
}

/** The view that Carnet has of a state; `available` is what the tool table calls so. */
export function exposureOf(
  state: WorkspaceState,
  available: readonly Tool[],
  { manifest, names }: CarnetProject,
): Exposure {
  const skills = activeSkills(state).map((id) => names.skills.nameOf(id))
  return {
    state,
    skills,
    toolsets: new Set(skills.flatMap((key) => manifest.skills[key]?.toolsets ?? [])),
    tools: new Set(available.map(({ name }) => names.tools.nameOf(name))),
  }
}
