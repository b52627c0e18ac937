import { defineTool } from 'loadout'
import { z } from 'zod'
import { stepsOf } from './steps-of.ts'

export const planAnalyzeTask = defineTool({
  name: 'plan_analyzeTask',
  description:
    'Break a task of several parts into steps, with what to search tools for in each. ' +
    'Only reads the words: nothing is looked up and nothing is changed.',
  category: 'utility',
  topic: 'planning',
  phrases: ['plan a task', 'break down the work', 'which steps are needed'],
  inputSchema: z.object({
    task: z.string().min(1).max(2_000).describe('The task as the user gave it.'),
  }),
  outputSchema: z.object({
    steps: z.array(
      z.object({ what: z.string(), topics: z.array(z.string()), destructive: z.boolean() }),
    ),
  }),
  execute: ({ task }) => ({ steps: stepsOf(task) }),
})
