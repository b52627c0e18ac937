import { didYouMean } from '../../../kernel/did-you-mean.ts'
import type { Diagnostic, Severity } from '../../../kernel/diagnostic.ts'
import { nearestNames } from '../../../kernel/nearest-names.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** Tokens of what every request says of a tool, its schema included. */
const MAX_TOKENS = 1_000
/** Tokens of the lines that stand for it in prompts. */
const MAX_SUMMARY = 120

/** What is known of the other tools. */
interface ToolSurroundings {
  readonly tools: ReadonlySet<string>
  /** Topics that rules are there for. */
  readonly topics: ReadonlySet<string>
  readonly counter: TokenCounter
}

/**
 * What a tool lacks to be found and remembered: phrases, a topic, related tools that are there,
 * one way of extraction; and what it costs more than it should.
 */
export function checkTool(
  tool: Tool,
  file: string | undefined,
  { tools, topics, counter }: ToolSurroundings,
): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const add = (severity: Severity, code: string, message: string, hint: string) =>
    found.push({ code, severity, message, hint, ...(file !== undefined && { file }) })
  const { name } = tool
  if (tool.phrases.length === 0) {
    add(
      'info',
      'phrases-missing',
      `The tool "${name}" has no phrases: a search finds it by its name and description only.`,
      'Add two or three requests as a user would put them (phrases).',
    )
  }
  if (tool.topic === undefined && topics.size > 0) {
    add(
      'info',
      'topic-missing',
      `The tool "${name}" has no topic, so that no rules are told with it.`,
      `Give it one: there are rules for ${[...topics].slice(0, 5).join(', ')}.`,
    )
  } else if (tool.topic !== undefined && topics.size > 0 && !topics.has(tool.topic)) {
    add(
      'info',
      'topic-without-rules',
      `The tool "${name}" has the topic "${tool.topic}", for which there are no rules.`,
      didYouMean(nearestNames(tool.topic, topics, 2), 'Write rules/<topic>.md, if it needs any.'),
    )
  }
  for (const related of new Set(tool.related)) {
    if (tools.has(related) && related !== name) continue
    add(
      'warning',
      'related-unknown',
      related === name
        ? `The tool "${name}" is related to itself.`
        : `The tool "${name}" is related to "${related}", and there is no such tool.`,
      didYouMean(nearestNames(related, tools, 2), 'Correct the name, or take it out.'),
    )
  }
  if (tool.extraction !== undefined && tool.extract !== undefined) {
    add(
      'warning',
      'extraction-twice',
      `The tool "${name}" has an extraction schema and an extract function; the function counts.`,
      'Keep one of the two.',
    )
  }
  const { description, inputSchema } = tool
  const tokens = counter.count(JSON.stringify({ name, description, inputSchema }))
  if (tokens > MAX_TOKENS) {
    add(
      'warning',
      'tool-tokens',
      `The definition of "${name}" has ${tokens} tokens (${counter.name}); ${MAX_TOKENS} are enough for most.`,
      'Shorten descriptions, and move explanations into doc.md, which is read on demand.',
    )
  }
  const summary = counter.count(tool.summary)
  if (summary > MAX_SUMMARY) {
    add(
      'warning',
      'summary-tokens',
      `The summary of "${name}" has ${summary} tokens (${counter.name}); ${MAX_SUMMARY} are enough for four lines.`,
      'Say in two to four short lines what it does and when to use it.',
    )
  }
  return found
}
