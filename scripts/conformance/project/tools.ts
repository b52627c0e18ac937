import { setTimeout as pause } from 'node:timers/promises'
import { defineTool, succeed, type Tool } from 'loadout'
import { PIXEL, SILENCE } from './samples.ts'

const NOTHING = { type: 'object', properties: {} } as const

const image = { type: 'image', mediaType: 'image/png', data: PIXEL } as const

const text = (written: string) => ({ type: 'text', text: written }) as const

/** A tool without arguments that changes nothing. */
export function plain(
  name: string,
  description: string,
  execute: NonNullable<Tool<unknown>['execute']>,
): Tool {
  return defineTool({
    name,
    description,
    category: 'utility',
    inputSchema: NOTHING,
    execute,
  }) as Tool
}

/** Tools whose results have every kind of part, that fail, and that report. */
export const tools: readonly Tool[] = [
  plain('test_simple_text', 'Returns a text.', () => 'This is a simple text response for testing.'),
  plain('test_image_content', 'Returns an image.', () => succeed(null, { content: [image] })),
  plain('test_audio_content', 'Returns a sound.', () =>
    succeed(null, { content: [{ type: 'audio', mediaType: 'audio/wav', data: SILENCE }] }),
  ),
  plain('test_embedded_resource', 'Returns a resource.', () =>
    succeed(null, {
      content: [
        {
          type: 'resource',
          uri: 'test://embedded-resource',
          mediaType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      ],
    }),
  ),
  plain('test_multiple_content_types', 'Returns a text, an image and a resource.', () =>
    succeed(null, {
      content: [
        text('Multiple content types test:'),
        image,
        {
          type: 'resource',
          uri: 'test://mixed-content-resource',
          mediaType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      ],
    }),
  ),
  plain('test_error_handling', 'Fails.', () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
  plain(
    'test_tool_with_logging',
    'Writes three lines to the log of the client.',
    async (_, ctx) => {
      for (const data of ['started', 'processing data', 'completed']) {
        ctx.log({ level: 'info', data: `Tool execution ${data}` })
        await pause(20)
      }
      return 'Tool with logging executed successfully'
    },
  ),
  plain('test_logging_tool', 'Writes a line to the log of the client.', (_, ctx) => {
    ctx.log({ level: 'info', data: 'test_logging_tool ran' })
    return 'logged'
  }),
  plain('test_tool_with_progress', 'Reports progress three times.', async (_, ctx) => {
    for (const fraction of [0, 0.5, 1]) {
      ctx.progress({ fraction, message: `${fraction * 100} of 100` })
      await pause(20)
    }
    return 'done'
  }),
  plain('test_streaming_elicitation', 'Returns a text over a stream.', () => 'result frames only'),
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with keywords of the 2020-12 dialect.',
    category: 'utility',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    execute: (input) => `called with ${JSON.stringify(input)}`,
  }) as Tool,
]
