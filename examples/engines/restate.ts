import * as restate from '@restatedev/restate-sdk'
import * as clients from '@restatedev/restate-sdk-clients'
import type { ModelMessage } from 'ai'
import { durableTurn, type DurableTurnOptions } from 'loadout/ai-sdk'
import type { Agent } from './agent.ts'

type Step = DurableTurnOptions['step']

/** The service: a workflow for each turn, with the key of its session. */
function turnService(agent: Agent, stepIn: (context: restate.WorkflowContext) => Step) {
  return restate.workflow({
    name: 'turn',
    handlers: {
      async run(context: restate.WorkflowContext, messages: ModelMessage[]): Promise<string> {
        const { text } = await durableTurn({
          open: () => agent.open(context.key),
          model: agent.model,
          messages,
          run: { engine: 'restate', id: context.key },
          step: stepIn(context),
          wait(question) {
            agent.show(question)
            return context.promise<boolean>(question.id).get()
          },
        })
        return text
      },
      answer: (
        context: restate.WorkflowSharedContext,
        { question, approved }: { question: string; approved: boolean },
      ) => context.promise<boolean>(question).resolve(approved),
    },
  })
}

/**
 * Starts a worker at a port, for the deployment that is registered with the server.
 *
 * @param stepIn makes a step of Restate of each request and its calls
 */
export async function startWorker(
  ingress: string,
  agent: Agent,
  port: number,
  stepIn: (context: restate.WorkflowContext) => Step = (context) => (name, work) =>
    context.run(name, work),
) {
  const service = turnService(agent, stepIn)
  await restate.serve({ services: [service], port })
  return {
    /** Starts a turn, unless another process did, and waits for its last text. */
    async run(session: string, messages: ModelMessage[]): Promise<string> {
      const turn = clients.connect({ url: ingress }).workflowClient(service, session)
      await turn.workflowSubmit(messages)
      return turn.workflowAttach()
    },
  }
}

/** Sends the answer of a person, from any process. */
export async function answer(
  ingress: string,
  session: string,
  question: string,
  approved: boolean,
): Promise<void> {
  type Service = ReturnType<typeof turnService>
  const turn = clients.connect({ url: ingress }).workflowClient<Service>({ name: 'turn' }, session)
  await turn.answer({ question, approved })
}
