import { defineComponent } from 'loadout'
import { z } from 'zod'

const todo = z.object({
  content: z.string().min(1).max(200).describe('The task, in one line.'),
  status: z.enum(['pending', 'in_progress', 'completed']),
})
type Todo = Readonly<z.infer<typeof todo>>

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const

/** A list of tasks that the model replaces as one, and reads in a panel. */
export const todoList = defineComponent<readonly Todo[]>({
  key: 'todo',
  displayName: 'Tasks',
  description: 'The tasks of the current work, and how far each is.',
  initialState: [],
  tools: (tool) => [
    tool({
      name: 'todo_write',
      description:
        'Replace the list of tasks. Give all tasks each time, also those that did not change. ' +
        'Use it for work of three or more steps. Have one task in progress, and complete it before the next.',
      category: 'action',
      risk: 'safe',
      idempotent: true,
      phrases: ['plan the work', 'what is left to do'],
      inputSchema: z.object({ todos: z.array(todo).max(50) }),
      execute: async ({ todos }, { update }) => {
        await update(() => todos)
        return { left: todos.filter(({ status }) => status !== 'completed').length }
      },
    }),
  ],
  panel: (todos) => ({
    title: 'Tasks',
    lines:
      todos.length === 0
        ? ['No tasks.']
        : todos.map(({ content, status }) => `${MARKS[status]} ${content}`),
  }),
})
