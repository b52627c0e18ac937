import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type { Redactor } from '../../../entries/index.ts'
import { wellFormed } from '../../../entries/kit.ts'
import { askClient } from '../../../workspace/calls/handlers/ask-client.ts'
import { DEFAULT_CALL_LIMITS } from '../../../workspace/calls/request/call-limits.ts'
import type { ClientAccess } from './client-exchange.ts'
import { refuseSecrets } from './hide-in-messages.ts'
import type { McpSdk } from './mcp-sdk.ts'
import type { McpContext, McpServing } from './mcp-serving.ts'
import type { ServedRequests } from './served-requests.ts'

/** Registers the host's own resources: those with a URI, and templates. */
export function registerResources(
  mcp: McpServer,
  { resources = [], workspace }: Pick<McpServing, 'resources' | 'workspace'>,
  sdk: McpSdk,
  requests: ServedRequests,
  redactor: Redactor | undefined,
): void {
  for (const resource of resources) {
    const { uri, name, title, description, mediaType } = resource
    const about = wellFormed({
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
    })
    const read = (
      address: URL,
      given: Readonly<Record<string, string | string[]>>,
      ctx: ServerContext,
    ) =>
      requests.answer(ctx, { uri: address.href }, async (access) => {
        const parameters = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [key, String(value)]),
        )
        const content = await resource.read(
          parameters,
          contextOf(name, access, workspace, ctx, redactor),
        )
        if (typeof content !== 'string') refuseSecrets(content, address.href, sdk, redactor)
        const body =
          typeof content === 'string'
            ? { text: content }
            : { blob: Buffer.from(content).toString('base64') }
        const mime = mediaType === undefined ? {} : { mimeType: mediaType }
        return { contents: [{ uri: address.href, ...mime, ...body }] }
      })
    if (uri.includes('{')) {
      const template = new sdk.ResourceTemplate(uri, { list: undefined })
      mcp.registerResource(name, template, about, read)
    } else mcp.registerResource(name, uri, about, (address, ctx) => read(address, {}, ctx))
  }
}

/** Creates the functions with which a resource or a prompt asks the client. */
export function contextOf(
  name: string,
  { client, signal }: ClientAccess,
  { services, client: host }: McpServing['workspace'],
  context: ServerContext,
  redactor: Redactor | undefined,
): McpContext {
  const pause = () => () => undefined
  const timeoutMs = DEFAULT_CALL_LIMITS.confirmationMs
  const asking = { tool: name, clients: [client, host], timeoutMs, over: signal, pause, redactor }
  const principal = context.http?.authInfo?.extra?.['principal'] as McpContext['principal']
  return {
    services,
    principal,
    signal,
    elicit: (question) => askClient('elicit', question, asking),
    sample: (request) => askClient('sample', request, asking),
    roots: () => askClient('roots', undefined, asking),
  }
}
