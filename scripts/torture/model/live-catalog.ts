import { z } from 'zod'
import { createCatalog } from '../../../src/catalog/create-catalog.ts'
import type { Catalog } from '../../../src/catalog/catalog.ts'
import { defineComponent } from '../../../src/components/define-component.ts'
import { defineTool } from '../../../src/registry/define-tool.ts'
import { ToolError } from '../../../src/registry/tool-error.ts'
import type { ToolContext } from '../../../src/registry/tool-context.ts'
import type { Tool } from '../../../src/registry/tool.ts'
import { defineAgent } from '../../../src/skills/define-agent.ts'
import { defineSkill } from '../../../src/skills/define-skill.ts'
import type { SkillHookContext } from '../../../src/skills/skill.ts'
import {
  GLOBALS,
  INITIAL_SKILL,
  NOTE,
  PERMITTED,
  skillsOf,
  type Edition,
  type SkillFact,
  type ToolFact,
} from './universe.ts'

/** What handlers do next: the services of a session of the model test. */
export interface Stage {
  throws: boolean
}

const input = z.strictObject({ by: z.int().min(0).optional() })

function fieldsOf({ name, version, category, asks, mode, wording }: ToolFact) {
  return {
    name,
    version,
    category,
    description: `Does ${name}. ${wording}`,
    input,
    requiresConfirmation: asks,
    ...(mode !== null && { modes: [mode] }),
  }
}

function play({ services }: Pick<ToolContext, 'services'>): void {
  if ((services as Stage).throws) throw new ToolError('CONFLICT', 'Scripted.')
}

/** A tool of the universe, with a handler that does as the stage says. */
export function liveTool(fact: ToolFact): Tool {
  return defineTool({
    ...fieldsOf(fact),
    run: (_, context) => {
      play(context)
      return fact.name
    },
  }) as Tool
}

export const NOTES = defineComponent({
  key: 'notes',
  initialState: { count: 0 },
  tools: (define) => [
    define({
      ...fieldsOf(NOTE),
      run: async ({ by = 0 }, context) => {
        await context.update(({ count }) => ({ count: count + by }))
        play(context)
      },
    }),
  ],
  panel: ({ count }) => ({ title: 'Notes', lines: [`${count} notes`] }),
})

function liveSkill(fact: SkillFact) {
  const { name, requires, conflicts, exclusive, onConflict, lifetime, tools, wording } = fact
  const hooks = {
    onActivate: ({ resumed }: SkillHookContext) => {
      if (fact.fails === 'always' || (fact.fails === 'resumed' && resumed))
        throw new Error('Scripted.')
    },
    onDeactivate: () => undefined,
  }
  return defineSkill({
    ...{ name, requires, conflicts, exclusive, onConflict, lifetime },
    description: `For ${name}. ${wording}`,
    tools: tools.map(liveTool),
    ...(fact.fails !== 'never' && hooks),
  })
}

const catalogs = new Map<Edition, Promise<Catalog>>()

/** The catalog of an edition; one for all sessions of the process. */
export function liveCatalog(edition: Edition): Promise<Catalog> {
  const known = catalogs.get(edition)
  if (known) return known
  const made = createCatalog({
    skills: skillsOf(edition).map(liveSkill),
    components: [NOTES],
    tools: GLOBALS.map(liveTool),
    agents: [
      defineAgent({
        name: 'tester',
        prompt: 'Test.',
        initialSkills: [INITIAL_SKILL],
        skills: PERMITTED.filter((one) => skillsOf(edition).some(({ name }) => name === one)),
      }),
    ],
  })
  catalogs.set(edition, made)
  return made
}
