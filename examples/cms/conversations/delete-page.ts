import type { Conversation } from './conversation.ts'

/** What cannot be undone is asked about: the call runs once, after the yes. */
export const deletePage: Conversation = {
  name: 'D',
  title: 'a destructive call that a person agrees to',
  turns: [
    {
      user: 'Delete the rooms page.',
      says: [
        [{ tool: 'tool_search', input: { query: 'delete page' } }],
        [{ tool: 'cms_deletePage', input: { page: 'rooms' } }],
        'The page is gone. The menu still links to it; shall I take that out, too?',
      ],
    },
  ],
}
