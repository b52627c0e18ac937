import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  tool,
  type ToolSet,
} from 'ai'
import {
  createCatalog,
  defineAgent,
  defineComponent,
  defineSkill,
  defineTool,
  type EventLog,
  VirtualWorkspace,
} from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { z } from 'zod'
import type { SessionFigure } from './measure-sessions.ts'
import { samplesOf } from './take-samples.ts'

/** The turns at which requests are measured. */
const TURNS = [1, 10, 150, 500]

/** Measured turns, the last of them being that of the figure. */
const RUNS = 7

const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  category: 'retrieval',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ id, text: 'A short answer.' }),
})

/** Its panel changes in every turn, so each turn sends an update. */
const notes = defineComponent({
  key: 'notes',
  initialState: { lines: [] as readonly string[] },
  tools: (tool) => [
    tool({
      name: 'add_note',
      description: 'Keeps a note.',
      category: 'action',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }, { update }) =>
        update(({ lines }) => ({ lines: [...lines.slice(-9), text] })),
    }),
  ],
  panel: ({ lines }) => ({ title: 'Notes', lines }),
})

const skills = Array.from({ length: 5 }, (_, index) =>
  defineSkill({
    name: `skill-${index}`,
    description: `Skill ${index}.`,
    instructions: `What to do with skill ${index}.`.padEnd(2_000, ' And more.'),
  }),
)

/** The same tools and instructions without a workspace. */
const PLAIN = {
  instructions: `You help.\n\n${skills.map(({ description }) => description).join('\n')}`,
  tools: Object.fromEntries(
    [look, ...notes.tools].map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema), execute: async () => 'Done.' }),
    ]),
  ),
}

/**
 * Measures a request through the AI SDK at several turns of a conversation: with a workspace that is opened
 * for each request, with one that stays open, and with plain tools and no workspace. A request begins a turn and
 * has two steps, with a call in the first. The time of the SDK itself, which grows with the conversation, is in all; the
 * difference from plain tools is without it.
 */
export async function measureReopened(
  name: string,
  log: EventLog,
): Promise<readonly SessionFigure[]> {
  const agents = [defineAgent({ name: 'clerk', prompt: 'You help.', initialSkills: ['skill-0'] })]
  const catalog = await createCatalog({ skills, agents, tools: [look], components: [notes] })
  const figures: SessionFigure[] = []
  for (const turn of TURNS) {
    const reopened: number[] = []
    const kept: number[] = []
    const plain: number[] = []
    for (let run = 0; run < (turn === 1 ? RUNS : 1); run += 1) {
      const session = `turn ${turn}, ${run}`
      const open = () => VirtualWorkspace.open({ catalog, agent: 'clerk', log, session })
      const history: ModelMessage[] = []
      const workspace = await open()
      const settings = forAiSdk(workspace)
      const first = Math.max(1, turn - RUNS + 1)
      for (let at = 1; at <= turn; at += 1) {
        const began = performance.now()
        await request(settings, history, at)
        if (at >= first) kept.push(performance.now() - began)
      }
      await workspace.close()
      history.length = 0
      // The same conversation in another session, for one request at a time.
      const again = `${session}, reopened`
      const reopen = () => VirtualWorkspace.open({ catalog, agent: 'clerk', log, session: again })
      let early: VirtualWorkspace | undefined = await reopen()
      let following = forAiSdk(early)
      for (let at = 1; at <= turn; at += 1) {
        if (at < first) {
          await request(following, history, at)
          continue
        }
        await early?.close()
        early = undefined
        const began = performance.now()
        const opened = await reopen()
        following = forAiSdk(opened)
        await request(following, history, at)
        await opened.close()
        reopened.push(performance.now() - began)
      }
      history.length = 0
      for (let at = 1; at <= turn; at += 1) {
        const began = performance.now()
        await request(PLAIN, history, at)
        if (at >= first) plain.push(performance.now() - began)
      }
    }
    figures.push(
      figure(name, `AI SDK request in turn ${turn}, session opened for it`, reopened),
      figure(name, `AI SDK request in turn ${turn}, workspace kept open`, kept),
      figure(name, `AI SDK request in turn ${turn}, plain tools without a workspace`, plain),
      figure(
        name,
        `AI SDK request in turn ${turn}, session opened for it, minus plain tools`,
        reopened.map((value, index) => value - (plain[index] ?? NaN)),
      ),
    )
  }
  return figures
}

function figure(log: string, what: string, values: readonly number[]): SessionFigure {
  return { log, what, value: Number(samplesOf(values).median.toPrecision(3)), unit: 'ms' }
}

/** Sends a message of the user, and adds it and the answer to the history. */
async function request(
  settings: { readonly tools: ToolSet },
  history: ModelMessage[],
  turn: number,
): Promise<void> {
  history.push({ role: 'user', content: `Question ${turn}` })
  const { responseMessages } = await generateText({
    ...settings,
    model: answering(turn),
    messages: history,
    stopWhen: isStepCount(2),
  })
  history.push(...responseMessages)
}

/** A model that calls a tool and then answers. */
function answering(turn: number): LanguageModel {
  let step = 0
  return {
    specificationVersion: 'v4',
    provider: 'mock',
    modelId: 'mock',
    supportedUrls: {},
    doGenerate: async () => {
      step += 1
      const isCall = step === 1
      const input = JSON.stringify({ text: `Note ${turn}` })
      return {
        content: [
          isCall
            ? { type: 'tool-call' as const, toolCallId: `t${turn}`, toolName: 'add_note', input }
            : { type: 'text' as const, text: 'Done.' },
        ],
        finishReason: {
          unified: isCall ? ('tool-calls' as const) : ('stop' as const),
          raw: undefined,
        },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('This model does not stream.')),
  }
}
