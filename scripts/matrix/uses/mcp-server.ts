import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { serveMcp } from 'loadout/mcp'
import { catalog } from './loopback.ts'

try {
  const endpoint = await serveMcp({ workspace: { catalog: await catalog() } })
  const client = new Client({ name: 'matrix', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: async (url, init) => {
        const request = new Request(url, init)
        request.headers.set('host', 'localhost')
        return endpoint.fetch(request)
      },
    }),
  )
  await client.callTool({ name: 'loadSkill', arguments: { skillName: 'sums' } })
  const { content } = await client.callTool({ name: 'double', arguments: { n: 21 } })
  console.log(JSON.stringify(JSON.stringify(content).includes('42')))
} catch (error) {
  console.log(JSON.stringify(String(error)))
}
process.exit()
