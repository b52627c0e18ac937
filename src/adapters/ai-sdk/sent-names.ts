import { renamedTool } from '../../engine/standing/tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { ownName } from '../../tools/provider-schema/provider-name.ts'
import type { WorkspaceStep } from '../../workspace/offer/begin-step.ts'
import type { StepMessage } from '../../workspace/offer/conversation/history-message.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/**
 * The names of tools as the SDK has them, which are those that the provider accepts. Calls go to the workspace
 * by these names. Without a named provider, the rules of OpenAI hold.
 */
export class SentNames {
  readonly #workspace: VirtualWorkspace

  constructor(workspace: VirtualWorkspace) {
    this.#workspace = workspace
  }

  of(name: string): string {
    return this.#workspace.sentName(name, 'openai')
  }

  tool(tool: Tool): Tool {
    return renamedTool(tool, this.of(tool.name))
  }

  /** Returns the content of a request with the names to send. */
  step(step: WorkspaceStep): WorkspaceStep {
    return {
      ...step,
      tools: step.tools.map((tool) => this.tool(tool)),
      deferred: new Set([...step.deferred].map((name) => this.of(name))),
      messages: step.messages.map((message) => this.#message(message)),
    }
  }

  /** Returns the name in the session of a tool that the conversation refers to. */
  own(name: string): string {
    return ownName(name, this.#known())
  }

  *#known(): Generator<string> {
    const { exposed, found } = this.#workspace.state
    for (const { name } of exposed ?? []) yield name
    for (const { name } of found) yield name
    for (const { name } of this.#workspace.tools()) yield name
  }

  #message(message: StepMessage): StepMessage {
    if (message.kind !== 'tools') return message
    return {
      ...message,
      additions: message.additions.map((one) => ({ ...one, tool: this.tool(one.tool) })),
      removals: message.removals.map((name) => this.of(name)),
    }
  }
}
