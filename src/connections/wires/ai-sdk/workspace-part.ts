import type {
  ErrorType,
  Verdict,
  Intent,
  SkillStatus,
  ToolResponse,
  ToolStatus,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import type { StepCost } from '../../../entries/plan.ts'

/** A tool or a skill, for a chat UI. */
export interface NamedStatus<Status extends string> {
  readonly name: string
  /** The name of a tool in calls and parts (`tool-…`), where the provider does not take its own. */
  readonly sentAs?: string
  readonly status: Status
  /** The reasons for the status, for people, in the order in which they came about. */
  readonly reasons: readonly string[]
  /** The way to change the status; empty when nothing has to be done. */
  readonly fix: string
}

/** The state of a workspace after its last step, for a chat UI. */
export interface WorkspaceData {
  readonly step: number
  readonly tools: readonly NamedStatus<ToolStatus>[]
  readonly skills: readonly NamedStatus<SkillStatus>[]
  /** The cost of the last step; null before the first. */
  readonly cost: StepCost | null
  /** The latest calls that the SDK made in this process, at most fifty, oldest first. */
  readonly calls: readonly CallFacts[]
}

/** The facts about a call that its output does not have. */
export interface CallFacts {
  /** The `toolCallId` of its part. */
  readonly call: string
  /** Null for a success. */
  readonly error: ErrorType | null
  /** The tool, the duration, the entry of the log, and warnings. */
  readonly meta: ToolResponse['meta']
  readonly intents: readonly Intent[]
}

const MOST_CALLS = 50

const callsOf = new WeakMap<VirtualWorkspace, readonly CallFacts[]>()

/** Keeps the facts about a call that has ended, for the next part of its workspace. */
export function noteCall(workspace: VirtualWorkspace, call: string, response: ToolResponse): void {
  const { meta } = response
  const facts = response.ok
    ? { call, error: null, meta, intents: response.intents }
    : { call, error: response.error.type, meta, intents: [] }
  callsOf.set(workspace, [...(callsOf.get(workspace) ?? []), facts].slice(-MOST_CALLS))
}

/** The data parts of a workspace, for the type of a message: `UIMessage<unknown, WorkspaceDataParts>`. */
export type WorkspaceDataParts = { readonly loadout: WorkspaceData }

/** A data part of a UI message stream. */
export interface WorkspacePart {
  readonly type: 'data-loadout'
  /** Always the same in a session: a later part of a message replaces an earlier one. */
  readonly id: string
  readonly data: WorkspaceData
}

/**
 * Returns the tools and skills of a workspace with their statuses and reasons, the cost of the last step, and the facts
 * about its latest calls, as a part for the writer of `createUIMessageStream`. The browser gets it, but neither
 * definitions nor arguments.
 *
 *     writer.write(workspacePart(workspace))
 */
export function workspacePart(workspace: VirtualWorkspace): WorkspacePart {
  const { step, cost } = workspace.state
  const tools = workspace.tools().map(({ name }) => {
    const sentAs = workspace.calls.sentName(name, 'openai')
    return { ...named(workspace.explain(name)), ...(sentAs !== name && { sentAs }) }
  })
  const skills = workspace.skills().map(({ name }) => named(workspace.explainSkill(name)))
  return {
    type: 'data-loadout',
    id: `loadout-${workspace.session}`,
    data: { step, tools, skills, cost, calls: callsOf.get(workspace) ?? [] },
  }
}

function named<Status extends string>({
  name,
  status,
  because,
  fix,
}: Verdict<Status>): NamedStatus<Status> {
  return { name, status, reasons: because.map(({ text }) => text), fix }
}
