import type { LanguageModel, ModelMessage, ToolModelMessage, ToolResultPart } from 'ai'
import {
  type ContentPart,
  describePart,
  IMAGE_TYPES,
  isBinaryPart,
  partText,
  typeOfFile,
} from '../../tools/response/content-part.ts'

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

/** Media types that a result may have, by the SDK's provider of a model. */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  'anthropic.messages': [...IMAGE_TYPES, 'application/pdf'],
  'openai.responses': [...IMAGE_TYPES, 'application/pdf'],
}

/**
 * Replaces files in the results of a message by sentences, where the provider of the model does not take
 * them: it would drop them, refuse the request, or send their base64 as text. For a provider that was not
 * tried, every result is text. Returns the same object when nothing changes.
 */
export function fitParts(message: ModelMessage, model: LanguageModel): ModelMessage {
  if (message.role !== 'tool' || !hasParts(message)) return message
  const carried = typeof model === 'string' ? undefined : CARRIED[model.provider]
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const output = fitOutput(part.output, carried)
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
  carried: readonly string[] | undefined,
): Output {
  const value = output.value.map((part) => fitPart(part, carried ?? []))
  const texts = value.flatMap((part) => (part.type === 'text' ? part.text : []))
  if (carried === undefined && texts.length === value.length) {
    return { type: 'text', value: texts.join('\n\n') }
  }
  return value.every((part, index) => part === output.value[index]) ? output : { ...output, value }
}

function fitPart(part: SdkPart, carried: readonly string[]): SdkPart {
  if (part.type !== 'file' || part.data.type !== 'data' || carried.includes(part.mediaType)) {
    return part
  }
  const { mediaType, filename, data } = part
  const base64 =
    typeof data.data === 'string'
      ? data.data
      : Buffer.from(new Uint8Array(data.data)).toString('base64')
  const name = filename === undefined ? {} : { name: filename }
  const file: ContentPart = { type: typeOfFile(mediaType), mediaType, data: base64, ...name }
  return { type: 'text', text: describePart(file) }
}
