import type { ModelMessage, ToolModelMessage } from 'ai'
import { referenceIn, type ContentPart } from './reference-in.ts'

/**
 * Leave out references to tools that a request does not carry, such as those of a catalog that
 * has changed since: the provider refuses a request that has one.
 */
export function withoutDeadReferences(
  messages: readonly ModelMessage[],
  sent: ReadonlySet<string>,
): readonly ModelMessage[] {
  const isDead = (part: ContentPart) => {
    const name = referenceIn(part)
    return name !== undefined && !sent.has(name)
  }
  return messages.map((message) =>
    message.role === 'tool' ? withoutParts(message, isDead) : message,
  )
}

/** The message itself when it has none of these parts. */
function withoutParts(
  message: ToolModelMessage,
  isOut: (part: ContentPart) => boolean,
): ToolModelMessage {
  let isSame = true
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const value = part.output.value.filter((one) => !isOut(one))
    if (value.length === part.output.value.length) return part
    isSame = false
    return { ...part, output: { ...part.output, value } }
  })
  return isSame ? message : { ...message, content }
}
