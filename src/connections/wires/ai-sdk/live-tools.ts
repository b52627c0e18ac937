import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import type { StepMessage } from '../../../entries/adapter.ts'
import {
  type Tool,
  type VirtualWorkspace,
  WorkspaceError,
  type WorkspaceStep,
} from '../../../entries/index.ts'
import { renamedTool } from '../../../engine/standing/tool-table.ts'
import { callName } from '../../../schema/provider-forms/provider-name.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'
import {
  type CallGate,
  DEFERRED,
  OMITTED,
  sdkTool,
  type SdkTool,
  type ProviderOptions,
  type ToolRules,
} from './sdk-tool.ts'
import type { ToolChangeForm } from './write-tool-change.ts'

/** The tools of one step, as keys of the record. */
export interface ShownTools {
  readonly activeTools: string[]
  /** Absent when the keys of the record already have that order. */
  readonly toolOrder?: string[]
}

/**
 * Maximum number of unknown tools that are kept for the transcript; a model may invent any number.
 */
const MAX_UNLISTED = 100

interface Made {
  readonly hash: string
  readonly options: ProviderOptions | undefined
  readonly rules: ToolRules
  readonly tool: SdkTool
}

/**
 * The record of tools that the SDK gets, which follows the workspace.
 *
 * The SDK takes the record once per run and reads it again at each step, so keys may be added
 * during a run; `activeTools` says which of them a step sends. Keys stay when their tools leave,
 * because the SDK looks up in the record how to read an old result.
 */
export class LiveTools {
  /** Without a prototype, so that every name is an ordinary key. */
  readonly tools: ToolSet = Object.create(null) as ToolSet
  readonly #workspace: VirtualWorkspace
  readonly #gate: CallGate
  readonly #own: ToolSet
  readonly #made = new Map<string, Made>()
  readonly #unlisted = new Set<string>()
  #active: readonly string[] = []

  /** @param own tools of the SDK that a provider runs; they always come first */
  constructor(conversation: ModelConversation<VirtualWorkspace>, gate: CallGate, own: ToolSet) {
    const { workspace } = conversation
    this.#workspace = workspace
    this.#gate = gate
    this.#own = own
    Object.assign(this.tools, own)
    const { exposed, used } = workspace.state
    for (const tool of workspace.getAvailableTools()) {
      this.#put(sentTool(tool, conversation), undefined, 'any')
    }
    const before = [...(exposed ?? []).map(({ name }) => name), ...used.map(({ tool }) => tool)]
    for (const name of before.map((one) => conversation.sentName(one))) {
      this.tools[name] ??= this.#unlistedTool(name)
    }
  }

  /**
   * Updates the record to the tools of a step, those in its conversation included.
   *
   * @param active the names that the host limits the step to; no limit when absent
   */
  show(
    { tools, deferred, messages }: WorkspaceStep,
    { form, rules }: { readonly form: ToolChangeForm; readonly rules: ToolRules },
    active: readonly (string | number)[] | undefined,
  ): ShownTools {
    const added = toolsInConversation(messages)
    const later = new Map(added.map((tool) => [tool.name, tool]))
    for (const tool of tools) {
      const options = deferred.has(tool.name) ? DEFERRED : undefined
      this.#put(tool, options, rules, later.get(tool.name))
      later.delete(tool.name)
    }
    for (const tool of later.values())
      this.#put(tool, form === 'openai' ? OMITTED : undefined, rules)
    // OpenAI's provider leaves these out of the request. Anthropic's does not, and calls of a tool that is
    // not active are repaired.
    const shown = form === 'openai' ? [...tools, ...added] : tools
    const names = [...new Set(shown.map(({ name }) => name))]
    const shownNames = new Set(names)
    const activeTools = [
      ...Object.keys(this.#own).filter(
        (name) => !shownNames.has(name) && (active?.includes(name) ?? true),
      ),
      ...names,
    ]
    this.#active = activeTools
    if (this.#isOrdered(activeTools)) return { activeTools }
    for (const name of activeTools) {
      const tool = this.tools[name] as SdkTool
      delete this.tools[name]
      this.tools[name] = tool
    }
    // Integer keys always come first in an object.
    return this.#isOrdered(activeTools) ? { activeTools } : { activeTools, toolOrder: activeTools }
  }

  /** The names and descriptions of the tools that a provider runs. */
  get ownTools(): readonly (readonly [name: string, description: unknown])[] {
    return Object.entries(this.#own).map(([name, { description }]) => [name, description])
  }

  /** Throws when the SDK has another record, which lacks tools of the step: those were not sent. */
  assertSent(tools: Readonly<Record<string, unknown>>): void {
    const missing = this.#active.filter((name) => !Object.hasOwn(tools, name))
    if (missing.length === 0) return
    throw new WorkspaceError(
      'CALL_NOT_PREPARED',
      `The SDK did not send ${missing.map((name) => `"${name}"`).join(', ')}: the "tools" of forAiSdk were copied or replaced, such as by a "prepareCall" next to it.`,
      {
        hint: 'Give your own to it instead, and leave "tools" unchanged: forAiSdk(workspace, { prepareCall }).',
        facts: { missing },
      },
    )
  }

  /** Returns a tool for a name that is not in the request. */
  unlisted(name: string): SdkTool {
    const known = this.tools[name]
    if (known !== undefined) return known
    const [oldest] = this.#unlisted
    if (this.#unlisted.size >= MAX_UNLISTED && oldest !== undefined) {
      this.#unlisted.delete(oldest)
      delete this.tools[oldest]
    }
    this.#unlisted.add(name)
    return (this.tools[name] = this.#unlistedTool(name))
  }

  /**
   * Makes a tool that no request carries: the pipeline refuses its calls with a hint. A tool of the catalog converts
   * its stored results, also while it cannot be called.
   */
  #unlistedTool(name: string): SdkTool {
    const { toolsByHash } = this.#workspace.catalog
    const { aiSdk } = toolsByHash.values().find((tool) => tool.name === name) ?? {}
    const shown = { name, description: '', inputSchema: { type: 'object' } }
    return sdkTool({ ...shown, ...(aiSdk && { aiSdk }) }, undefined, this.#gate)
  }

  /**
   * @param later the definition of the same name in the conversation. The request keeps the one that it was sent with;
   *   calls and results are those of the later one
   */
  #put(tool: Tool, options: ProviderOptions | undefined, rules: ToolRules, later = tool): void {
    const { name } = tool
    const hash = `${tool.hash} ${later.hash}`
    const known = this.#made.get(name)
    const isSame = known?.hash === hash && known.options === options && known.rules === rules
    if (isSame && this.tools[name] === known.tool) return
    const made = { hash, options, rules, tool: sdkTool(tool, options, this.#gate, rules, later) }
    this.#made.set(name, made)
    this.#unlisted.delete(name)
    this.tools[name] = made.tool
  }

  #isOrdered(names: readonly string[]): boolean {
    let next = 0
    for (const key of Object.keys(this.tools)) if (key === names[next]) next += 1
    return next === names.length
  }
}

/** Returns the tools that the messages of a request add, and do not remove again. */
function toolsInConversation(messages: readonly StepMessage[]): readonly Tool[] {
  const tools = new Map<string, Tool>()
  for (const message of messages) {
    if (message.kind !== 'tools') continue
    for (const name of message.removals) tools.delete(name)
    for (const { tool } of message.additions) tools.set(tool.name, tool)
  }
  return [...tools.values()]
}

/**
 * The names of tools on both sides. The SDK has those that the provider accepts, and calls come back by them. Without a
 * named provider, the rules of OpenAI hold.
 */
export type ToolNames = Pick<ModelConversation, 'sentName' | 'ownName'>

/** Returns a tool under the name to send. */
function sentTool(tool: Tool, names: ToolNames): Tool {
  return renamedTool(tool, names.sentName(tool.name))
}

/** Returns the content of a request with the names to send. */
export function sentStep(step: WorkspaceStep, names: ToolNames): WorkspaceStep {
  return {
    ...step,
    tools: step.tools.map((tool) => sentTool(tool, names)),
    deferred: new Set([...step.deferred].map((name) => names.sentName(name))),
    messages: step.messages.map((message) => sentMessage(message, names)),
  }
}

function sentMessage(message: StepMessage, names: ToolNames): StepMessage {
  if (message.kind !== 'tools') return message
  return {
    ...message,
    additions: message.additions.map((one) => ({ ...one, tool: sentTool(one.tool, names) })),
    removals: message.removals.map((name) => names.sentName(name)),
  }
}

/** Returns a message of the history with the names of its calls as the provider of the model takes them. */
export function withCallNames(message: ModelMessage, model: LanguageModel): ModelMessage {
  const { role, content } = message
  if (role === 'user' || role === 'system' || typeof content === 'string') return message
  const provider = typeof model === 'string' ? model : model.provider
  const rules = provider.startsWith('google') ? 'gemini' : 'openai'
  const isRefused = (part: object): part is { readonly toolName: string } =>
    'toolName' in part && part.toolName !== callName(String(part.toolName), rules)
  if (!content.some(isRefused)) return message
  const named = content.map((part: object) =>
    isRefused(part) ? { ...part, toolName: callName(part.toolName, rules) } : part,
  )
  return { ...message, content: named } as ModelMessage
}
