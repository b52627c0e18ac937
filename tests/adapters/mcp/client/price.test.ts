import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { mcpServer } from 'loadout/mcp'
import { forChatCompletions } from 'loadout/openai'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { runCommand } from '../../../cli/run-command.ts'
import { temporaryFolder } from '../../../project/temporary-folder.ts'
import { openModel } from '../../openai/a-shop.ts'

const SERVER = join(PROJECT, 'tests/project/servers/counted-server.mjs')

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Writes JSON with its members in order, as the price counts it. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${sorted(one)}`).join(',')}}`
}

interface SentTool {
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Json
  }
}

interface SentMessage {
  readonly role: string
  readonly content: string
}

test.each(['active', 'append', 'bridge'] as const)(
  'the price of a server under %s is exactly that of the recorded request, without the message of the user',
  async (exposure) => {
    const cwd = await temporaryFolder({ starts: '' })
    const args = [SERVER, 's', join(cwd, 'starts')]
    const command = process.execPath
    await writeFile(
      join(cwd, '.mcp.json'),
      JSON.stringify({ mcpServers: { s: { command, args } } }),
    )
    const { stdout } = await runCommand(['mcp', 'price', '--trust', '--json'], { cwd })
    const [price] = JSON.parse(stdout) as { tokens: Record<string, number>; tools: number }[]

    const { client, server } = await openModel(['Hello.'])
    const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}), exposure })
    await workspace.attach(mcpServer({ name: 's', command, args }))
    const messages = [{ role: 'user' as const, content: 'Hi.' }]
    await forChatCompletions(workspace).run(client, { model: 'm', messages })
    await workspace.close()

    const body = server.requests[0]?.body as { tools: SentTool[]; messages: SentMessage[] }
    const texts = [
      ...body.tools.map(({ function: { name, description, parameters } }) =>
        sorted({ name, description, inputSchema: parameters }),
      ),
      ...body.messages.filter(({ content }) => content !== 'Hi.').map(({ content }) => content),
    ]
    const counted = texts.reduce((sum, text) => sum + encode(text).length, 0)
    expect([price?.tools, price?.tokens[exposure]]).toEqual([50, counted])
  },
)
