import { Option } from 'commander'
import type {
  ContentHash,
  PromptRequest,
  StepPreview,
  VirtualWorkspace,
  WorkspaceLedger,
  WorkspacePrompt,
} from '../../../entries/index.ts'
import type { Placement, PromptFormat, PromptNote, Stability } from '../../../entries/plan.ts'
import { sanitiseLine, textHash } from '../../../entries/kit.ts'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type OpeningOptions, openingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import type { RequestReport } from '../../report/facts/request-report.ts'
import { printReport, writeTable } from '../../report/writers/print-report.ts'

interface PromptCommandOptions extends OpeningOptions {
  readonly format?: PromptFormat
  readonly part?: Placement
  readonly initialSkills: boolean
  readonly catalog: boolean
  readonly loaded: boolean
  readonly tokens?: true
}

/** `loadout prompt`: print the prompt, byte for byte as adapters send it. */
export const promptCommand: CliCommand<PromptCommandOptions> = {
  name: 'prompt',
  summary: 'Print the prompt that the model would read',
  description:
    'Print the prompt that the model would read now, byte for byte as an adapter sends it. For a stored session, the options of its last request are used. With --json, also its hash, its tokens by section, notes such as variables without a value, and the price of the next request: tools, instructions and conversation.',
  arguments: '[paths...]',
  options: () => [
    ...openingOptions(),
    new Option(
      '--format <format>',
      'Output format (default: that of the last request, or markdown)',
    ).choices(['markdown', 'xml', 'text']),
    new Option('--part <part>', 'Print only one part of the prompt').choices([
      'instructions',
      'conversation',
    ]),
    new Option('--no-initial-skills', 'Leave out the initial skills'),
    new Option('--no-catalog', 'Leave out the list of skills that can be loaded'),
    new Option('--no-loaded', 'Leave out the active skills'),
    new Option('--no-tools', 'Leave out the available tools'),
    new Option(
      '--tokens',
      'Print the price of the next request instead, and its tokens by section, skill and tool',
    ).conflicts('part'),
  ],
  examples: [
    'loadout prompt examples/workbench --activate data-analysis --part conversation',
    'loadout prompt examples/workbench --activate data-analysis --tokens',
  ],
  async run({ words, options, context }) {
    const { workspace } = await openSession(words, options, context)
    const request: PromptRequest = {
      ...workspace.state.prompt,
      ...(options.format !== undefined && { format: options.format }),
      ...(!options.initialSkills && { includeInitialSkills: false }),
      ...(!options.catalog && { includeSkillCatalog: false }),
      ...(!options.loaded && { includeLoadedSkills: false }),
      ...(options.tools === false && { includeAvailableTools: false }),
    }
    const { nextRequest } = await import('../../../entries/plan.ts')
    if (options.tokens) {
      const ledger = workspace.figures.ledger(request)
      const next = await nextRequest(workspace, request)
      if (options.json) {
        const { requestReport } = await import('../../report/facts/request-report.ts')
        const { tokens: _, ...rest } = ledger
        context.stdout.write(jsonText({ request: requestReport(next, ledger.tokenizer), ...rest }))
      } else await writeLedger(ledger, next, workspace, context)
      return 0
    }
    const view = workspace.prompt(request)
    const { part } = options
    const text = options.json
      ? jsonText(await promptReport(view, await nextRequest(workspace, request), part))
      : part === undefined
        ? view.text
        : view[part]
    context.stdout.write(text)
    return 0
  },
}

/** The output of `prompt --json`. */
export interface PromptReport {
  readonly text: string
  /** The price of the next request, of which the text is a part. */
  readonly request: RequestReport
  readonly tokenizer: string
  /** The hash of `text`. */
  readonly hash: ContentHash
  readonly sections: readonly {
    readonly id: string
    readonly title: string
    readonly owner: string
    readonly stability: Stability
    readonly placement: Placement
    readonly tokens: number
  }[]
  /** Remarks such as a variable without a value. */
  readonly notes: readonly PromptNote[]
}

/** Returns the prompt, or one part of it, with the price of the request. */
export async function promptReport(
  view: WorkspacePrompt,
  next: StepPreview,
  part?: Placement,
): Promise<PromptReport> {
  const { requestReport } = await import('../../report/facts/request-report.ts')
  const text = part === undefined ? view.text : view[part]
  const { ledger } = view
  const sections = ledger.sections
    .filter(({ placement }) => part === undefined || placement === part)
    .map(({ id, title, owner, stability, placement, tokens }) => ({
      id,
      title,
      owner,
      stability,
      placement,
      tokens,
    }))
  return {
    text,
    request: requestReport(next, ledger.tokenizer),
    tokenizer: ledger.tokenizer,
    hash: textHash(text),
    sections,
    notes: ledger.notes,
  }
}

/** Writes the price of the next request, then its tokens as the ledger pane groups them. */
async function writeLedger(
  ledger: WorkspaceLedger,
  next: StepPreview,
  { state }: VirtualWorkspace,
  context: CliContext,
): Promise<void> {
  const [{ formatCount, shareText, ledgerRows }, { cachedLedger, observedFacts, requestLine }] =
    await Promise.all([
      import('../../../entries/plan.ts'),
      import('../../report/facts/request-report.ts'),
    ])
  const { tokenizer, sections, notes } = ledger
  const text = observedFacts(state)?.join(', ') ?? requestLine(next, tokenizer)
  printReport([{ kind: 'text', text }], context)
  const [request, ...others] = ledgerRows(ledger, next.cost, cachedLedger(ledger))
  const bySection = {
    title: 'By section of the text',
    whole: request?.whole ?? 0,
    rows: sections.map(({ id, tokens: own }) => ({ id, label: id, tokens: own })),
  }
  for (const { title, whole, rows } of [...(request ? [request] : []), bySection, ...others]) {
    const shown = rows.filter(({ tokens: own }) => own > 0)
    if (shown.length === 0) continue
    context.stdout.write('\n')
    writeTable(
      ['tokens', `of ${formatCount(whole)}`, title],
      shown.map(({ label, tokens: own }) => [formatCount(own), shareText(own, whole), label]),
      context,
    )
  }
  if (state.opening?.observed) return
  const { strategy, why } = next.exposure
  context.stdout.write(`\n${sanitiseLine(`Exposure: ${strategy}. ${why}`)}\n`)
  for (const { message } of notes) {
    context.stdout.write(`${paint('note', 'yellow', context)}: ${sanitiseLine(message)}\n`)
  }
}
