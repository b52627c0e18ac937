import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import type { Answer } from '../../tests/wires/server/answer.ts'
import { openWireServer } from '../../tests/wires/server/open-wire-server.ts'
import { answerOf, CROOKED_STREAMS } from '../../tests/wires/streams/chat-streams.ts'
import { WIRE_CLIENTS, type WireClient } from './wire-clients.ts'
import type { WirePart } from './wire-part.ts'

/** An answer with its name. */
interface Stream {
  readonly name: string
  readonly answer: Answer
  /** True when it ends before the model was done. */
  readonly isBroken: boolean
}

/** Two to four calls, with a text before them or without, that the connection or an error cuts before the end. */
const CUT_STREAMS: readonly Stream[] = (['drop', 'error'] as const).flatMap((by) =>
  [undefined, 'I add them up.'].flatMap((text) =>
    [2, 3, 4].flatMap((count) =>
      [1, 2, 3, 4, 5].map((after) => ({
        name: `${by} after ${after} events of ${count} calls${text ? ' behind a text' : ''}`,
        answer: {
          ...(text && { text }),
          calls: Array.from({ length: count }, (_, at) => ({
            name: 'add',
            input: { x: 1 + (at % 2) },
          })),
          broken: { by, after },
        },
        isBroken: true,
      })),
    ),
  ),
)

const CHAT_STREAMS: readonly Stream[] = CROOKED_STREAMS.map((stream) => ({
  name: `${stream.name}: ${stream.quirk}`,
  answer: answerOf(stream),
  isBroken: !stream.parts.some((part) => 'finish' in part && part.finish !== undefined),
}))

/** Sends crooked and broken streams to every client that streams, and counts what ran. */
export const brokenStreams: WirePart = {
  name: 'streams',
  claim:
    'No call of a stream that broke ever runs, and no two calls become one: sixteen streams of Chat Completions that servers really send, and on every wire 60 answers with calls that are cut by the connection or by an error.',
  columns: [
    'adapter',
    'streams',
    'of which broken',
    'calls that ran',
    'calls of broken streams that ran',
    'merged calls that ran',
  ],
  async run() {
    const failures: string[] = []
    const rows: (string | number)[][] = []
    for (const client of WIRE_CLIENTS) {
      const streams =
        client.wire === 'openai-chat' ? [...CHAT_STREAMS, ...CUT_STREAMS] : CUT_STREAMS
      const seen = { broken: 0, ran: 0, ofBroken: 0, merged: 0 }
      for (const { name, answer, isBroken } of streams) {
        const inputs = await inputsThatRan(client, answer)
        const merged = inputs.filter((input) => !['{}', '{"x":1}', '{"x":2}'].includes(input))
        seen.ran += inputs.length
        seen.merged += merged.length
        if (merged.length > 0) failures.push(`${client.name}, ${name}: ${merged.join(' ')}`)
        if (!isBroken) continue
        seen.broken += 1
        seen.ofBroken += inputs.length
        if (inputs.length > 0) failures.push(`${client.name}, ${name}: ${inputs.join(' ')} ran`)
      }
      const { broken, ran, ofBroken, merged } = seen
      rows.push([client.name, streams.length, broken, ran, ofBroken, merged])
    }
    return { rows, failures }
  },
}

/** Runs one turn whose first answer is a stream, and returns the inputs of the handler. */
async function inputsThatRan(client: WireClient, answer: Answer): Promise<readonly string[]> {
  const inputs: string[] = []
  const add = defineTool({
    name: 'add',
    description: 'Adds one.',
    category: 'retrieval',
    inputSchema: { type: 'object' },
    execute: (input: unknown) => {
      inputs.push(JSON.stringify(input))
      return 'added'
    },
  })
  const catalog = await createCatalog({ tools: [add] })
  const workspace = await VirtualWorkspace.open({ catalog, provider: client.provider })
  const server = await openWireServer({ answers: ({ index }) => (index === 0 ? answer : 'Done.') })
  // A client that throws is right to do so; what ran is counted.
  await client.run(server.url, workspace).catch(() => undefined)
  await workspace.close()
  await server.close()
  return inputs
}
