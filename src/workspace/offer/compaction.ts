import type { ExposedTool, SentSection } from '../../engine/model/event.ts'
import type { SentRules } from '../../engine/model/discovery-event.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { StepSection } from './workspace-step.ts'

/** What must survive when a conversation is summarised. */
export interface Compaction {
  /** The log entry that says so. */
  readonly seq: number
  /**
   * What the summary cannot stand for: instructions of active skills, their tools, panels, working
   * memory, and the rules the model was told. Each as it is now.
   */
  readonly sections: readonly StepSection[]
  /** The sections as one text, to be put in once, at the start of what follows. */
  readonly text: string
  readonly data: CompactedFacts
}

/** The same as data, for a host that keeps sessions of its own. */
export interface CompactedFacts {
  /** Active skills with the digest of the definition they were activated with. */
  readonly skills: readonly { readonly name: string; readonly digest: ContentHash | null }[]
  /** What the last step put before the model; null before the first. */
  readonly exposed: readonly ExposedTool[] | null
  /** Deferred tools that the conversation has to refer to again. */
  readonly references: readonly string[]
  readonly memory: WorkspaceState['memory']
  readonly rules: readonly SentRules[]
}

/** A compaction before the log has it. */
export interface PlannedCompaction extends Omit<Compaction, 'seq'> {
  /** The prompt's own sections among them: the next step knows that these were sent. */
  readonly sent: readonly SentSection[]
  readonly tokens: number
}
