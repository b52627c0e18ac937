import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

const dump = defineTool({
  name: 'dump',
  description: 'Reads everything.',
  category: 'retrieval',
  execute: () => 'a row of the table\n'.repeat(50_000),
})

test.each(WIRE_CLIENTS)(
  '$name: a long result is cut, has the same bytes later, and the next request has read_result',
  async ({ provider, run }) => {
    const catalog = await createCatalog({ tools: [dump] })
    const workspace = await VirtualWorkspace.open({ catalog, provider })
    const server = await openWireServer({
      answers: [
        [{ name: 'dump' }],
        [{ name: 'read_result', input: { tool: 'dump', search: 'row' } }],
        'Done.',
      ],
    })
    await run(server.url, workspace)
    await workspace.close()
    await server.close()
    expect(server.violations).toEqual([])
    const [, second = '', third = ''] = server.requests.map(({ body }) => JSON.stringify(body))
    expect(second.length).toBeLessThan(300_000)
    const note = /The result was cut\. It has 950000 characters[^}]*\}/u.exec(second)?.[0] ?? '-'
    expect(third).toContain(note)
    expect(third).toContain('More places follow')
    expect(second).toContain('Read on in a result that was cut')
  },
)
