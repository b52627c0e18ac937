import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { mcpServer } from 'loadout/mcp'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { runCommand } from '../../../workbench/cli/run-command.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import * as anthropic from '../../wires/anthropic/a-model.ts'
import { openModel } from '../../wires/openai/a-shop.ts'

const SERVER = join(PROJECT, 'tests/workbench/project/servers/counted-server.mjs')

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Writes JSON with its members in order, as the price counts it. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${sorted(one)}`).join(',')}}`
}

/** A tool of a request, and a message, in the forms of the three interfaces. */
interface SentTool {
  readonly name: string
  readonly description: string
  readonly parameters?: Json
  readonly input_schema?: Json
}

interface SentMessage {
  readonly role: string
  readonly content: string | readonly { readonly text: string }[]
}

interface SentBody {
  readonly tools: readonly (SentTool | { readonly function: SentTool })[]
  readonly messages?: readonly SentMessage[]
  readonly input?: readonly SentMessage[]
}

/** Makes one request with the message "Hi.", and returns its body. */
type Send = (workspace: VirtualWorkspace) => Promise<unknown>

const ask = { role: 'user' as const, content: 'Hi.' }

const chatCompletions: Send = async (workspace) => {
  const { client, server } = await openModel(['Hello.'])
  await forChatCompletions(workspace).run(client, { model: 'm', messages: [ask] })
  return server.requests[0]?.body
}

const responses: Send = async (workspace) => {
  const { client, server } = await openModel(['Hello.'])
  await forOpenAI(workspace, { model: 'gpt-5.6' }).run(client, { input: [ask] })
  return server.requests[0]?.body
}

const messages: Send = async (workspace) => {
  const { client, server } = await anthropic.openModel(['Hello.'])
  const { MODEL } = anthropic
  await forAnthropic(workspace, { model: MODEL.model }).run(client, { ...MODEL, messages: [ask] })
  return server.requests[0]?.body
}

test.each([
  { exposure: 'active', wire: 'Chat Completions', provider: 'compatible', send: chatCompletions },
  { exposure: 'append', wire: 'Chat Completions', provider: 'compatible', send: chatCompletions },
  { exposure: 'bridge', wire: 'Chat Completions', provider: 'compatible', send: chatCompletions },
  { exposure: 'deferred', wire: 'Messages', provider: 'anthropic', send: messages },
  { exposure: 'conversation', wire: 'Messages', provider: 'anthropic', send: messages },
  { exposure: 'conversation', wire: 'Responses', provider: 'openai', send: responses },
] as const)(
  'the price of a server under $exposure is exactly that of the recorded request of $wire, without the message of the user',
  async ({ exposure, provider, send }) => {
    const cwd = await temporaryFolder({ starts: '' })
    const args = [SERVER, 's', join(cwd, 'starts')]
    const command = process.execPath
    await writeFile(
      join(cwd, '.mcp.json'),
      JSON.stringify({ mcpServers: { s: { command, args } } }),
    )
    const { stdout } = await runCommand(['mcp', 'price', '--trust', '--json'], { cwd })
    const [price] = JSON.parse(stdout) as { tokens: Record<string, number>; tools: number }[]

    const catalog = await createCatalog({})
    const workspace = await VirtualWorkspace.open({ catalog, exposure, provider })
    await workspace.attach(mcpServer({ name: 's', command, args }))
    const body = (await send(workspace)) as SentBody
    const begun = (await workspace.entries()).find(({ event }) => event.type === 'step.begun')
    expect(begun?.event).toMatchObject({ strategy: exposure })
    await workspace.close()

    const texts = [
      ...body.tools
        .map((tool) => ('function' in tool ? tool.function : tool))
        .map(({ name, description, parameters, input_schema }) =>
          // Without a provider, no schema is completed for one.
          sorted({ name, description, inputSchema: parameters ?? input_schema ?? null }).replaceAll(
            '"properties":{},',
            '',
          ),
        ),
      ...(body.messages ?? body.input ?? [])
        .flatMap(({ content }) =>
          typeof content === 'string' ? content : content.map(({ text }) => text),
        )
        .filter((text) => text !== 'Hi.'),
    ]
    const counted = texts.reduce((sum, text) => sum + encode(text).length, 0)
    expect([price?.tools, price?.tokens[exposure]]).toEqual([50, counted])
  },
)
