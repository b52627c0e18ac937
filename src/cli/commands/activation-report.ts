import type { TokenCounter } from '../../kernel/token-counter.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { diffDocuments, type SectionChange } from '../../render/prompt/diff-documents.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { definitionTokens } from '../../render/prompt/ledger/section-tokens.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { paint } from '../shell/paint.ts'
import { allowedToolsReason } from '../../engine/explain/explain-skill.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** The prompt and the available tools before or after an activation. */
interface Moment {
  readonly document: PromptDocument
  readonly tools: readonly Tool[]
}

interface ActivationReport {
  /** Names of tools that became available, and of those that no longer are. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Tokens of the prompt and of the definitions of the available tools. */
  readonly tokens: { readonly before: number; readonly after: number }
  readonly sections: readonly SectionChange[]
  /** Percent of the new instructions that a provider can read from its prompt cache. */
  readonly prefixKept: number
}

/** Compares two moments, with their token counts. */
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

/** Writes the changed tools, then each changed section with its changed lines. */
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
      // The text of a prompt is sanitised already.
      const changed = text.replace(/\n$/, '').split('\n')
      for (const line of changed) (kind === 'added' ? plus : minus)(line)
    }
  }
  const { before, after } = report.tokens
  say(`prompt and tool definitions: ${price(before, after)}`)
  say(`instructions still in the provider's cache: ${report.prefixKept} %`)
}

function price(before: number, after: number): string {
  const change = after - before
  return `${before} -> ${after} tokens (${change < 0 ? '' : '+'}${change})`
}

/** Returns the effect of `allowed-tools` for each skill that was activated after an entry. */
export function allowedToolsSince(
  seq: number,
  { state, catalog }: VirtualWorkspace,
): readonly { readonly skill: string; readonly effect: string }[] {
  const added = state.open.filter(({ source, since }) => source === 'skill' && since > seq)
  return added.flatMap((source) =>
    allowedToolsReason(source, state, { catalog }).map(({ text }) => ({
      skill: source.owner,
      effect: text,
    })),
  )
}
