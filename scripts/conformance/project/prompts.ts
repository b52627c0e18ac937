import type { McpPrompt } from 'loadout/mcp'
import { PIXEL } from './samples.ts'

const user = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const

/** Prompts with arguments and parts of every kind, and one that asks. */
export const prompts: readonly McpPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    get: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true, complete: () => ['one'] },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource', required: true }],
    get: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          uri: resourceUri,
          mediaType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      user('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt with an image.',
    get: () => [
      { role: 'user', content: { type: 'image', mediaType: 'image/png', data: PIXEL } },
      user('Please analyze the image above.'),
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks.',
    async get(_, { elicit }) {
      const answer = await elicit({
        key: 'user_context',
        message: 'What context should the prompt use?',
        schema: {
          type: 'object',
          properties: { context: { type: 'string' } },
          required: ['context'],
        },
      })
      const context = answer.action === 'accept' ? answer.content['context'] : 'none'
      return `Use the following context: ${String(context)}`
    },
  },
]
