import { Option } from 'commander'
import type { PromptFormat } from '../../render/prompt/forms/write-prompt.ts'
import type { Placement } from '../../render/prompt/document/prompt-document.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { promptReport } from './prompt-report.ts'
import { reportLedger } from './report-ledger.ts'

interface PromptCommandOptions extends CommonOptions {
  readonly format: PromptFormat
  readonly part?: Placement
  readonly initialSkills: boolean
  readonly catalog: boolean
  readonly loaded: boolean
  readonly tools: boolean
  readonly tokens?: true
}

/** `loadout prompt`: what the model would read, byte for byte what adapters send. */
export const promptCommand: CliCommand<PromptCommandOptions> = {
  name: 'prompt',
  summary: 'print what the model would read',
  description:
    'Print what the model would read now, byte for byte what an adapter sends. With --json also its hash, and its tokens by section.',
  arguments: '[paths...]',
  options: () => [
    ...commonOptions(),
    new Option('--format <form>', 'how it is written')
      .choices(['markdown', 'xml', 'text'])
      .default('markdown'),
    new Option('--part <part>', 'only the part that stays, or only the one that changes').choices([
      'instructions',
      'conversation',
    ]),
    new Option('--no-initial-skills', 'leave out the initial skills'),
    new Option('--no-catalog', 'leave out the list of skills that can be loaded'),
    new Option('--no-loaded', 'leave out the active skills'),
    new Option('--no-tools', 'leave out the tools'),
    new Option('--tokens', 'print what it costs instead, and what the last request kept').conflicts(
      'part',
    ),
  ],
  examples: [
    'loadout prompt examples/workbench --activate data-analysis --part conversation',
    'loadout prompt examples/workbench --activate data-analysis --tokens',
  ],
  async run({ words, options, context }) {
    const { workspace } = await openSession(words, options, context)
    const request = {
      format: options.format,
      includeInitialSkills: options.initialSkills,
      includeSkillCatalog: options.catalog,
      includeLoadedSkills: options.loaded,
      includeAvailableTools: options.tools,
    }
    if (options.tokens) {
      const ledger = workspace.ledger(request)
      if (options.json) context.stdout.write(jsonText(ledger))
      else reportLedger(ledger, context)
      return 0
    }
    const view = workspace.prompt(request)
    const { part } = options
    const text = options.json
      ? jsonText(promptReport(view, part))
      : part === undefined
        ? view.text
        : view[part]
    context.stdout.write(text)
    return 0
  },
}
