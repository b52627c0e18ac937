import { text as textOf } from 'node:stream/consumers'
import { Option } from 'commander'
import type { ApprovalScope } from '../../engine/model/consent-event.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface CallCommandOptions extends CommonOptions {
  readonly argsJson: string
  readonly yes?: true
  readonly remember?: ApprovalScope
}

/** `loadout call`: one call through the gate that every adapter uses. */
export const callCommand: CliCommand<CallCommandOptions> = {
  name: 'call',
  summary: 'call a tool',
  description: `Call a tool, as the user, through the gate every adapter uses, and print its data. A call that is refused, fails or is interrupted prints its envelope and ends with exit code 1.

With --log the session in the file is continued, or begun, so that the next call finds what this one left; with --at, too, it is only tried on a copy.`,
  arguments: '<tool> [paths...]',
  options: () => [
    ...commonOptions(),
    new Option('--args-json <json>', 'the arguments; "-" reads them from standard input').default(
      '{}',
    ),
    new Option('--yes', 'approve the call if a person has to'),
    new Option(
      '--remember <scope>',
      'with --yes: how long that approval holds, "digest" is every session',
    ).choices(['call', 'session', 'digest'] satisfies ApprovalScope[]),
  ],
  examples: [
    'loadout call open_table examples/workbench --trust --activate data-analysis --args-json \'{"file":"examples/workbench/data/sales.csv"}\'',
  ],
  async run({ words: [tool = '', ...paths], options, context }) {
    const { yes, remember } = options
    if (remember !== undefined && yes === undefined) {
      throw wrongUsage(
        '--remember says how long an approval holds, and --yes gives one.',
        'Give both, or neither.',
      )
    }
    const input = await readArguments(options.argsJson, context)
    const { workspace } = await openSession(paths, options, context, 'change')
    const interrupt = new AbortController()
    const forget = context.onInterrupt(() => interrupt.abort(new Error('the user interrupted it')))
    const request = {
      tool,
      input,
      approved: yes === true ? (remember ?? 'call') : null,
      signal: interrupt.signal,
    }
    const response = await call(workspace, request)
    forget()
    await workspace.close()
    if (options.json || !response.ok) context.stdout.write(jsonText(response))
    else context.stdout.write(dataText(response.data))
    if (!options.json && !response.ok) {
      context.stderr.write(`loadout: ${sanitiseText(response.error.message)}\n`)
      if (response.error.type === 'CONFIRMATION_REQUIRED') context.stderr.write(HOW_TO_APPROVE)
    }
    return response.ok ? 0 : 1
  },
}

const HOW_TO_APPROVE = 'To approve this very call, repeat it with --yes.\n'

async function readArguments(argument: string, context: CliContext): Promise<unknown> {
  const text = argument === '-' ? await textOf(context.stdin) : argument
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw wrongUsage(
      `The arguments are not JSON: ${why}.`,
      'Write an object in quotes: --args-json \'{"limit":5}\'.',
    )
  }
}

interface UserCall {
  readonly tool: string
  readonly input: unknown
  /** The user approves beforehand, for so long; null when nobody does. */
  readonly approved: ApprovalScope | null
  readonly signal: AbortSignal
}

/** Call; where a person has to approve and did so beforehand, approve and call again. */
async function call(
  workspace: VirtualWorkspace,
  { tool, input, approved, signal }: UserCall,
): Promise<ToolResponse> {
  // The command ends with its answer, and with it whatever would go on in the background.
  const made = { caller: 'user', background: false, signal } as const
  const response = await workspace.callTool(tool, input, made)
  if (response.ok || approved === null || response.error.type !== 'CONFIRMATION_REQUIRED') {
    return response
  }
  const { confirmation } = response.error.details
  if (typeof confirmation !== 'string') return response
  const outcome = await workspace.approve(confirmation, { by: 'user', remember: approved })
  if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
  return workspace.callTool(tool, input, made)
}

function dataText(data: unknown): string {
  return typeof data === 'string' ? `${sanitiseText(data)}\n` : jsonText(data)
}
