import { createAgentUIStream, readUIMessageStream, type UIMessage } from 'ai'
import { scriptedModel, type Said } from '../../tests/connections/wires/ai-sdk/scripted-model.ts'
import type { Played, PortedAgent } from './ported-agent.ts'

/** Plays the scenario of an agent as a chat UI would, with a scripted model and no network. */
export async function playAgent(
  agent: PortedAgent,
  exports: Readonly<Record<string, unknown>>,
  isMoved: boolean,
): Promise<Played> {
  const said = agent.said.flatMap((one): readonly Said[] =>
    typeof one === 'object' && 'onlyMoved' in one ? (isMoved ? [one.onlyMoved] : []) : [one],
  )
  const model = scriptedModel(said)
  const { fetch } = globalThis
  globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (agent.fetch === undefined) throw new Error(`The scenario has no answer for ${url}.`)
    return agent.fetch(url)
  }
  // Outputs may have the time in them.
  const { now } = Date
  Date.now = () => 1_800_000_000_000
  try {
    const made = agent.create(exports, model)
    const history: UIMessage[] = []
    for (const [index, text] of agent.messages.entries()) {
      history.push({ id: `user-${index}`, role: 'user', parts: [{ type: 'text', text }] })
      do await run(made, history, agent.options)
      while (answerQuestions(history, agent.answers) || hasMoreToSay(history))
    }
    const requests = model.doStreamCalls.map(({ prompt }) => prompt)
    const results = (requests.at(-1) ?? []).flatMap((message) =>
      message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : [],
    )
    return {
      results: Object.fromEntries(results.map(({ toolCallId, output }) => [toolCallId, output])),
      parts: history.filter(({ role }) => role === 'assistant').flatMap(({ parts }) => parts),
      characters: JSON.stringify(model.doStreamCalls.map(({ prompt, tools }) => [tools, prompt]))
        .length,
      requests: requests.length,
    }
  } finally {
    globalThis.fetch = fetch
    Date.now = now
  }
}

/** Runs the agent on a history, which gets its answer, or a longer last one. */
async function run(
  agent: ReturnType<PortedAgent['create']>,
  history: UIMessage[],
  options: unknown,
): Promise<void> {
  const stream = await createAgentUIStream({
    agent,
    options: options as never,
    uiMessages: history,
    originalMessages: history,
    generateMessageId: () => `answer-${history.length}`,
    onError: (error) => (error instanceof Error ? error.message : String(error)),
  })
  const last = history.at(-1)
  const message = last?.role === 'assistant' ? structuredClone(last) : undefined
  let answer: UIMessage | undefined
  for await (const now of readUIMessageStream<UIMessage>({ stream, ...(message && { message }) })) {
    answer = now
  }
  if (answer === undefined) throw new Error('The agent answered nothing.')
  if (message === undefined) history.push(answer)
  else history[history.length - 1] = answer
}

/** Answers open questions with yes, and calls of tools that the UI answers. Returns false when there are none. */
function answerQuestions(history: UIMessage[], answers: PortedAgent['answers'] = {}): boolean {
  const last = history.at(-1)
  if (last === undefined) return false
  let hasAnswered = false
  const parts = last.parts.map((part) => {
    if (!('state' in part) || !('toolCallId' in part)) return part
    if (part.state === 'approval-requested') {
      hasAnswered = true
      const approval = { ...part.approval, approved: true }
      return { ...part, state: 'approval-responded', approval }
    }
    if (part.state !== 'input-available' || !Object.hasOwn(answers, part.toolCallId)) return part
    hasAnswered = true
    return { ...part, state: 'output-available', output: answers[part.toolCallId] }
  })
  history[history.length - 1] = { ...last, parts: parts as UIMessage['parts'] }
  return hasAnswered
}

/** True when the answer ends with a call: such an agent makes one step in each run. */
function hasMoreToSay(history: readonly UIMessage[]): boolean {
  const part = history.at(-1)?.parts.at(-1)
  return part !== undefined && 'toolCallId' in part
}
