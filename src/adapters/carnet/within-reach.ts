import type { CarnetProject } from './session/carnet-project.ts'

/** Whether a skill is on the lists of an agent. */
export function mayLoad(project: CarnetProject, agent: string, skill: string): boolean {
  const { app } = project.manifest
  const { initialSkills, skills } = project.agent(agent)
  return [app.globalInitialSkills, initialSkills, app.globalSkills, skills].some((list) =>
    list.includes(skill),
  )
}

/** The toolsets of the skills an agent may load: what is written about others is not for it. */
export function reachableToolsets(project: CarnetProject, agent: string): ReadonlySet<string> {
  return new Set(project.availableSkills(agent).flatMap(({ toolsets }) => toolsets))
}
