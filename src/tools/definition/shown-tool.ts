import { firstSentence } from '../../kernel/first-sentence.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { isObject } from '../../kernel/json-value.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import type { Tool, ToolDefinition } from './tool.ts'

/** The fields of a definition that a model, a client or an embedder may read, without the names of tools. */
const SHOWN = [
  'description',
  'summary',
  'documentation',
  'phrases',
  'guidance',
  'annotations',
  'inputSchema',
  'outputSchema',
  'inputExamples',
  'providerOptions',
] as const satisfies readonly (keyof ToolDefinition)[]

const shown = identityMemo<Tool>()

/**
 * Returns a tool as everybody reads it: without secrets in the texts of its definition, with its own name, hash,
 * checks and handler. The same object for the same tool, and the tool itself where it has no secret.
 */
export function shownTool(tool: Tool, redactor: Redactor | undefined): Tool {
  if (redactor === undefined) return tool
  return shown([redactor, tool], '', () => {
    const changed: [string, unknown][] = []
    for (const field of SHOWN) {
      const text: unknown = redactor.texts(tool[field])
      if (text !== tool[field]) changed.push([field, isObject(text) ? withoutRepeats(text) : text])
    }
    if (changed.length === 0) return tool
    const texts = Object.fromEntries(changed) as Partial<ToolDefinition>
    // Cut from the description before a secret in it was hidden, a summary may have a part of one.
    const isCut =
      texts.description !== undefined && tool.summary === firstSentence(tool.description)
    const summary = isCut && { summary: firstSentence(texts.description ?? '') }
    return Object.freeze({ ...tool, ...texts, ...summary })
  })
}

/** Returns a schema in which no list of values or names has two that look the same now: providers refuse those. */
function withoutRepeats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRepeats)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => {
    const isList = (key === 'enum' || key === 'required') && Array.isArray(member)
    return [key, isList ? [...new Set(member)] : withoutRepeats(member)]
  })
  return Object.fromEntries(members)
}
