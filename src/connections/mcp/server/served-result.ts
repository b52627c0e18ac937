import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { type ContentPart, describePart } from '../../../entries/adapter.ts'
import type { ToolResponse } from '../../../entries/index.ts'
import { isObject, sanitiseText } from '../../../entries/kit.ts'

/** The member of `_meta` that has the reason of a refused or failed call. */
const REASON_META = 'loadout/error'

/**
 * Writes the result of a call for a client: the parts for the model, or else the data as JSON; the data also as
 * `structuredContent` for a tool with an output schema. A failure is a result with `isError`; its reason is in
 * `_meta`.
 */
export function servedResult(
  response: ToolResponse,
  hasOutputSchema: boolean,
  notes: readonly string[] = [],
): CallToolResult {
  const further = notes.map(textBlock)
  if (!response.ok) {
    const { message, ...reason } = response.error
    const _meta = { [REASON_META]: { code: reason.details['code'] ?? reason.type, ...reason } }
    return { content: [textBlock(message), ...further], isError: true, _meta }
  }
  const { data, content } = response
  const structured = hasOutputSchema ? { structuredContent: data as Record<string, unknown> } : {}
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null)
  const blocks = content?.map(contentBlock) ?? [textBlock(text)]
  return { content: [...blocks, ...further], ...structured }
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text: sanitiseText(text) }
}

/** Writes a part for a client. A file that is neither an image nor a sound is a resource with its data. */
export function contentBlock(part: ContentPart): ContentBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
    case 'audio':
      return { type: part.type, data: part.data, mimeType: part.mediaType }
    case 'file': {
      const uri = `file:///${encodeURIComponent(part.name ?? 'file')}`
      return { type: 'resource', resource: { uri, mimeType: part.mediaType, blob: part.data } }
    }
    case 'resource': {
      const type = part.mediaType === undefined ? {} : { mimeType: part.mediaType }
      const content = part.data === undefined ? { text: part.text ?? '' } : { blob: part.data }
      return { type: 'resource', resource: { uri: part.uri, ...type, ...content } }
    }
    case 'resource-link': {
      const { uri, name = uri, mediaType: mimeType, description } = part
      return {
        type: 'resource_link',
        uri,
        name,
        ...(mimeType !== undefined && { mimeType }),
        ...(description !== undefined && { description }),
      }
    }
  }
}

/** Writes a part of a message for the model of a client, which reads texts, images and sounds. */
export function samplingBlock(
  part: ContentPart,
): ContentBlock & { type: 'text' | 'image' | 'audio' } {
  if (part.type === 'image' || part.type === 'audio') {
    return { type: part.type, data: part.data, mimeType: part.mediaType }
  }
  return { type: 'text', text: part.type === 'text' ? part.text : describePart(part) }
}

/** Reads what the model of a client wrote; null for a form that has no part. */
export function samplingPart(content: unknown): ContentPart | null {
  const [block] = Array.isArray(content) ? (content as readonly unknown[]) : [content]
  if (!isObject(block)) return null
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return { type, text }
  if ((type !== 'image' && type !== 'audio') || typeof data !== 'string') return null
  return typeof mimeType === 'string' ? { type, data, mediaType: mimeType } : null
}
