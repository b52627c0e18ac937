import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import type { ModelMessage } from 'ai'
import { durableTurn, type DurableTurnOptions } from 'loadout/ai-sdk'
import type { Agent } from './agent.ts'

const WEEK = 7 * 86_400

/**
 * Starts a worker. It goes on with the turns that it had not ended when its process died: those of its `executorID`, which
 * a worker keeps when it is started again.
 *
 * @param step makes a step of DBOS of each request and its calls
 */
export async function startWorker(
  database: string,
  agent: Agent,
  step: DurableTurnOptions['step'] = (name, work) => DBOS.runStep(work, { name }),
) {
  DBOS.setConfig({
    name: 'shop',
    systemDatabaseUrl: database,
    executorID: 'worker-1',
    applicationVersion: '1',
  })
  const turn = DBOS.registerWorkflow(
    async (session: string, messages: ModelMessage[]) => {
      const { text } = await durableTurn({
        open: () => agent.open(session),
        model: agent.model,
        messages,
        run: { engine: 'dbos', id: session },
        step,
        wait(question) {
          agent.show(question)
          return DBOS.recv<boolean>(question.id, WEEK)
        },
      })
      return text
    },
    { name: 'turn' },
  )
  await DBOS.launch()
  return {
    /** Starts a turn, or goes on with it, and waits for its last text. */
    async run(session: string, messages: ModelMessage[]): Promise<string> {
      const handle = await DBOS.startWorkflow(turn, { workflowID: session })(session, messages)
      return handle.getResult()
    },
    stop: () => DBOS.shutdown(),
  }
}

/** Sends the answer of a person, from any process. */
export async function answer(
  database: string,
  session: string,
  question: string,
  approved: boolean,
): Promise<void> {
  const client = await DBOSClient.create({ systemDatabaseUrl: database })
  await client.send(session, approved, question)
  await client.destroy()
}
