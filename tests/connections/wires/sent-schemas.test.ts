import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { keysByTitle, randomTools, written } from './random-tool-schema.ts'

/** Random schemas for each client, with fixed seeds; `SENT_SCHEMAS=20000` for the number of the table. */
const SCHEMAS = Number(process.env['SENT_SCHEMAS'] ?? 100)

/** Tools of one request. */
const AT_ONCE = 100

type Body = Readonly<Record<string, unknown>>

/** The schemas of the tools of a request, by name. */
function sentSchemas(body: Body): ReadonlyMap<string, Body> {
  return new Map(
    (body['tools'] as Body[])
      .flatMap(
        (tool) => [tool['functionDeclarations'] ?? tool['function'] ?? tool].flat() as Body[],
      )
      .map(({ name, parametersJsonSchema, input_schema: input, parameters }) => [
        String(name),
        (parametersJsonSchema ?? input ?? parameters) as Body,
      ]),
  )
}

test.each(WIRE_CLIENTS)(
  '$name: every random schema is sent in a form that no rule refuses, and arguments come back under their own keys',
  async ({ provider, run }) => {
    for (let from = 0; from < SCHEMAS; from += AT_ONCE) {
      const random = randomTools(Math.min(AT_ONCE, SCHEMAS - from), 35 + from)
      const got = new Map<string, unknown>()
      const tools = random.map(({ schema, strict }, index) =>
        defineTool({
          name: `tool_${index}`,
          description: 'Does something.',
          category: 'retrieval',
          inputSchema: schema,
          strict,
          execute: (input) => void got.set(`tool_${index}`, input),
        }),
      )
      const catalog = await createCatalog({ tools })
      const workspace = await VirtualWorkspace.open({ catalog, provider, exposure: 'active' })
      const server = await openWireServer({
        answers: ({ body, index: request }) => {
          if (request > 0) return 'Done.'
          const sent = sentSchemas(body)
          return random.map(({ sample }, index) => {
            const name = `tool_${index}`
            return { name, input: written(sample, keysByTitle(sent.get(name))) as Body }
          })
        },
      })
      await run(server.url, workspace)
      expect(server.violations.slice(0, 3)).toEqual([])
      for (const [index, { schema, sample }] of random.entries()) {
        const own = written(sample, keysByTitle(schema))
        const seen = got.get(`tool_${index}`)
        expect({ schema, seen }).toEqual({ schema, seen: own })
      }
      await workspace.close()
      await server.close()
    }
  },
  60_000 + SCHEMAS * 300,
)
