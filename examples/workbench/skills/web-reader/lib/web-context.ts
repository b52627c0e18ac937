import type { ToolContext } from 'loadout'

/** What the host may say. */
export interface WebServices {
  /** Let pages of this machine and its own networks be read; off unless the host says so. */
  readonly allowPrivateHosts?: boolean
  /** Bytes read of one page, 2 MiB by default. */
  readonly maxBytes?: number
  /** Milliseconds one page may take, redirects included, 10,000 by default. */
  readonly timeoutMs?: number
}

export type WebContext = ToolContext<WebServices | undefined>
