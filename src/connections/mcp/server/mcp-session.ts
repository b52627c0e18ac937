import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import { ownName, providerTool } from '../../../entries/adapter.ts'
import { type Tool, ToolError, type VirtualWorkspace } from '../../../entries/index.ts'
import { sanitiseLine, sanitiseText } from '../../../entries/kit.ts'
import type { ToolFailure } from '../../../tools/response/tool-response.ts'
import type { ClientAccess } from './client-exchange.ts'
import { servedResult } from './served-result.ts'

/** Meta-tools that change which tools there are. The model reads the change after their result. */
const LOADING: ReadonlySet<string> = new Set(['loadSkill', 'unloadSkill'])

/** The workspace of one client. */
export class McpSession {
  readonly workspace: VirtualWorkspace
  /** The number of requests that it works on. */
  busy = 0
  readonly #isLive: boolean

  constructor(workspace: VirtualWorkspace, isLive: boolean) {
    this.workspace = workspace
    this.#isLive = isLive
  }

  /** Returns the text that the model reads first: the instructions and the sections of the conversation. */
  async instructions(): Promise<string> {
    const { instructions, conversation } = await this.workspace.beginStep()
    return [instructions, ...conversation.map(({ text }) => text)].join('\n\n').trim()
  }

  /** Returns the tools for a list: the fixed ones, or with `live` those that can be called now. */
  async tools(): Promise<readonly Tool[]> {
    const { workspace } = this
    const step = this.#isLive ? await workspace.beginStep() : await workspace.previewStep()
    return step.tools
  }

  /**
   * Makes a call through the gate, as the model. If a person has to confirm it, asks through the client.
   *
   * Rejects with a `ToolError` for an unknown tool, and for one that needs more of the client: errors of the protocol.
   */
  async call(name: string, input: unknown, access: ClientAccess): Promise<CallToolResult> {
    const { workspace } = this
    const tool = ownName(name, namesOf(workspace), 'mcp')
    const { signal, client } = access
    const make = () => workspace.callTool(tool, input, { caller: 'model', signal, client })
    let response = await make()
    while (
      !response.ok &&
      response.error.type === 'CONFIRMATION_REQUIRED' &&
      client.elicit !== undefined
    ) {
      if (!(await this.#confirm(response, access))) break
      response = await make()
    }
    if (!response.ok) {
      const { type, message, details } = response.error
      // An unknown name that `call_tool` got is an argument, and so an error of the tool.
      const isUnknown = details['code'] === 'unknown' && response.meta.tool === tool
      if (isUnknown || details['code'] === 'client-cannot') {
        throw new ToolError(type, message, { details })
      }
    }
    const { outputSchema } = workspace.getAvailableTools().find((one) => one.name === tool) ?? {}
    // The sections that changed: the tools of a skill with their arguments, panels, and rules.
    const isChange = response.ok && LOADING.has(tool) && !this.#isLive
    const changes = isChange ? (await workspace.beginStep()).conversation : []
    const notes = changes.map(({ text }) => text.trim())
    return servedResult(response, outputSchema !== undefined, notes)
  }

  /** Asks the person about a call. Returns whether it may be made again. */
  async #confirm(
    { error: { message, details } }: ToolFailure,
    access: ClientAccess,
  ): Promise<boolean> {
    const { confirmation, preview } = details
    if (typeof confirmation !== 'string') return false
    const shown = typeof preview === 'string' ? `${message}\n\n${preview}` : message
    const decision = decisionIn(
      await access.confirm({ message: sanitiseText(shown), schema: DECISION }),
    )
    if (decision === undefined) return false
    const by = { by: 'user' } as const
    const outcome =
      decision === false
        ? await this.workspace.deny(confirmation, by)
        : await this.workspace.approve(confirmation, { ...by, remember: decision })
    // The same answer of somebody else counts as well.
    return outcome.ok || outcome.code === 'confirmation-answered'
  }
}

/** The form of a question about a call. */
export const DECISION = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Decision',
      enum: ['once', 'session', 'deny'],
      enumNames: ['Allow this call', 'Allow such calls in this session', 'Deny'],
    },
  },
  required: ['decision'],
} as const

/** Returns for how many calls a person approved one, false for a denial, and undefined without an answer. */
export function decisionIn({
  action,
  content,
}: {
  readonly action: string
  readonly content?: object | undefined
}): 'call' | 'session' | false | undefined {
  if (action === 'cancel') return undefined
  const decision: unknown = action === 'accept' && content && Reflect.get(content, 'decision')
  if (decision === 'session') return decision
  return decision === 'once' ? 'call' : false
}

type Hinted = Pick<Tool, 'category' | 'risk' | 'idempotent' | 'byDefault'>

/** A call of any tool. The definition of `call_tool` is that of a utility, and says nothing about the tools that it calls. */
const ANY_CALL: Hinted = { category: 'action', risk: 'moderate', idempotent: false }

/**
 * Writes a tool for a list. Annotations that its definition came with are served as they came. Of the others, those
 * that its own fields answer are served: a tool of moderate risk may be destructive or not. One that only reads, at
 * some risk, is not served as reading, because a client that trusts the server would take it for safe.
 */
export function listedTool(tool: Tool): ListedTool {
  const { outputSchema, ...listed } = providerTool(tool, 'mcp')
  const { name, annotations: given = {} } = tool
  const title = given.title === undefined ? undefined : sanitiseLine(given.title)
  const isBridge = name === 'call_tool' && tool.risk === 'safe'
  const { category, risk, idempotent, byDefault }: Hinted = isBridge ? ANY_CALL : tool
  const isReading = category !== 'action' && risk === 'safe'
  const isAction = category === 'action' && byDefault?.includes('category') !== true
  const isDestructive = risk === 'moderate' ? undefined : risk === 'destructive'
  const annotations = {
    title,
    readOnlyHint: given.readOnlyHint ?? (isReading || (isAction ? false : undefined)),
    destructiveHint: given.destructiveHint ?? isDestructive,
    idempotentHint: given.idempotentHint ?? (idempotent || (isReading ? false : undefined)),
    openWorldHint: given.openWorldHint,
  }
  return {
    ...listed,
    ...(title !== undefined && { title }),
    annotations,
    ...(outputSchema && { outputSchema: outputSchema as ListedTool['outputSchema'] }),
  } as ListedTool
}

function* namesOf(workspace: VirtualWorkspace): Iterable<string> {
  for (const { name } of workspace.tools()) yield name
}
