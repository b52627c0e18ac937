import type { ModelMessage, ToolResultPart } from 'ai'
import { withResults } from './fit-parts.ts'
import { dataOutput } from './model-output.ts'

/** One part of a result that has several. */
type ContentPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

/** Returns the tool to which a part of a result refers, in the form of Anthropic's provider. */
export function toolReference(part: ContentPart): string | undefined {
  if (part.type !== 'custom') return undefined
  const { type, toolName } = part.providerOptions?.['anthropic'] ?? {}
  return type === 'tool-reference' && typeof toolName === 'string' ? toolName : undefined
}

/**
 * Removes references to tools that a request does not carry, such as those of an older catalog: the
 * provider refuses a request with such a reference.
 */
export function dropDeadReferences(message: ModelMessage, sent: ReadonlySet<string>): ModelMessage {
  return withResults(message, (part) => {
    if (part.output.type !== 'content') return part
    const value = part.output.value.filter((one) => {
      const name = toolReference(one)
      return name === undefined || sent.has(name)
    })
    if (value.length === part.output.value.length) return part
    return { ...part, output: { ...part.output, value } }
  })
}

/**
 * Restores the references of results that were converted without a workspace, such as by the `agent.tools` of an
 * agent for many users: the provider waits for them.
 */
export function restoreReferences(
  messages: readonly ModelMessage[],
  isDeferred: (name: string) => boolean,
): ModelMessage[] {
  return messages.map((message) =>
    withResults(message, (part) => {
      if (part.output.type !== 'json') return part
      const output = dataOutput(part.output.value, part.toolName, isDeferred)
      return output.type === 'json' ? part : { ...part, output }
    }),
  )
}
