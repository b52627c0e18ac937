import type { ModelMessage } from 'ai'
import { withResults } from './fit-parts.ts'
import { dataOutput } from './model-output.ts'
import { toolReference } from './read-message.ts'

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
