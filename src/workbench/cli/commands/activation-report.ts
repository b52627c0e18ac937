import type {
  PromptDocument,
  TokenCounter,
  Tool,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import {
  diffDocuments,
  type PricedChange,
  requestChangeText,
  type SectionChange,
  tokenChange,
} from '../../../entries/plan.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { paint } from '../../report/writers/paint.ts'
import { allowedToolsReason } from '../../../engine/explain/explain-skill.ts'

/** The prompt and the available tools before or after an activation. */
interface Moment {
  readonly document: PromptDocument
  readonly tools: readonly Tool[]
}

interface ActivationReport {
  /** Names of tools that became available, and of those that no longer are. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** The tokens of the next request, and those that it keeps of the one before the activation. */
  readonly request: PricedChange
  readonly sections: readonly SectionChange[]
}

/** Compares two moments. */
export function activationReport(
  before: Moment,
  after: Moment,
  request: PricedChange,
  counter: TokenCounter,
): ActivationReport {
  const was = new Set(before.tools.map(({ name }) => name))
  const is = new Set(after.tools.map(({ name }) => name))
  return {
    added: [...is].filter((name) => !was.has(name)),
    removed: [...was].filter((name) => !is.has(name)),
    request,
    sections: diffDocuments(before.document, after.document, counter).changes,
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
    const head = `@ ${sanitiseLine(title)} (${sanitiseLine(id)}): ${tokenChange({ before, after }, '->')}`
    say(paint(head, 'bold', context))
    for (const { kind, text } of lines) {
      if (kind === 'same') continue
      // The text of a prompt is sanitised already.
      const changed = text.replace(/\n$/, '').split('\n')
      for (const line of changed) (kind === 'added' ? plus : minus)(line)
    }
  }
  say(requestChangeText(report.request, '->'))
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
