import type { Conversation } from './conversation.ts'

/** Type B: one search, one call. */
export const findHeroImage: Conversation = {
  name: 'B',
  title: 'one search and one call',
  turns: [
    {
      user: 'Find the hero image.',
      says: [
        [{ tool: 'tool_search', input: { query: 'find the hero image' } }],
        [{ tool: 'cms_findImage', input: { description: 'hero image' } }],
        'It is hero-mountains.jpg: snowy mountains at sunrise.',
      ],
    },
  ],
}
