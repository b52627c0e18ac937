import type { FilePart, LanguageModel, ModelMessage, ToolModelMessage, ToolResultPart } from 'ai'
import { type ContentPart, describePart, partText } from '../../../entries/adapter.ts'
import { PARTS_OF_RESULTS } from '../../../entries/kit.ts'
import { type BinaryPart, isBinaryPart } from '../../../tools/response/content-part.ts'
import { sdkPart } from '../../../tools/response/sdk-parts.ts'
import { sentMediaType } from '../../../tools/response/sent-media-type.ts'
import { isPrefix } from '../../../workspace/offer/conversation/history-message.ts'

type Output = ToolResultPart['output']

type SdkPart = Extract<Output, { type: 'content' }>['value'][number]

/** Converts parts. Data becomes a file of the SDK, which providers send in their own form. */
export function contentOutput(content: readonly ContentPart[]): Output {
  const [first] = content
  if (content.length === 1 && first?.type === 'text') return { type: 'text', value: first.text }
  const value = content.map((part): SdkPart => {
    if (!isBinaryPart(part)) return { type: 'text', text: partText(part) }
    return filePartOf(part)
  })
  return { type: 'content', value }
}

function filePartOf({ mediaType = 'application/octet-stream', data, name }: BinaryPart): SdkPart {
  const filename = name === undefined ? {} : { filename: name }
  return { type: 'file', mediaType, data: { type: 'data', data }, ...filename }
}

/** The providers of the SDK whose results may have images and PDF. */
const CARRIES: Readonly<Record<string, 'openai' | 'anthropic'>> = {
  'anthropic.messages': 'anthropic',
  'openai.responses': 'openai',
}

/** A provider of the SDK whose results are text, while a message of the user may have images, PDF and sounds. */
const IN_MESSAGES = 'openai.chat'

/**
 * Replaces files in results by sentences, where the provider of the model does not take them: it would drop them,
 * refuse the request, or send their base64 as text. For a provider that was not tried, every result is text.
 *
 * @returns for each message, the same object when nothing changes, and the message with the files of its results, and
 *   of those before it, where they cannot be in results
 */
export function fitParts(
  messages: readonly ModelMessage[],
  model: LanguageModel,
): readonly (readonly [ModelMessage, ...ModelMessage[]])[] {
  const provider = typeof model === 'string' ? '' : model.provider
  let answered: readonly ToolModelMessage[] = []
  return messages.map((message, index) => {
    if (message.role !== 'tool') return [message]
    const fitted = withResults(message, (part) => {
      if (part.output.type !== 'content') return part
      const output = fitOutput(part.output, CARRIES[provider])
      return output === part.output ? part : { ...part, output }
    })
    if (provider !== IN_MESSAGES) return [fitted]
    answered = [...answered, message]
    // The results of one answer follow each other.
    if (messages[index + 1]?.role === 'tool') return [fitted]
    const files = filesMessage(answered)
    answered = []
    return files === null ? [fitted] : [fitted, files]
  })
}

const filesMessages = new WeakMap<
  ToolModelMessage,
  { readonly parts: readonly SdkPart[]; readonly message: ModelMessage | null }
>()

/** Returns the message of the user with the files of results: one object while the parts of the results are the same. */
function filesMessage(answered: readonly ToolModelMessage[]): ModelMessage | null {
  const [first] = answered
  const parts = answered.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === 'tool-result' && part.output.type === 'content' ? part.output.value : [],
    ),
  )
  if (first === undefined || parts.length === 0) return null
  const known = filesMessages.get(first)
  const isSame = known?.parts.length === parts.length && isPrefix(known.parts, parts)
  if (known && isSame) return known.message
  const files = parts.flatMap((part) => filePart(part) ?? [])
  const text = { type: 'text' as const, text: PARTS_OF_RESULTS }
  const message: ModelMessage | null =
    files.length === 0 ? null : { role: 'user', content: [text, ...files] }
  filesMessages.set(first, { parts, message })
  return message
}

function filePart(part: SdkPart): FilePart | null {
  const read = readPart(part)
  if (!isBinaryPart(read)) return null
  const mediaType = sentMediaType(read, 'openai')
  if (mediaType === undefined) return null
  const { data, name } = read
  return { type: 'file', mediaType, data, ...(name !== undefined && { filename: name }) }
}

/** Replaces the results in a message; returns the same object when none is replaced by another one. */
export function withResults(
  message: ModelMessage,
  replace: (part: ToolResultPart) => ToolResultPart,
): ModelMessage {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? replace(part) : part,
  )
  const isSame = content.every((part, at) => part === message.content[at])
  return isSame ? message : { ...message, content }
}

function fitOutput(
  output: Extract<Output, { type: 'content' }>,
  provider: 'openai' | 'anthropic' | undefined,
): Output {
  const value = output.value.map((part) => fitPart(part, provider))
  const texts = value.flatMap((part) => (part.type === 'text' ? part.text : []))
  if (provider === undefined && texts.length === value.length) {
    return { type: 'text', value: texts.join('\n\n') }
  }
  return value.every((part, index) => part === output.value[index]) ? output : { ...output, value }
}

/** Providers drop some forms of the SDK: data and texts get those that they take. */
function fitPart(part: SdkPart, provider: 'openai' | 'anthropic' | undefined): SdkPart {
  if (part.type === 'text') return part
  const read = readPart(part)
  if (provider === undefined) return { type: 'text', text: partText(read) }
  if (!isBinaryPart(read)) {
    const isText = part.type === 'file' && part.data.type === 'text'
    return isText ? { type: 'text', text: partText(read) } : part
  }
  const mediaType = sentMediaType(read, provider)
  if (mediaType === undefined || mediaType.startsWith('audio/')) {
    return { type: 'text', text: describePart(read) }
  }
  const isSame = part.type === 'file' && part.data.type === 'data' && part.mediaType === mediaType
  return isSame ? part : filePartOf({ ...read, mediaType })
}

/** Reads a part in any form of the SDK, also in the deprecated ones and with a URL that holds its data. */
function readPart(part: SdkPart): ContentPart {
  const read = sdkPart(part)
  if (!('data' in read) || read.data === undefined) return read as ContentPart
  const { data } = read
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return { ...read, data: base64 } as ContentPart
}
