import { fromBase64, latin1 } from '../../kernel/byte-length.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import { type BinaryPart, type ContentPart, isBinaryPart, partText } from './content-part.ts'

/** Media types that providers take in a message or a result, with the first bytes of such data (latin1). */
const SIGNATURES = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /%PDF-/],
  ['audio/wav', /^RIFF[^]{4}WAVE/],
  ['audio/mpeg', /^(?:ID3|\xff[\xe2-\xff])/],
] as const

/** A media type that providers take. */
type SentMediaType = (typeof SIGNATURES)[number][0]

/** A part of a result for a provider, with the text that it has where its data has no form. */
export type SentContentPart = { readonly text: string; readonly name?: string } & (
  | { readonly kind: 'text' }
  | {
      readonly kind: 'image'
      readonly mediaType: Extract<SentMediaType, `image/${string}`>
      readonly data: string
    }
  | { readonly kind: 'file'; readonly mediaType: 'application/pdf'; readonly data: string }
  | {
      readonly kind: 'audio'
      readonly mediaType: 'audio/mpeg' | 'audio/wav'
      readonly data: string
    }
)

/** Returns a part as a provider gets it: with its data, or as text where the provider does not take its data. */
export function sentPart(part: ContentPart, provider: Provider): SentContentPart {
  const text = partText(part)
  const mediaType = isBinaryPart(part) ? sentMediaType(part, provider) : undefined
  if (!isBinaryPart(part) || mediaType === undefined) return { kind: 'text', text }
  const { data, name } = part
  const named = name === undefined ? {} : { name }
  switch (mediaType) {
    case 'application/pdf':
      return { kind: 'file', text, mediaType, data, ...named }
    case 'audio/mpeg':
    case 'audio/wav':
      return { kind: 'audio', text, mediaType, data }
    case 'image/png':
    case 'image/jpeg':
    case 'image/gif':
    case 'image/webp':
      return { kind: 'image', text, mediaType, data }
  }
}

/** Characters of base64 in which a signature is: a PDF may begin within its first 1,024 bytes. */
const HEAD = 1368

/**
 * Characters of base64 that an image may have at Anthropic, whose API counts them and not the bytes. Other hosts of
 * its models take half of that. OpenAI takes more than a result may have.
 */
const MOST_OF_IMAGE = 10 * 1024 * 1024

/**
 * Returns the media type under which a provider gets the data of a part; undefined for data that it does not take.
 *
 * It is read from the data: a provider refuses a request with an image that is not what its type says, and with it
 * every later request of the conversation. Only the kind (image, audio or PDF) is that of the part.
 */
export function sentMediaType(
  { mediaType = '', data }: BinaryPart,
  provider: Provider,
): SentMediaType | undefined {
  const kind = mediaKind(mediaType)
  const head = latin1(fromBase64(data.slice(0, HEAD)))
  const known = SIGNATURES.find(([type, start]) => mediaKind(type) === kind && start.test(head))
  const isTooLarge = provider === 'anthropic' && kind === 'image' && data.length > MOST_OF_IMAGE
  return isTooLarge ? undefined : known?.[0]
}

/** Returns the first part of a media type; a PDF is of a kind of its own. */
function mediaKind(mediaType: string): string {
  return mediaType === 'application/pdf' ? mediaType : (mediaType.split('/', 1)[0] ?? '')
}
