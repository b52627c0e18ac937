import type { DomainToolSet } from './domain-tools.ts'
import type { CarnetToolName } from './carnet-tool-name.ts'

/** Which tools `getTools` puts together. */
export interface ToolOptions {
  /**
   * Tools of the host, by the names the manifest's toolsets list; those of loaded skills come out.
   * Or a list of names: of the meta-tools and the registered tools only these come out.
   */
  tools?: DomainToolSet | readonly string[]
  /** The meta-tools that are offered; those of the instance when absent. */
  metaTools?: readonly CarnetToolName[]
}
