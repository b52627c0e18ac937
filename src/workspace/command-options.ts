import type { CallRequest } from '../session/call-request.ts'

/** Who gives a command; the host's own code when absent. */
export interface CommandOptions {
  readonly by?: 'host' | 'user'
}

/** How a call is made; the host's own code makes it when absent. */
export type CallOptions = Partial<Pick<CallRequest, 'caller' | 'call' | 'signal'>>
