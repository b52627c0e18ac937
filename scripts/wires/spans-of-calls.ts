import { OpenTelemetry } from '@ai-sdk/otel'
import { ToolLoopAgent } from 'ai'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { traceWorkspace } from 'loadout/otel'
import { type Said, scriptedModel } from '../../tests/connections/wires/ai-sdk/scripted-model.ts'
import { recordTrace } from '../../tests/connections/wires/otel/record-trace.ts'
import { createDice, type Dice } from '../torture/torture-part.ts'
import type { WirePart } from './wire-part.ts'

const STEPS = 10

/** Counts the spans of random runs, with and without the telemetry of the AI SDK. */
export const spansOfCalls: WirePart = {
  name: 'spans',
  claim:
    'Every call of a model has exactly one `execute_tool` span, with the telemetry of the AI SDK and without it, streamed and not. No span has the secret that is in every argument and result.',
  columns: ['telemetry of the SDK', 'runs', 'calls', 'calls without exactly one span', 'secrets'],
  async run({ sessions, seed: first }) {
    const failures: string[] = []
    const rows = [true, false].map(async (isTraced) => {
      const seen = { calls: 0, wrong: 0, secrets: 0 }
      for (let seed = first; seed < first + sessions; seed += 1) {
        const { wrong, calls, secrets } = await trace(isTraced, seed % 2 === 0, createDice(seed))
        seen.calls += calls
        seen.wrong += wrong.length
        seen.secrets += secrets
        failures.push(...wrong.map((id) => `seed ${seed}: ${id}`))
        if (secrets > 0) failures.push(`seed ${seed}: a secret is in a span`)
      }
      return [isTraced ? 'on' : 'off', sessions, seen.calls, seen.wrong, seen.secrets]
    })
    return { rows: await Promise.all(rows), failures }
  },
}

async function trace(isTraced: boolean, isStreamed: boolean, dice: Dice) {
  const secret = `canary-${dice(1e9)}-${dice(1e9)}`
  const echo = (name: string) =>
    defineTool({
      name,
      description: 'Returns its input.',
      category: 'retrieval',
      inputSchema: { type: 'object', required: ['text'] },
      execute: (input: unknown) => ({ input }),
    })
  const skill = defineSkill({ name: 'files', description: 'For files.', tools: [echo('fs.read')] })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [skill], tools: [echo('echo')] }),
  })
  const recorded = recordTrace()
  traceWorkspace(workspace, { tracer: recorded.tracer })
  const ids: string[] = []
  const said = Array.from({ length: STEPS }, () => callsOf(dice, secret, ids))
  const agent = new ToolLoopAgent({
    model: scriptedModel([...said, 'Done.']),
    ...forAiSdk(workspace),
    telemetry: isTraced
      ? {
          integrations: [new OpenTelemetry({ tracer: recorded.tracer })],
          recordInputs: false,
          recordOutputs: false,
        }
      : { isEnabled: false },
  })
  if (isStreamed) await (await agent.stream({ prompt: 'Go.' })).consumeStream()
  else await agent.generate({ prompt: 'Go.' })
  await workspace.close()
  const spans = recorded
    .spansOf('execute_tool')
    .map(({ attributes }) => attributes['gen_ai.tool.call.id'])
  const wrong = ids.filter((id) => spans.filter((one) => one === id).length !== 1)
  return { calls: ids.length, wrong, secrets: recorded.text().includes(secret) ? 1 : 0 }
}

/** One to three calls: of tools that are there, of tools that are not, and with arguments that do not fit. */
function callsOf(dice: Dice, secret: string, ids: string[]): Said {
  return Array.from({ length: 1 + dice(3) }, () => {
    const id = `c${ids.length}`
    ids.push(id)
    const text = { text: secret }
    switch (dice(6)) {
      case 0:
        return { id, tool: 'loadSkill', input: { skillName: 'files' } }
      case 1:
        return { id, tool: 'unloadSkill', input: { skillName: 'files' } }
      case 2:
        return { id, tool: 'echo', input: { wrong: secret } }
      case 3:
        return { id, tool: 'not_there', input: text }
      default:
        return { id, tool: 'echo', input: text }
    }
  })
}
