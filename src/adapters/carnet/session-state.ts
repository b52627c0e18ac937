/** An agent's session, copied: changing it changes nothing. */
export interface CarnetSessionState {
  agentName: string
  /** Loaded skills, the initial ones among them. */
  discoveredSkills: Set<string>
  /** Toolsets that came with them. */
  loadedToolsets: Set<string>
  /** Tools that came with them, provided by the host or not. */
  exposedDomainTools: Set<string>
}
