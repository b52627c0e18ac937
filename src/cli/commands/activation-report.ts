import type { TokenCounter } from '../../kernel/token-counter.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { diffDocuments, type SectionChange } from '../../render/prompt/diff-documents.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { definitionTokens } from '../../render/prompt/ledger/section-tokens.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { paint } from '../shell/paint.ts'

/** What a model reads and can call at one moment. */
interface Moment {
  readonly document: PromptDocument
  readonly tools: readonly Tool[]
}

interface ActivationReport {
  /** Names of tools that can be called now, and of those that no longer can. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Of the prompt and of the definitions of the available tools. */
  readonly tokens: { readonly before: number; readonly after: number }
  readonly sections: readonly SectionChange[]
  /** Percent of the new instructions that a provider with the old ones cached reads for less. */
  readonly prefixKept: number
}

/** How two moments differ, and what that costs. */
export function activationReport(
  before: Moment,
  after: Moment,
  counter: TokenCounter,
): ActivationReport {
  const diff = diffDocuments(before.document, after.document, counter)
  const was = new Set(before.tools.map(({ name }) => name))
  const is = new Set(after.tools.map(({ name }) => name))
  const definitions = ({ tools }: Moment) =>
    tools.reduce((sum, tool) => sum + definitionTokens(tool, counter), 0)
  const { tokens, ofTokens } = diff.prefixKept
  return {
    added: [...is].filter((name) => !was.has(name)),
    removed: [...was].filter((name) => !is.has(name)),
    tokens: {
      before: diff.tokens.before + definitions(before),
      after: diff.tokens.after + definitions(after),
    },
    sections: diff.changes,
    prefixKept: ofTokens === 0 ? 100 : Math.round((100 * tokens) / ofTokens),
  }
}

/** The difference for people: tools, then each section with its changed lines. */
export function writeActivation(report: ActivationReport, context: CliContext): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const plus = (line: string) => say(paint(`+ ${line}`, 'green', context))
  const minus = (line: string) => say(paint(`- ${line}`, 'red', context))
  for (const name of report.added) plus(`tool ${sanitiseLine(name)}`)
  for (const name of report.removed) minus(`tool ${sanitiseLine(name)}`)
  for (const { title, id, before, after, lines } of report.sections) {
    const head = `@ ${sanitiseLine(title)} (${sanitiseLine(id)}): ${price(before, after)}`
    say(paint(head, 'bold', context))
    for (const { kind, text } of lines) {
      if (kind === 'same') continue
      // The text is a prompt's, so its hidden characters are shown already.
      const changed = text.replace(/\n$/, '').split('\n')
      for (const line of changed) (kind === 'added' ? plus : minus)(line)
    }
  }
  const { before, after } = report.tokens
  say(`prompt and tool definitions: ${price(before, after)}`)
  say(`instructions kept for the provider's cache: ${report.prefixKept} %`)
}

function price(before: number, after: number): string {
  const change = after - before
  return `${before} -> ${after} tokens (${change < 0 ? '' : '+'}${change})`
}
