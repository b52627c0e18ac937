import { defineTool } from 'loadout'

export default defineTool({
  name: 'echo',
  description: 'Say a text again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }) => ({ text }),
})
