import {
  Command,
  entrypoint,
  INTERRUPT,
  interrupt,
  isInterrupted,
  task,
} from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import type { ModelMessage } from 'ai'
import { type DurableQuestion, durableTurn, type DurableTurnOptions } from 'loadout/ai-sdk'
import type { Agent } from './agent.ts'

/**
 * Starts a worker. The checkpoints of LangGraph are beside the log of Loadout: they have the messages of the steps that were
 * made.
 *
 * @param step makes a task of LangGraph of each request and its calls
 */
export async function startWorker(
  database: string,
  agent: Agent,
  // The types of LangGraph say nothing of a result that is not known here.
  step: DurableTurnOptions['step'] = (name, work) => task({ name }, work as () => never)(),
) {
  const checkpointer = PostgresSaver.fromConnString(database)
  await checkpointer.setup()
  const turn = entrypoint(
    { name: 'turn', checkpointer },
    async (messages: ModelMessage[], { configurable }) => {
      const session: string = configurable?.['thread_id']
      const { text } = await durableTurn({
        open: () => agent.open(session),
        model: agent.model,
        messages,
        run: { engine: 'langgraph', id: session },
        step,
        wait: async (question) => interrupt<DurableQuestion, boolean>(question),
      })
      return text
    },
  )
  const invoke = async (session: string, input: ModelMessage[] | Command | null) => {
    const ended = await turn.invoke(input, {
      configurable: { thread_id: session },
      durability: 'sync',
    })
    if (!isInterrupted<DurableQuestion>(ended)) return ended
    for (const { value } of ended[INTERRUPT]) if (value) agent.show(value)
    return undefined
  }
  return {
    /** Starts a turn, or goes on with it, to its last text. Undefined when it waits for a person. */
    async run(session: string, messages: ModelMessage[]): Promise<string | undefined> {
      const { metadata } = await turn.getState({ configurable: { thread_id: session } })
      return invoke(session, metadata === undefined ? messages : null)
    },
    /** Goes on with a turn that waits for a person, in any process. */
    answer: (session: string, approved: boolean) =>
      invoke(session, new Command({ resume: approved })),
    stop: () => checkpointer.end(),
  }
}
