import { defineSkill, defineTool, type JsonSchema, type Skill } from 'loadout'
import { z } from 'zod'

/** One skill before any library has read it, so that each library gets the same one. */
export interface SkillText {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly tools: readonly ToolText[]
}

export interface ToolText {
  readonly name: string
  readonly description: string
}

const SUBJECTS = ['invoices', 'calendars', 'repositories', 'orders', 'tickets', 'maps', 'notes']
const ACTIONS = ['searches', 'compares', 'summarises', 'corrects', 'archives'] as const
const ADVICE = [
  'Read what is there before you change it, and say which record you mean by its id.',
  'Ask when two records fit the request equally well, and show what tells them apart.',
  'Keep amounts in the currency they were given in, and never round before the last step.',
  'When a tool answers with an error, tell what it says and try once more with less.',
]

/** Returns a number of skills, always the same ones: about 150 characters, 2 kB and 3 tools each. */
export function generateSkills(count: number): readonly SkillText[] {
  return Array.from({ length: count }, (_, index) => {
    const subject = SUBJECTS[index % SUBJECTS.length]
    const action = ACTIONS[index % ACTIONS.length]
    const name = `${subject}-${index}`
    return {
      name,
      description: `Finds, ${action} and explains ${subject} of department ${index}. Use it when somebody asks about ${subject}, their state, their history or who changed them last.`,
      instructions: instructionsOf(name),
      tools: ['find', 'read', 'change'].map((verb) => ({
        name: `${verb}_${name.replace('-', '_')}`,
        description: `Use it to ${verb} ${subject} of department ${index} by number, date or owner.`,
      })),
    }
  })
}

function instructionsOf(name: string): string {
  const steps = Array.from(
    { length: 20 },
    (_, index) => `${index + 1}. ${ADVICE[index % ADVICE.length]}`,
  )
  return [`# Working with ${name}`, ...steps, `Look first, then read, and change last.`].join(
    '\n\n',
  )
}

/** The JSON Schema of every tool's input. */
export const INPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Id of the record.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many at most.' },
  },
  required: ['id'],
  additionalProperties: false,
}

const ZOD_SCHEMA = z.object({
  id: z.string().describe('Id of the record.'),
  limit: z.number().int().min(1).max(100).optional().describe('How many at most.'),
})

/** The skills in the form of Loadout: one tool described by zod, the others by JSON Schema. */
export function loadoutSkills(texts: readonly SkillText[]): readonly Skill[] {
  return texts.map(({ name, description, instructions, tools }) =>
    defineSkill({
      name,
      description,
      instructions: instructions,
      tools: tools.map((tool, index) =>
        index === 0
          ? defineTool({ ...tool, inputSchema: ZOD_SCHEMA, execute: ({ id }) => id })
          : defineTool({ ...tool, inputSchema: INPUT_SCHEMA, execute: () => 'done' }),
      ),
    }),
  )
}
