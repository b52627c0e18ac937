import type { Tool } from 'ai'

/** Tools of the host, by the names that the manifest's toolsets list. */
export type DomainToolSet = Record<string, Tool>
