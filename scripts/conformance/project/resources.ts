import type { McpResource } from 'loadout/mcp'
import { PIXEL } from './samples.ts'

/** Resources of every kind. */
export const resources: readonly McpResource[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    mediaType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    mediaType: 'image/png',
    read: () => Buffer.from(PIXEL, 'base64'),
  },
  {
    uri: 'test://template/{id}/data',
    name: 'template',
    mediaType: 'application/json',
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    mediaType: 'text/plain',
    read: () => 'Watched resource content',
  },
]
