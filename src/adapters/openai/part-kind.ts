import {
  type BinaryPart,
  type ContentPart,
  IMAGE_TYPES,
  isBinaryPart,
} from '../../tools/response/content-part.ts'

/** A part with data that the provider takes, or one that becomes text. */
export type KnownPart =
  | { readonly kind: 'image' | 'audio'; readonly mediaType: string; readonly part: BinaryPart }
  | { readonly kind: 'file'; readonly filename: string; readonly part: BinaryPart }
  | { readonly kind: 'text' }

/** Returns the kind of a part for the provider. A resource with data counts by its media type. */
export function partKind(part: ContentPart): KnownPart {
  if (!isBinaryPart(part)) return { kind: 'text' }
  const { type, mediaType = '', name = 'file.pdf' } = part
  const isImage = IMAGE_TYPES.some((one) => one === mediaType)
  if (isImage) return { kind: 'image', mediaType, part }
  if (type === 'audio' || mediaType.startsWith('audio/')) return { kind: 'audio', mediaType, part }
  return mediaType === 'application/pdf' ? { kind: 'file', filename: name, part } : { kind: 'text' }
}

export function dataUrl({ mediaType = 'application/octet-stream', data }: BinaryPart): string {
  return `data:${mediaType};base64,${data}`
}
