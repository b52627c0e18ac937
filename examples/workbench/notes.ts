import { defineComponent, ToolError } from 'loadout'
import { z } from 'zod'

/** An id is never used again, so that an old one cannot mean a new note. */
type Note = { readonly id: number; readonly text: string }

/** What the log keeps of the notes. */
type NotesState = { readonly lastId: number; readonly notes: readonly Note[] }

/** Notes are read at every step, so they stay few and short. */
const MOST_NOTES = 50
const text = z.string().min(1).max(500).describe('The note, in a sentence or two.')
const id = z.number().int().min(1).describe('The number before the note in the panel.')

/** Notes the model keeps for itself: three tools, and a panel that shows them at every step. */
export const notes = defineComponent<NotesState>({
  key: 'notes',
  displayName: 'Notes',
  description: 'Short notes that stay in view for the whole conversation.',
  initialState: { lastId: 0, notes: [] },
  tools: (tool) => [
    tool({
      name: 'add_note',
      description: 'Keep a note in view. Use it for facts and decisions that matter later.',
      category: 'action',
      risk: 'safe',
      topic: 'notes',
      phrases: ['remember this', 'note that down'],
      related: ['edit_note', 'remove_note'],
      inputSchema: z.object({ text }),
      execute: async ({ text }, context) => {
        const next = await context.update((state) => add(state, text))
        return { id: next.lastId }
      },
    }),
    tool({
      name: 'edit_note',
      description: 'Replace the text of a note.',
      category: 'action',
      risk: 'safe',
      topic: 'notes',
      idempotent: true,
      related: ['add_note', 'remove_note'],
      inputSchema: z.object({ id, text }),
      execute: async ({ id, text }, context) => {
        await context.update((state) => replace(state, id, [{ id, text }]))
        return { id }
      },
    }),
    tool({
      name: 'remove_note',
      description: 'Take a note away that no longer matters.',
      category: 'action',
      // It cannot be brought back, so a person is asked.
      risk: 'destructive',
      topic: 'notes',
      phrases: ['forget that'],
      related: ['add_note', 'edit_note'],
      inputSchema: z.object({ id }),
      execute: async ({ id }, context) => {
        await context.update((state) => replace(state, id, []))
        return { id }
      },
    }),
  ],
  panel: ({ notes }) => ({
    title: 'Notes',
    lines: notes.length === 0 ? ['No notes yet.'] : notes.map((note) => `${note.id}. ${note.text}`),
  }),
})

function add({ lastId, notes }: NotesState, text: string): NotesState {
  if (notes.length === MOST_NOTES) {
    throw new ToolError('CONFLICT', `There are ${MOST_NOTES} notes already; remove one first.`)
  }
  return { lastId: lastId + 1, notes: [...notes, { id: lastId + 1, text }] }
}

/** Put other notes, or none, in the place of one. */
function replace({ lastId, notes }: NotesState, id: number, by: readonly Note[]): NotesState {
  const at = notes.findIndex((note) => note.id === id)
  if (at < 0) {
    const known = notes.map((note) => note.id)
    throw new ToolError('NOT_FOUND', `There is no note ${id}.`, { details: { known } })
  }
  return { lastId, notes: notes.toSpliced(at, 1, ...by) }
}
