import { type Catalog, createCatalog, defineSkill, defineTool } from 'loadout'
import { z } from 'zod'
import type { WireCall } from '../../../wires/server/answer.ts'
import type { WireRequest } from '../../../wires/server/open-wire-server.ts'

const SKILLS = ['letters', 'stamps', 'parcels', 'maps', 'keys']

const load = (skillName = ''): WireCall => ({ name: 'loadSkill', input: { skillName } })
const unload = (skillName = ''): WireCall => ({ name: 'unloadSkill', input: { skillName } })
const use = (skill = ''): WireCall => ({ name: `use_${skill}`, input: {} })

/** Twenty answers, with five activations and three departures, of which one is taken back. */
const SCRIPT: readonly (readonly WireCall[])[] = [
  [load(SKILLS[0])],
  [use(SKILLS[0])],
  [load(SKILLS[1]), load(SKILLS[2])],
  [use(SKILLS[1]), use(SKILLS[2])],
  [unload(SKILLS[0])],
  [use(SKILLS[0])],
  [],
  [use(SKILLS[1])],
  [load(SKILLS[3])],
  [use(SKILLS[3])],
  [unload(SKILLS[1])],
  [load(SKILLS[0])],
  [use(SKILLS[0])],
  [],
  [unload(SKILLS[3])],
  [load(SKILLS[4])],
  [use(SKILLS[4])],
  [use(SKILLS[2])],
  [use(SKILLS[3])],
  [],
]

/** Answers as scripted; a turn ends with a text. */
export const scripted = ({ index }: WireRequest) => {
  const calls = SCRIPT[index] ?? []
  return calls.length === 0 ? `Turn over at ${index}.` : calls
}

/** Returns a catalog with the skills of the script, each with one tool. */
export async function officeCatalog(): Promise<Catalog> {
  const skills = SKILLS.map((name) =>
    defineSkill({
      name,
      description: `For ${name}.`,
      instructions: `How to use ${name}.`,
      tools: [
        defineTool({
          name: `use_${name}`,
          description: `Use ${name}.`,
          inputSchema: z.object({}),
          execute: () => `${name} used`,
        }),
      ],
    }),
  )
  return createCatalog({ skills })
}
