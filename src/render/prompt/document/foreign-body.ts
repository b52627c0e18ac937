import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import { substituteVariables, type VariableScope } from '../../../kernel/substitute-variables.ts'
import type { PromptBlock } from './prompt-document.ts'

/** A body with the variables it used and those it asked for in vain. */
export interface ForeignBody {
  /** Absent when nothing but blanks is left. */
  readonly block: PromptBlock | undefined
  readonly used: readonly string[]
  readonly unknown: readonly string[]
}

/**
 * Markdown from an agent, a skill or a component, ready for the document: variables put in, hidden
 * characters shown (in values too), empty lines around it taken away.
 */
export function foreignBody(
  source: string,
  scopes: readonly VariableScope[],
  plain = false,
): ForeignBody {
  const { text, used, unknown } = substituteVariables(source, scopes)
  const body = withoutLeadingLines(sanitiseText(text).trimEnd())
  return { block: body === '' ? undefined : { kind: 'body', text: body, plain }, used, unknown }
}

/** Blank first lines go; the indentation of the first real one stays, it may mean code. */
function withoutLeadingLines(text: string): string {
  const indent = text.length - text.trimStart().length
  return text.slice(text.lastIndexOf('\n', indent - 1) + 1)
}
