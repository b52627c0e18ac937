import { Option } from 'commander'
import type { JsonValue, VirtualWorkspace } from '../../../entries/index.ts'
import { type ApprovalScope, isObject, tryOrUndefined } from '../../../entries/kit.ts'
import { openExistingSession } from '../opening/find-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { sessionOptions, type StoredSessionOptions } from '../shell/opening-options.ts'

interface AnswerOptions extends StoredSessionOptions {
  readonly remember?: Exclude<ApprovalScope, 'digest'>
  readonly contentJson?: string
  readonly inputJson?: string
  readonly reason?: string
}

const ANSWERING =
  'The question is given by its id; "loadout replay" lists the questions that wait, with the arguments that the host kept. ' +
  'No definitions are needed, so this also works for skills that are defined in the code of the host.'

/** `loadout approve`: approve the call that a question is about, in the session of any host. */
export const approveCommand: CliCommand<AnswerOptions> = {
  name: 'approve',
  summary: 'Approve a call that waits for an answer',
  description: `Approve a call that waits for an answer, as the user. The call runs when it is made again.\n\n${ANSWERING}`,
  arguments: '<question>',
  options: () => [
    new Option('--remember <scope>', 'Also approve later calls of the tool in the session').choices(
      ['call', 'session'] satisfies AnswerOptions['remember'][],
    ),
    new Option('--content-json <json>', 'Fields of the form, for a question of a running call'),
    new Option(
      '--input-json <json>',
      'Other arguments: the call runs once with these instead of its own',
    ),
    ...sessionOptions(),
  ],
  examples: [
    'loadout approve 5f0c3a9e1b7d48c2a6e4f3901d2b8c75 --log run.sqlite',
    'loadout approve 5f0c3a9e1b7d48c2a6e4f3901d2b8c75 --content-json \'{"people":4}\'',
    'loadout approve 5f0c3a9e1b7d48c2a6e4f3901d2b8c75 --input-json \'{"amount":90}\'',
  ],
  async run({ words: [id = ''], options, context }) {
    const { remember, contentJson, inputJson } = options
    const content = readObject(contentJson, 'fields of the form', '--content-json')
    const input = readObject(inputJson, 'arguments', '--input-json')
    return answer(id, options, context, 'Approved', (workspace) =>
      workspace.approve(id, {
        by: 'user',
        ...(remember !== undefined && { remember }),
        ...(content && { content }),
        ...(input && { input }),
      }),
    )
  },
}

/** `loadout deny`: deny the call that a question is about. */
export const denyCommand: CliCommand<AnswerOptions> = {
  name: 'deny',
  summary: 'Deny a call that waits for an answer',
  description: `Deny a call that waits for an answer, as the user. The same call stays denied until the next turn.\n\n${ANSWERING}`,
  arguments: '<question>',
  options: () => [
    new Option('--reason <words>', 'Words for the model: why, or what to do instead'),
    ...sessionOptions(),
  ],
  examples: [
    'loadout deny 5f0c3a9e1b7d48c2a6e4f3901d2b8c75 --log run.sqlite',
    'loadout deny 5f0c3a9e1b7d48c2a6e4f3901d2b8c75 --reason "Ask legal first."',
  ],
  async run({ words: [id = ''], options, context }) {
    const { reason } = options
    return answer(id, options, context, 'Denied', (workspace) =>
      workspace.deny(id, { by: 'user', ...(reason !== undefined && { reason }) }),
    )
  },
}

function readObject(
  text: string | undefined,
  what: string,
  option: string,
): Record<string, JsonValue> | undefined {
  if (text === undefined) return undefined
  const parsed = tryOrUndefined(() => JSON.parse(text) as unknown)
  if (isObject(parsed)) return parsed as Record<string, JsonValue>
  throw wrongUsage(
    `The ${what} are no JSON object.`,
    `Give a quoted object: ${option} '{"people":4}'.`,
  )
}

async function answer(
  id: string,
  options: AnswerOptions,
  context: CliContext,
  done: 'Approved' | 'Denied',
  give: (workspace: VirtualWorkspace) => ReturnType<VirtualWorkspace['deny']>,
): Promise<0> {
  const { attachToSession } = await import('../opening/attach-to-session.ts')
  const { open, session } = await openExistingSession(options, context)
  const workspace = await attachToSession(open, session)
  const asked = workspace.state.confirmations.find((one) => one.id === id)
  const outcome = await give(workspace)
  await workspace.close()
  const { seq } = outcome.orThrow()
  const { tool = '' } = asked ?? {}
  if (options.json === true) {
    context.stdout.write(jsonText({ session, question: id, tool, answer: done.toLowerCase(), seq }))
    return 0
  }
  const { questionReport } = await import('../../report/facts/questions-report.ts')
  const { printReport } = await import('../../report/writers/print-report.ts')
  printReport(questionReport(done, asked ?? { id, tool }, session), context)
  return 0
}
