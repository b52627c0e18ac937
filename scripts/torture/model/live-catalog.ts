import { z } from 'zod'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import type { Catalog } from '../../../src/catalog/create/catalog.ts'
import { defineComponent } from '../../../src/components/define-component.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { ToolError } from '../../../src/tools/response/error-type.ts'
import type { Tool } from '../../../src/tools/definition/tool.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import type { SkillHookContext } from '../../../src/skills/definition/skill.ts'
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

/** The services of a session of the model test: they record and direct handlers and hooks. */
export interface Stage {
  /** True when the next handler fails with an error that its tool expects. */
  throws: boolean
  /** The number of the hook, and of the handler, counted from now, that fails with an unexpected error. */
  hooksLeft: number
  handlersLeft: number
  /** Skills whose `onActivate` ran, and whose `onDeactivate` did not. */
  readonly inside: Set<string>
}

export function newStage(): Stage {
  const never = Number.POSITIVE_INFINITY
  return { throws: false, hooksLeft: never, handlersLeft: never, inside: new Set() }
}

const input = z.strictObject({ by: z.int().min(0).optional() })

function fieldsOf({ name, version, category, asks, mode, wording }: ToolFact) {
  return {
    name,
    version,
    category,
    description: `Does ${name}. ${wording}`,
    inputSchema: input,
    requiresConfirmation: asks,
    ...(mode !== null && { modes: [mode] }),
  }
}

function play({ services }: { readonly services: unknown }): void {
  const stage = services as Stage
  stage.handlersLeft -= 1
  if (stage.handlersLeft === 0) throw new TypeError('Unforeseen.')
  if (stage.throws) throw new ToolError('CONFLICT', 'Scripted.')
}

/** A tool of the universe, with a handler that follows the stage. */
export function liveTool(fact: ToolFact): Tool {
  return defineTool({
    ...fieldsOf(fact),
    execute: (_, context) => {
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
      execute: async ({ by = 0 }, context) => {
        await context.update(({ count }) => ({ count: count + by }))
        play(context)
      },
    }),
  ],
  panel: ({ count }) => ({ title: 'Notes', lines: [`${count} notes`] }),
})

function countHook(services: unknown): Stage {
  const stage = services as Stage
  stage.hooksLeft -= 1
  if (stage.hooksLeft === 0) throw new TypeError('Unforeseen.')
  return stage
}

function liveSkill(fact: SkillFact) {
  const { name, requires, conflicts, exclusive, onConflict, lifetime, tools, wording } = fact
  const enter = ({ services, skill, resumed, undo }: SkillHookContext) => {
    const { inside } = countHook(services)
    const fails = fact.fails === 'always' || (fact.fails === 'resumed' && resumed)
    if (fails && !undo) throw new Error('Scripted.')
    inside.add(skill)
  }
  const leave = ({ services, skill }: SkillHookContext) => {
    countHook(services).inside.delete(skill)
  }
  return defineSkill({
    name,
    requires,
    conflicts,
    exclusive,
    onConflict,
    lifetime,
    description: `For ${name}. ${wording}`,
    tools: tools.map(liveTool),
    onActivate: enter,
    onDeactivate: leave,
  })
}

const catalogs = new Map<Edition, Promise<Catalog>>()

/** Returns the catalog of an edition; one for all sessions of the process. */
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
