import type { Client } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { defineTool, succeed, type Tool } from '../../../entries/index.ts'
import { LONGEST_TIMER_MS } from '../../../entries/kit.ts'
import { mcpParts } from '../../../tools/response/mcp-result.ts'
import type { HandlerOutcome } from '../../../tools/response/tool-response.ts'
import { readPages } from './read-tools.ts'

/** The parts of a server besides its tools that a model may ask for. */
export interface RequestedParts {
  /** True to offer tools that list the resources of the server and read one. */
  readonly resources?: boolean | undefined
  /** True to offer tools that list the prompts of the server and get one. */
  readonly prompts?: boolean | undefined
}

/** A tool that makes another request than a call. */
export interface RequestTool {
  readonly tool: Tool
  run(client: Client, input: unknown, signal: AbortSignal): Promise<HandlerOutcome>
}

/** Returns the tools that list and read the resources and prompts of a server, as far as it has some. */
export function requestTools(
  { resources, prompts }: RequestedParts,
  client: Client,
  prefix: string,
): readonly RequestTool[] {
  const has = client.getServerCapabilities() ?? {}
  return [
    ...(resources === true && has.resources ? resourceTools(prefix) : []),
    ...(prompts === true && has.prompts ? promptTools(prefix) : []),
  ]
}

const text = (description: string) => ({ type: 'string', description })

function resourceTools(prefix: string): readonly RequestTool[] {
  return [
    {
      tool: retrieval(`${prefix}list_resources`, 'Lists the resources of the server.', {}),
      async run(client, _, signal) {
        const read = await readPages('resources', async (params) => {
          const asked = { method: 'resources/list', params }
          const page = await client.request(asked, RESOURCES, optionsOf(signal))
          return { entries: page.resources, nextCursor: page.nextCursor }
        })
        return listed(read, ({ uri, name, description, mimeType }) => ({
          uri,
          name,
          ...(description !== undefined && { description }),
          ...(mimeType !== undefined && { mediaType: mimeType }),
        }))
      },
    },
    {
      tool: retrieval(`${prefix}read_resource`, 'Reads a resource of the server.', {
        uri: text('The address of the resource.'),
      }),
      async run(client, input, signal) {
        const { uri } = input as { uri: string }
        const { contents } = await client.readResource({ uri }, optionsOf(signal))
        const parts = contents.map((resource) => ({ type: 'resource', resource }))
        return outcome(parts)
      },
    },
  ]
}

function promptTools(prefix: string): readonly RequestTool[] {
  return [
    {
      tool: retrieval(`${prefix}list_prompts`, 'Lists the prompts of the server.', {}),
      async run(client, _, signal) {
        const read = await readPages('prompts', async (params) => {
          const asked = { method: 'prompts/list', params }
          const page = await client.request(asked, PROMPTS, optionsOf(signal))
          return { entries: page.prompts, nextCursor: page.nextCursor }
        })
        return listed(read, ({ name, description, arguments: given }) => ({
          name,
          ...(description !== undefined && { description }),
          ...(given !== undefined && { arguments: given }),
        }))
      },
    },
    {
      tool: retrieval(
        `${prefix}get_prompt`,
        'Returns the text of a prompt of the server.',
        {
          name: text('The name of the prompt.'),
          arguments: { type: 'object', additionalProperties: { type: 'string' } },
        },
        ['name'],
      ),
      async run(client, input, signal) {
        const { name, arguments: given } = input as {
          name: string
          arguments?: Record<string, string>
        }
        const params = { name, ...(given !== undefined && { arguments: given }) }
        const { messages } = await client.getPrompt(params, optionsOf(signal))
        return outcome(messages.map(({ content }) => content))
      },
    },
  ]
}

function retrieval(
  name: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
): Tool {
  const inputSchema = { type: 'object', properties, required, additionalProperties: false }
  return defineTool({ name, description, category: 'retrieval', inputSchema }) as Tool
}

function outcome(parts: readonly unknown[]): HandlerOutcome {
  const content = mcpParts(parts)
  const texts = content.flatMap((part) => ('text' in part ? (part.text ?? []) : []))
  return succeed(texts.join('\n'), content.length === 0 ? {} : { content })
}

const optionalText = z.string().optional()

const RESOURCES = z.looseObject({
  resources: z.array(
    z.looseObject({
      uri: z.string(),
      name: z.string(),
      description: optionalText,
      mimeType: optionalText,
    }),
  ),
  nextCursor: optionalText,
})

const PROMPTS = z.looseObject({
  prompts: z.array(
    z.looseObject({
      name: z.string(),
      description: optionalText,
      arguments: z.array(z.looseObject({ name: z.string() })).optional(),
    }),
  ),
  nextCursor: optionalText,
})

/** Returns the entries of a list that was read, with a warning for one that does not end. */
function listed<Entry>(
  { entries, endless }: Awaited<ReturnType<typeof readPages<Entry>>>,
  shown: (entry: Entry) => object,
): HandlerOutcome {
  return succeed(entries.map(shown), endless === undefined ? {} : { meta: { warnings: [endless] } })
}

/** The deadline is that of the call. */
function optionsOf(signal: AbortSignal) {
  return { signal, timeout: LONGEST_TIMER_MS }
}
