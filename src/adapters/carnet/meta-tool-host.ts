import type { CarnetProject } from './session/carnet-project.ts'
import type { CarnetSession } from './session/carnet-session.ts'

/** What the meta-tools of one agent in one conversation work on. */
export interface MetaToolHost {
  readonly project: CarnetProject
  readonly agent: string
  /** The session as it is when a tool is called: it may have been reset since the tool was made. */
  session(): CarnetSession
}
