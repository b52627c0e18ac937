import type { InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { ToolError } from '../../../entries/index.ts'
import { canonicalJson, wellFormed } from '../../../entries/kit.ts'
import type { ClientAccess, Declared } from './client-exchange.ts'
import type { McpSdk } from './mcp-sdk.ts'
import type { ParkedExchanges } from './parked-exchanges.ts'

/** The requests of one connection whose work may ask the client. */
export class ServedRequests {
  readonly #sdk: McpSdk
  readonly #parked: ParkedExchanges
  readonly #mcp: McpServer
  readonly #isModern: boolean

  constructor(sdk: McpSdk, parked: ParkedExchanges, mcp: McpServer, isModern: boolean) {
    this.#sdk = sdk
    this.#parked = parked
    this.#mcp = mcp
    this.#isModern = isModern
  }

  /**
   * Answers a request with the result of its work, or with questions.
   *
   * @param request its parameters: the next round must have the same
   */
  async answer<Result>(
    context: ServerContext,
    request: object,
    work: (access: ClientAccess) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const { method, envelope } = context.mcpReq
    const subject = canonicalJson({ method, ...request })
    const carried = envelope as Readonly<Record<string, unknown>> | undefined
    const declared = (carried?.[this.#sdk.CLIENT_CAPABILITIES_META_KEY] ??
      this.#mcp.server.getClientCapabilities() ??
      {}) as Declared
    try {
      return wellFormed(await this.#parked.answer(context, subject, declared, work))
    } catch (error) {
      if (!ToolError.is(error)) throw error
      throw this.failure(error.message, error.details)
    }
  }

  /** Returns the protocol's error for work that needs more of the client, or another reason to refuse a request. */
  failure(message: string, { capability, ...details }: Readonly<Record<string, unknown>>): Error {
    const { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } = this.#sdk
    return typeof capability === 'string' && this.#isModern
      ? new MissingRequiredClientCapabilityError({ requiredCapabilities: { [capability]: {} } })
      : new ProtocolError(ProtocolErrorCode.InvalidParams, message, details)
  }
}
