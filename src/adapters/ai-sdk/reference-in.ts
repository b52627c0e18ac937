import type { ToolResultPart } from 'ai'

/** One part of a result that is made of several. */
export type ContentPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

/** The tool that a part of a result refers to, in the form Anthropic's provider takes. */
export function referenceIn(part: ContentPart): string | undefined {
  if (part.type !== 'custom') return undefined
  const { type, toolName } = part.providerOptions?.['anthropic'] ?? {}
  return type === 'tool-reference' && typeof toolName === 'string' ? toolName : undefined
}
