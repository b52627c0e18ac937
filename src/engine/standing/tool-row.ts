import type { Tool } from '../../tools/definition/tool.ts'
import type { OpenClaim, OpenSource } from '../model/source-state.ts'
import type { ToolStatus } from './status.ts'

/** One registered tool of a workspace with its standing now. */
export interface ToolRow {
  /** How it is addressed: its name, or `owner/name` when another owner's tool has the name. */
  readonly name: string
  readonly claim: OpenClaim
  readonly owner: OpenSource
  /** Absent when no process ever gave the definition; such a row is `unbound`. */
  readonly tool: Tool | undefined
  readonly status: ToolStatus
  /** It is available, and the user will be asked first. */
  readonly asks: boolean
}
