import { isObject } from '../../kernel/json-value.ts'
import { type ReturnedPart, typeOfFile } from './content-part.ts'

/** A result of the Model Context Protocol, in the form for a handler to return. */
export interface McpResult {
  /** Its structured content, or else its text. */
  readonly data: unknown
  readonly content: readonly ReturnedPart[]
  /** The parts as the server gave them. */
  readonly given: readonly unknown[]
}

const RESULT_MEMBERS: ReadonlySet<string> = new Set([
  'content',
  'structuredContent',
  'isError',
  '_meta',
])

/** Reads a value that has exactly the form of an MCP result; null for any other value. */
export function readMcpResult(value: unknown): McpResult | null {
  if (!isObject(value) || !Array.isArray(value['content'])) return null
  if (!Object.keys(value).every((name) => RESULT_MEMBERS.has(name))) return null
  const given = value['content'] as readonly unknown[]
  const content = mcpParts(given)
  if (content.length === 0 || content.length < given.length) return null
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []))
  return { data: value['structuredContent'] ?? texts.join('\n'), content, given }
}

/** Converts parts of an MCP result, a prompt or a message. A part of another kind is left out. */
export function mcpParts(given: readonly unknown[]): readonly ReturnedPart[] {
  return given.flatMap((part) => mcpPart(part) ?? [])
}

/** Converts a part of an MCP result; undefined for anything else. */
function mcpPart(given: unknown): ReturnedPart | undefined {
  if (!isObject(given)) return undefined
  const { type, text, data, uri, name, description, resource } = given
  const mediaType = given['mimeType']
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type, text } : undefined
    case 'image':
    case 'audio': {
      if (typeof data !== 'string') return undefined
      const known = typeof mediaType === 'string' ? mediaType : 'application/octet-stream'
      return { type: typeOfFile(known), mediaType: known, data }
    }
    case 'resource_link':
      if (typeof uri !== 'string') return undefined
      return present({ type: 'resource-link', uri, mediaType, name, description })
    case 'resource': {
      if (!isObject(resource) || typeof resource['uri'] !== 'string') return undefined
      const { mimeType, text: ofResource, blob } = resource
      return present({
        type: 'resource',
        uri: resource['uri'],
        mediaType: mimeType,
        text: ofResource,
        data: blob,
      })
    }
    default:
      return undefined
  }
}

/** Leaves out what is not text. The pipeline checks the rest. */
function present(members: {
  readonly type: ReturnedPart['type']
  readonly [name: string]: unknown
}): ReturnedPart {
  const texts = Object.entries(members).filter(([, member]) => typeof member === 'string')
  return Object.fromEntries(texts) as unknown as ReturnedPart
}
