import { text as textOf } from 'node:stream/consumers'
import { Option } from 'commander'
import { partText } from '../../../entries/adapter.ts'
import type { ToolResponse, VirtualWorkspace } from '../../../entries/index.ts'
import { type ApprovalScope, sanitiseText } from '../../../entries/kit.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { changingOptions, type OpeningOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { openSession } from '../opening/open-session.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface CallCommandOptions extends OpeningOptions {
  readonly argsJson: string
  readonly yes?: true
  readonly remember?: ApprovalScope
}

/** `loadout call`: call a tool through the same checks as every adapter. */
export const callCommand: CliCommand<CallCommandOptions> = {
  name: 'call',
  summary: 'Call a tool',
  description: `Call a tool as the user, with the same checks as a call from an adapter, and print its data, or the parts of its result as text. If the call is refused, fails or is interrupted, the complete response is printed and the exit code is 1.

With --log, the session in the log is continued or created, so that the next call sees the effects of this one; with --at as well, the command works on a copy and saves nothing.`,
  arguments: '<tool> [paths...]',
  options: () => [
    ...changingOptions(),
    new Option('--args-json <json>', 'Arguments of the tool; "-" reads standard input').default(
      '{}',
    ),
    new Option('--yes', 'Approve the call if it needs approval'),
    new Option(
      '--remember <scope>',
      'With --yes: remember the approval; "digest" means for all sessions',
    ).choices(['call', 'session', 'digest'] satisfies ApprovalScope[]),
  ],
  examples: [
    'loadout call open_table examples/workbench --trust --activate data-analysis --args-json \'{"file":"examples/workbench/data/sales.csv"}\'',
  ],
  async run({ words: [tool = '', ...paths], options, context }) {
    const { yes, remember } = options
    if (remember !== undefined && yes === undefined) {
      throw wrongUsage(
        '--remember needs --yes.',
        'Add --yes to approve the call, or leave out --remember.',
      )
    }
    const input = await readArguments(options.argsJson, context)
    // A person who asks for a script wants scripts to run.
    const isScript = tool === 'runSkillScript' && options.tools === undefined
    const opening = isScript ? { ...options, tools: ['scripts'] as const } : options
    const { workspace } = await openSession(paths, opening, context, 'change')
    const interrupt = new AbortController()
    const forget = context.onInterrupt(() => interrupt.abort(new Error('the user interrupted it')))
    const response = await call(workspace, tool, input, {
      approved: yes === true ? (remember ?? 'call') : null,
      signal: interrupt.signal,
    })
    forget()
    await workspace.close()
    if (options.json || !response.ok) context.stdout.write(jsonText(response))
    else {
      const text = response.content?.map(partText).join('\n') ?? response.data
      context.stdout.write(typeof text === 'string' ? `${sanitiseText(text)}\n` : jsonText(text))
    }
    if (!options.json && !response.ok) {
      context.stderr.write(`loadout: ${sanitiseText(response.error.message)}\n`)
      if (response.error.type === 'CONFIRMATION_REQUIRED') context.stderr.write(HOW_TO_APPROVE)
    }
    return response.ok ? 0 : 1
  },
}

const HOW_TO_APPROVE = 'To approve this call, repeat it with --yes.\n'

async function readArguments(argument: string, context: CliContext): Promise<unknown> {
  const text = argument === '-' ? await textOf(context.stdin) : argument
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw wrongUsage(
      `The arguments are not JSON: ${why}.`,
      'Give a quoted object: --args-json \'{"limit":5}\'.',
    )
  }
}

/** Calls a tool. If it needs the approval that was given in advance, approves and calls again. */
async function call(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
  { approved, signal }: { readonly approved: ApprovalScope | null; readonly signal: AbortSignal },
): Promise<ToolResponse> {
  // The process ends after the response, and background work with it.
  const made = { caller: 'user', background: false, signal } as const
  const response = await workspace.callTool(tool, input, made)
  if (response.ok || approved === null || response.error.type !== 'CONFIRMATION_REQUIRED') {
    return response
  }
  const { confirmation } = response.error.details
  if (typeof confirmation !== 'string') return response
  const outcome = await workspace.approve(confirmation, { by: 'user', remember: approved })
  outcome.orThrow()
  return workspace.callTool(tool, input, made)
}
