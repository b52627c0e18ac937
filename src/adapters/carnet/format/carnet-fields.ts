import { z } from 'zod'

const text = z.string('must be text')
const filled = text.min(1, 'must not be empty')
const texts = z.array(text, 'must be a list of texts').default([])

/** Runtime checks of the parts of a Carnet manifest; fields they do not know are left out. */
export const CARNET_FIELDS = {
  app: z
    .object({ globalInitialSkills: texts, globalSkills: texts }, 'must be an object')
    .default({ globalInitialSkills: [], globalSkills: [] }),
  agents: z.object(
    { name: filled, description: filled, initialSkills: texts, skills: texts, prompt: text },
    'must be an object',
  ),
  skills: z.object(
    {
      name: filled,
      description: filled,
      toolsets: texts,
      files: z
        .array(z.object({ path: filled, description: text.default(''), content: text }))
        .default([]),
      content: text,
    },
    'must be an object',
  ),
  toolsets: z.object(
    { name: filled, description: filled, tools: texts, content: text },
    'must be an object',
  ),
  tools: z.object({ name: filled, description: filled, content: text }, 'must be an object'),
} as const
