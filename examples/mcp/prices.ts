import { pathToFileURL } from 'node:url'
import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
import { mcpServer, type ServerListing } from 'loadout/mcp'

// The price of a server that a skill brings, against one that is always attached: the tokens of the next request. It
// prints the table of docs/server-in-a-skill.md. The server is one that was made for tests, and needs no network.
const everything = (listing?: ServerListing) =>
  mcpServer({
    name: 'everything',
    command: process.execPath,
    args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js'],
    revision: '2025-11-25',
    ...(listing && { listing }),
  })

const demo = defineSkill({
  name: 'demo',
  description: 'Show what servers can do, when somebody asks for it.',
  instructions: 'Use the tools of the server.',
  servers: ['everything'],
})

const STRATEGIES = ['active', 'append', 'bridge'] as const

/** Returns a Markdown table of the tokens of a request: before, while and after the server is there. */
export async function priceTable(): Promise<string> {
  const end = new AbortController()
  const host = { signal: end.signal, onListing: () => undefined, onLost: () => undefined }
  const connection = await everything().connect(host)
  await connection.close()
  const server = everything(connection.listing)
  const rows: string[][] = []
  for (const exposure of STRATEGIES) {
    const always = await VirtualWorkspace.open({ catalog: await createCatalog({}), exposure })
    await always.attach(server)
    const attached = await tokensOf(always)
    const catalog = await createCatalog({ skills: [demo], servers: [server] })
    const workspace = await VirtualWorkspace.open({ catalog, exposure })
    const before = await tokensOf(workspace)
    await workspace.activateSkill('demo')
    const during = await tokensOf(workspace)
    await workspace.deactivateSkill('demo')
    const after = await tokensOf(workspace)
    rows.push([`\`${exposure}\``, ...[attached, before, during, after].map(String)])
    await Promise.all([always.close(), workspace.close()])
  }
  const head = ['strategy', 'always attached', 'skill inactive', 'skill active', 'deactivated']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${connection.listing.tools.length} tools\n\n${lines.join('\n')}`
}

async function tokensOf(workspace: VirtualWorkspace): Promise<number> {
  const { cost } = await workspace.beginStep({ history: [] })
  const { tools, instructions, conversation } = cost.tokens
  return tools + instructions + conversation
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(await priceTable())
}
