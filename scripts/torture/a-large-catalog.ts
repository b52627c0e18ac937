import { z } from 'zod'
import type { Catalog } from '../../src/catalog/create/catalog.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'

const VERBS = [
  'list',
  'find',
  'create',
  'rename',
  'move',
  'copy',
  'archive',
  'count',
  'share',
  'check',
]
const TOOLS_A_SKILL = VERBS.length

/** A skill by its number, and the tools it brings. */
export const skillNamed = (skill: number): string => `desk-${skill}`
export const toolNamed = (skill: number, tool: number): string =>
  `${VERBS[tool % TOOLS_A_SKILL] ?? 'list'}_papers_of_desk_${skill}`

/** A catalog of so many tools, ten a skill. */
export function aLargeCatalog(tools: number): Promise<Catalog> {
  const input = z.strictObject({ paper: z.string().describe('The name of a paper') })
  const toolOf = (skill: number, tool: number): Tool =>
    defineTool({
      name: toolNamed(skill, tool),
      description: `${VERBS[tool] ?? ''} the papers on desk ${skill}.`,
      input,
      run: ({ paper }) => ({ paper, on: skill }),
    }) as Tool
  return createCatalog({
    skills: Array.from({ length: Math.ceil(tools / TOOLS_A_SKILL) }, (_, skill) =>
      defineSkill({
        name: skillNamed(skill),
        description: `For the papers on desk ${skill}.`,
        tools: VERBS.map((_, tool) => toolOf(skill, tool)),
      }),
    ),
  })
}
