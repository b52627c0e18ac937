import type { ContentPart } from '../../../entries/adapter.ts'
import { isBinaryPart } from '../../../tools/response/content-part.ts'
import { sentMediaType } from '../../../tools/response/sent-media-type.ts'

/** A part with data that the provider takes, or one that becomes text. */
export type KnownPart =
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'file'; readonly url: string; readonly filename: string }
  | { readonly kind: 'audio'; readonly format: 'mp3' | 'wav'; readonly data: string }
  | { readonly kind: 'text' }

/** Returns the kind of a part for the provider, by its data. */
export function partKind(part: ContentPart): KnownPart {
  if (!isBinaryPart(part)) return { kind: 'text' }
  const { data, name: filename = 'file.pdf' } = part
  const mediaType = sentMediaType(part, 'openai')
  const url = `data:${mediaType};base64,${data}`
  switch (mediaType) {
    case undefined:
      return { kind: 'text' }
    case 'application/pdf':
      return { kind: 'file', url, filename }
    case 'audio/mpeg':
      return { kind: 'audio', format: 'mp3', data }
    case 'audio/wav':
      return { kind: 'audio', format: 'wav', data }
    case 'image/png':
    case 'image/jpeg':
    case 'image/gif':
    case 'image/webp':
      return { kind: 'image', url }
  }
}
