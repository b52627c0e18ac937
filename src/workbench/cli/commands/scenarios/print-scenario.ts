import type { ModelMessage } from 'ai'
import { stringify } from 'yaml'
import { createRedactor, type Redactor, type VirtualWorkspace } from '../../../../entries/index.ts'
import { isObject, sanitiseLine } from '../../../../entries/kit.ts'
import { chatsFolder } from '../../opening/open-log.ts'
import type { OpenSession } from '../../opening/open-session.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import type { OpeningOptions } from '../../shell/opening-options.ts'
import { openChatStore } from '../../../playground/chat/chat-store.ts'
import type { UnmetExpectation } from '../../../project/scenarios/judge-step.ts'
import type { Scenario } from '../../../project/scenarios/read-scenario.ts'
import {
  recordScenario,
  type SpokenAnswer,
  type SpokenCall,
  type SpokenTurn,
} from '../../../project/scenarios/record-scenario.ts'
import { runScenario, type ScenarioHost } from '../../../project/scenarios/run-scenario.ts'

/** Prints a session as a scenario, and runs it. Returns 1 when an expectation does not hold. */
export async function printScenario(
  session: OpenSession,
  options: OpeningOptions,
  context: CliContext,
): Promise<0 | 1> {
  const { scenario, unmet, text } = await sessionAsScenario(
    session.workspace,
    session,
    options,
    context,
  )
  context.stdout.write(options.json === true ? jsonText({ scenario, unmet }) : text)
  for (const { step, expectation, expected, actual, why } of unmet) {
    const values = `expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`
    context.stderr.write(
      `loadout: step ${step} of the scenario, ${sanitiseLine(`${expectation}: ${values}. ${why}`)}\n`,
    )
  }
  return unmet.length === 0 ? 0 : 1
}

/** A session as a scenario, after it was run. */
interface SessionScenario {
  readonly scenario: Scenario
  /** The expectations that do not hold when the scenario runs here. */
  readonly unmet: readonly (UnmetExpectation & { readonly step: number })[]
  readonly text: string
  /** The number of expectations. */
  readonly expectations: number
}

/** Makes a scenario of a session of this project, with its stored messages, and runs it. */
export async function sessionAsScenario(
  workspace: VirtualWorkspace,
  { project, options: opened }: Pick<OpenSession, 'project' | 'options'>,
  options: OpeningOptions,
  context: CliContext,
): Promise<SessionScenario> {
  const { config } = project
  // Messages of others are read like all others: the calls of a scenario run on stubs.
  const folder = await chatsFolder(options.log, context)
  const { messages } = openChatStore(
    folder === null ? null : { folder, user: null },
    workspace.session,
  )
  const turns = spokenTurns(messages)
  const recorded = await recordScenario(workspace, turns, config.permissions)
  // Messages are not redacted where they are stored.
  const scenario = redacted(recorded, createRedactor(opened.redact ?? {}))
  const { log: _log, follow: _follow, variables: _variables, ...own } = opened
  const host: ScenarioHost = {
    ...own,
    catalog: project.catalog,
    policy: { permissions: config.permissions, modes: config.modes },
    variables: new Map(Object.entries(config.variables)),
  }
  const { steps } = await runScenario(scenario, host)
  const remark = turns.length > 0 ? [] : [WITHOUT_MESSAGES]
  return {
    scenario,
    unmet: steps.flatMap(({ step, unmet: all }) => all.map((one) => ({ step, ...one }))),
    expectations: steps.reduce((sum, one) => sum + one.expectations, 0),
    text: [SCHEMA, ...remark, stringify(scenario, { lineWidth: 100, blockQuote: 'literal' })].join(
      '\n',
    ),
  }
}

/** Redacts a scenario. The names of stubs are those of tools: that of `get_secret` hides no stub. */
function redacted({ stub, ...others }: Scenario, redactor: Redactor): Scenario {
  const { steps, ...head } = redactor.value(others)
  if (stub === undefined) return { ...head, steps }
  const stubs = Object.entries(stub).map(([tool, one]) => [tool, redactor.value(one)] as const)
  return { ...head, stub: Object.fromEntries(stubs), steps }
}

/** The line that gives a scenario its schema in an editor. */
export const SCHEMA =
  '# yaml-language-server: $schema=node_modules/loadout/dist/scenario.schema.json'

const WITHOUT_MESSAGES =
  '# The messages of the session are not stored here: write them, and the answers.'

/** Reads the turns of a stored conversation: each message of the person, and the answers with the results of their calls. */
function spokenTurns(messages: readonly ModelMessage[]): readonly SpokenTurn[] {
  const results = new Map(
    messages.flatMap(({ role, content }) => {
      if (role !== 'tool') return []
      return content.flatMap((part) => {
        if (part.type !== 'tool-result' || part.output.type === 'execution-denied') return []
        return [[part.toolCallId, shownData(part.output.value)] as const]
      })
    }),
  )
  const turns: { readonly user: string; readonly answers: SpokenAnswer[] }[] = []
  for (const { role, content } of messages) {
    if (role === 'user') turns.push({ user: messageText(content), answers: [] })
    else if (role === 'assistant') {
      const parts = typeof content === 'string' ? [] : content
      const calls = parts.flatMap((part): readonly SpokenCall[] => {
        if (part.type !== 'tool-call') return []
        const { toolCallId: id, toolName: tool, input } = part
        return [{ id, tool, input, ...(results.has(id) && { result: results.get(id) }) }]
      })
      turns.at(-1)?.answers.push({ text: messageText(content), calls })
    }
  }
  return turns
}

function messageText(content: ModelMessage['content']): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** A result with parts, such as an image, comes in its envelope. */
function shownData(value: unknown): unknown {
  const isEnvelope =
    isObject(value) && value['ok'] === true && 'content' in value && 'meta' in value
  return isEnvelope ? value['data'] : value
}
