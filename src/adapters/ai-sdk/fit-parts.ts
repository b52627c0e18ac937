import type { LanguageModel, ModelMessage, ToolModelMessage, ToolResultPart } from 'ai'
import {
  type ContentPart,
  describePart,
  isBinaryPart,
  partText,
  typeOfFile,
} from '../../tools/response/content-part.ts'
import { sentMediaType } from '../../tools/response/sent-media-type.ts'

type Output = ToolResultPart['output']

type SdkPart = Extract<Output, { type: 'content' }>['value'][number]

/** Converts parts. Data becomes a file of the SDK, which providers send in their own form. */
export function contentOutput(content: readonly ContentPart[]): Output {
  const [first] = content
  if (content.length === 1 && first?.type === 'text') return { type: 'text', value: first.text }
  const value = content.map((part): SdkPart => {
    if (!isBinaryPart(part)) return { type: 'text', text: partText(part) }
    const { mediaType = 'application/octet-stream', data, name } = part
    const filename = name === undefined ? {} : { filename: name }
    return { type: 'file', mediaType, data: { type: 'data', data }, ...filename }
  })
  return { type: 'content', value }
}

/** The providers of the SDK whose results may have images and PDF. */
const CARRIES: Readonly<Record<string, 'openai' | 'anthropic'>> = {
  'anthropic.messages': 'anthropic',
  'openai.responses': 'openai',
}

/**
 * Replaces files in the results of a message by sentences, where the provider of the model does not take
 * them: it would drop them, refuse the request, or send their base64 as text. For a provider that was not
 * tried, every result is text. Returns the same object when nothing changes.
 */
export function fitParts(message: ModelMessage, model: LanguageModel): ModelMessage {
  if (message.role !== 'tool' || !hasParts(message)) return message
  const provider = typeof model === 'string' ? undefined : CARRIES[model.provider]
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const output = fitOutput(part.output, provider)
    return output === part.output ? part : { ...part, output }
  })
  const isSame = content.every((part, index) => part === message.content[index])
  return isSame ? message : { ...message, content }
}

/** Returns true for a message with a result that has several parts. */
export function hasParts({ content }: ToolModelMessage): boolean {
  return content.some((part) => part.type === 'tool-result' && part.output.type === 'content')
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

function fitPart(part: SdkPart, provider: 'openai' | 'anthropic' | undefined): SdkPart {
  if (part.type !== 'file' || part.data.type !== 'data') return part
  const { mediaType, filename } = part
  const data =
    typeof part.data.data === 'string'
      ? part.data.data
      : Buffer.from(new Uint8Array(part.data.data)).toString('base64')
  const name = filename === undefined ? {} : { name: filename }
  const file = { type: typeOfFile(mediaType), mediaType, data, ...name }
  const sent = provider && sentMediaType(file, provider)
  if (sent === undefined || sent.startsWith('audio/')) {
    return { type: 'text', text: describePart(file) }
  }
  return sent === mediaType ? part : { ...part, mediaType: sent }
}
