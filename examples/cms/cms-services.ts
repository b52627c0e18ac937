import type { DatabaseSync } from 'node:sqlite'
import type { ToolContext } from 'loadout'

/** A service on the network that a tool asks. */
export interface Remote {
  /** Where it stands, such as `https://api.pexels.com`; a path of it is kept. */
  readonly baseUrl: string
  /** Sent as it is in the header `authorization`. */
  readonly key?: string
}

/** What the handlers work with: given once to the workspace, and never shown to the model. */
export interface CmsServices {
  readonly database: DatabaseSync
  /** The time now, ISO 8601. */
  now(): string
  /** Searches the web and reads its pages. */
  readonly research?: Remote
  /** Photographs to use. `photos` are the origins that their files may come from. */
  readonly pexels?: Remote & { readonly photos: readonly string[] }
  /** The origins that `http_get` and `http_post` may reach, such as `https://api.example.com`. */
  readonly origins: readonly string[]
}

/** What a handler of this agent gets beside its input. */
export type CmsContext = ToolContext<CmsServices>
