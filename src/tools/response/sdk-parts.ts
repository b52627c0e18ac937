import { toBase64 } from '../../kernel/byte-length.ts'
import { isObject } from '../../kernel/json-value.ts'
import { type ReturnedPart, typeOfFile } from './content-part.ts'
import { ToolError } from './error-type.ts'

/** Converts what `toModelOutput` of an AI SDK tool returned into parts, or into the error that it means. */
export function sdkParts(output: unknown): readonly ReturnedPart[] | ToolError {
  if (!isObject(output)) return [textPart(output)]
  const { type, value, reason } = output
  switch (type) {
    case 'content':
      return Array.isArray(value) ? value.map(sdkPart) : []
    case 'error-text':
    case 'error-json':
      return new ToolError('PERMANENT', asText(value), { partialSideEffects: true })
    case 'execution-denied':
      return new ToolError('DENIED', typeof reason === 'string' ? reason : 'The call was denied.')
    default:
      return [textPart(value)]
  }
}

/** Converts one part of a result of the AI SDK. What only a provider can read becomes a sentence. */
export function sdkPart(given: unknown): ReturnedPart {
  if (!isObject(given)) return textPart(given)
  const { type, text, url } = given
  const mediaType = typeof given['mediaType'] === 'string' ? given['mediaType'] : undefined
  const name = typeof given['filename'] === 'string' ? { name: given['filename'] } : {}
  switch (type) {
    case 'text':
      return textPart(text)
    case 'file':
      return filePart(given['data'], mediaType, name)
    case 'file-data':
    case 'image-data':
    case 'media':
      return dataPart(given['data'], mediaType, name)
    case 'file-url':
    case 'image-url':
      return linkPart(url, mediaType, name)
    default: {
      const message = `A part of the type "${String(type)}" was left out: only its provider can read it.`
      return { type: 'text', text: message }
    }
  }
}

type Named = { readonly name?: string }

/** Converts a file of the SDK, whose data says what it is. */
function filePart(given: unknown, mediaType: string | undefined, name: Named): ReturnedPart {
  const { type, data, url, text } = isObject(given) ? given : { type: 'data', data: given }
  if (type === 'data') return dataPart(data, mediaType, name)
  if (type === 'url') return linkPart(url, mediaType, name)
  if (type === 'text') return textPart(text)
  return { type: 'text', text: 'A file was left out: only its provider can read it.' }
}

function dataPart(given: unknown, mediaType: string | undefined, name: Named): ReturnedPart {
  const data = given instanceof ArrayBuffer ? new Uint8Array(given) : (given as string | Uint8Array)
  const full = fullMediaType(mediaType, data)
  return { type: typeOfFile(full), mediaType: full, data, ...name }
}

/** A URL with data in it is data. */
function linkPart(given: unknown, mediaType: string | undefined, name: Named): ReturnedPart {
  const uri = String(given)
  const comma = uri.indexOf(',')
  const [type, ...parameters] = uri.slice('data:'.length, Math.max(0, comma)).split(';')
  if (uri.startsWith('data:') && type && parameters.at(-1) === 'base64') {
    return dataPart(uri.slice(comma + 1), type, name)
  }
  const isFull = mediaType !== undefined && isFullMediaType(mediaType)
  return { type: 'resource-link', uri, ...name, ...(isFull && { mediaType }) }
}

function isFullMediaType(mediaType: string): boolean {
  return mediaType.includes('/') && !mediaType.endsWith('/*')
}

/** The first characters of images in base64. */
const IMAGES: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** Completes a media type: the SDK also takes `image` and `image/*`, and finds out the rest from the data. */
function fullMediaType(mediaType: string | undefined, data: unknown): string {
  if (mediaType !== undefined && isFullMediaType(mediaType)) return mediaType
  const isBytes = data instanceof Uint8Array
  const start = isBytes ? toBase64(data.subarray(0, 12)) : String(data)
  const known = IMAGES.find(([beginning]) => start.startsWith(beginning))
  return known?.[1] ?? 'application/octet-stream'
}

function textPart(value: unknown): ReturnedPart {
  return { type: 'text', text: asText(value) }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}
