import type { Conversation } from './conversation.ts'

/** Type A: what needs no tool is answered at once. */
export const directAnswer: Conversation = {
  name: 'A',
  title: 'a question that needs no tool',
  turns: [
    {
      user: 'What is a section in a CMS?',
      says: ['A part of a page with fields of its own, such as a headline over a picture.'],
    },
  ],
}
