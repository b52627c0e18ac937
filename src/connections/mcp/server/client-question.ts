import type { ToolResponse, VirtualWorkspace } from '../../../entries/index.ts'
import {
  describeQuestion,
  isObject,
  type PendingConfirmation,
  sanitiseText,
  withArguments,
} from '../../../entries/kit.ts'
import type { GatedRequest } from './gate-transport.ts'
import { decisionIn, DECISION } from './mcp-session.ts'
import { servedResult } from './served-result.ts'

/** The functions of a server of either SDK that ask its client. */
export interface AskingServer {
  getClientCapabilities(): { readonly elicitation?: object | undefined } | undefined
  elicitInput(params: never, options?: never): Promise<ElicitedAnswer>
}

interface ElicitedAnswer {
  readonly action: string
  readonly content?: object | undefined
}

/** The member of `_meta` in which clients of 2026-07-28 say with each request what they can do. */
const CAPABILITIES_META = 'io.modelcontextprotocol/clientCapabilities'

/** Characters of JSON of the longest arguments that a question shows. */
const LONGEST_SHOWN = 4_000

/** The question about one call to the person at the client. */
export class ClientQuestion {
  readonly #server: AskingServer
  readonly #waitMs: number
  readonly #request: GatedRequest
  /** The questions that were open before this request: only those can have been answered with it. */
  readonly #before: ReadonlySet<string>
  #round: Readonly<Record<string, unknown>> | undefined

  constructor(
    server: AskingServer,
    waitMs: number,
    { state }: VirtualWorkspace,
    request: GatedRequest,
  ) {
    this.#server = server
    this.#waitMs = waitMs
    this.#request = request
    this.#before = new Set(state.confirmations.map(({ id }) => id))
  }

  /** Asks the person. Returns undefined when nobody can be asked now. */
  async ask(asked: PendingConfirmation, input: unknown, signal: AbortSignal) {
    const { elicitation } = this.#declared ?? this.#server.getClientCapabilities() ?? {}
    if (elicitation === undefined) return undefined
    const params = { mode: 'form', message: questionText(asked, input), requestedSchema: DECISION }
    if (this.#declared === undefined) {
      const { id: relatedRequestId } = this.#request
      const options = { signal, timeout: this.#waitMs, relatedRequestId }
      return this.#server
        .elicitInput(params as never, options as never)
        .then(decisionIn, () => undefined)
    }
    const key = `loadout/${asked.id}`
    const given = this.#responses[key]
    if (isObject(given) && this.#before.has(asked.id)) return decisionIn(given as never)
    const request = { method: 'elicitation/create', params }
    this.#round = { resultType: 'input_required', inputRequests: { [key]: request } }
    return undefined
  }

  /** Returns a result of the gate: one that asks a client of 2026-07-28, which then makes its request again, or else that of the workspace. */
  result(response: ToolResponse): Readonly<Record<string, unknown>> {
    const type = this.#declared && { resultType: 'complete' }
    return this.#round ?? { ...servedResult(response, false), ...type }
  }

  /** Returns the parameters of the request without the answers to questions of the gate. */
  paramsForServer(): GatedRequest['params'] {
    const { params } = this.#request
    const others = Object.entries(this.#responses).filter(([key]) => !key.startsWith('loadout/'))
    if (others.length === Object.keys(this.#responses).length) return params
    const { inputResponses: _, ...rest } = params
    return others.length === 0 ? rest : { ...rest, inputResponses: Object.fromEntries(others) }
  }

  get #declared(): { readonly elicitation?: object } | undefined {
    const meta = this.#request.params['_meta']
    const declared = isObject(meta) ? meta[CAPABILITIES_META] : undefined
    return isObject(declared) ? declared : undefined
  }

  get #responses(): Readonly<Record<string, unknown>> {
    const given = this.#request.params['inputResponses']
    return isObject(given) ? given : {}
  }
}

function questionText(asked: PendingConfirmation, input: unknown): string {
  const text = JSON.stringify(input)
  const shown =
    text.length > LONGEST_SHOWN ? { omittedBytes: Buffer.byteLength(text) } : { arguments: input }
  const call = `${asked.tool}${withArguments(shown as never)}`
  return sanitiseText(`Allow this call? ${call}\n${describeQuestion(asked)}`.trim())
}
