import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Catalog, createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'

/** Starts a server in the place of a provider's, which gives one answer after the other: JSON, or events for a list. */
export async function serve(
  answers: readonly (object | readonly object[])[],
): Promise<{ readonly url: string; readonly bodies: string[]; close(): void }> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const answer = answers[bodies.push(body) - 1] ?? {}
    const events = Array.isArray(answer) ? (answer as readonly { readonly type?: string }[]) : null
    response.setHeader('content-type', events ? 'text/event-stream' : 'application/json')
    response.end(events ? events.map(written).join('') : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bodies, close: () => void server.close() }
}

function written(event: { readonly type?: string }): string {
  const name = event.type === undefined ? '' : `event: ${event.type}\n`
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

/** Creates a catalog with a skill that brings a tool. */
export async function catalog(): Promise<Catalog> {
  const double = defineTool({
    name: 'double',
    description: 'Doubles.',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    execute: ({ n }: { readonly n: number }) => ({ twice: n * 2 }),
  })
  const sums = defineSkill({ name: 'sums', description: 'Sums.', tools: [double] })
  return createCatalog({ skills: [sums] })
}

export async function open(): Promise<VirtualWorkspace> {
  return VirtualWorkspace.open({ catalog: await catalog() })
}

/** The calls of the model before its answer: it loads the skill, and uses the tool. */
export const CALLS: readonly (readonly [id: string, name: string, input: object])[] = [
  ['call_1', 'loadSkill', { skillName: 'sums' }],
  ['call_2', 'double', { n: 21 }],
]
