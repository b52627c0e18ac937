import type { Carnet } from '@upstart.gg/carnet'
import type { SkillText } from './generate-skills.ts'

type CarnetManifest = ConstructorParameters<typeof Carnet>[0]

/** The one agent of the manifest, who may load every skill. */
export const AGENT = 'clerk'

/** Carnet's manifest, version 1: each skill with a toolset of its own. */
export function carnetManifest(texts: readonly SkillText[]): CarnetManifest {
  const tools = texts.flatMap((text) => text.tools)
  return {
    version: 1,
    app: { globalInitialSkills: [], globalSkills: [] },
    agents: {
      [AGENT]: {
        name: AGENT,
        description: 'Helps clerks.',
        initialSkills: [],
        skills: texts.map(({ name }) => name),
        prompt: 'You help the clerks.',
      },
    },
    skills: Object.fromEntries(
      texts.map(({ name, description, instructions: content }) => [
        name,
        { name, description, toolsets: [name], files: [], content },
      ]),
    ),
    toolsets: Object.fromEntries(
      texts.map(({ name, description, tools: own }) => [
        name,
        { name, description, tools: own.map((one) => one.name), content: description },
      ]),
    ),
    tools: Object.fromEntries(tools.map((one) => [one.name, { ...one, content: one.description }])),
  }
}
