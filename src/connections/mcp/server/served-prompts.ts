import type {
  CompleteResult,
  GetPromptResult,
  Prompt,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { Redactor, Skill, VirtualWorkspace } from '../../../entries/index.ts'
import { substituteVariables } from '../../../kernel/substitute-variables.ts'
import { contentBlock } from './served-result.ts'
import type { ClientAccess } from './client-exchange.ts'
import type { McpPrompt, McpServing } from './mcp-serving.ts'
import { contextOf } from './register-resources.ts'

type Reading = VirtualWorkspace['approvals']['reading']

/** The prompts of a server: the host's own, and the skills with placeholders for arguments. */
export class ServedPrompts {
  readonly #serving: McpServing
  readonly #redactor: Redactor | undefined
  readonly #reading: Reading

  /** @param reading what rules say about the skill of a prompt, which a client may give to its model without a person */
  constructor(serving: McpServing, redactor: Redactor | undefined, reading: Reading) {
    this.#serving = serving
    this.#redactor = redactor
    this.#reading = reading
  }

  list(): Prompt[] {
    const own = this.#own().map(({ name, title, description, arguments: given = [] }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      arguments: given.map((one) => {
        const { name: argument, description: about, required } = one
        return {
          name: argument,
          ...(about !== undefined && { description: about }),
          ...(required !== undefined && { required }),
        }
      }),
    }))
    const names = new Set(own.map(({ name }) => name))
    const skills = this.#skills().filter(({ name }) => !names.has(name))
    const text = { name: 'arguments', description: 'The text for the placeholders of the skill.' }
    return [
      ...own,
      ...skills.map(({ name, displayName: title, description }) => {
        return { name, title, description, arguments: [text] }
      }),
    ]
  }

  /** Returns the skill of a prompt, which a session activates; undefined for a prompt of the host. */
  skill(name: string): Skill | undefined {
    if (this.#own().some((one) => one.name === name)) return undefined
    return this.#skills().find((one) => one.name === name)
  }

  /** Returns null for an unknown prompt. */
  async get(
    name: string,
    given: Readonly<Record<string, string>>,
    access: ClientAccess,
    context: ServerContext,
  ): Promise<GetPromptResult | null> {
    const { workspace } = this.#serving
    const prompt = this.#own().find((one) => one.name === name)
    if (prompt) {
      const asking = contextOf(name, access, workspace, context, this.#redactor)
      const got = await prompt.get(given, asking)
      const messages =
        typeof got === 'string' ? [{ role: 'user' as const, content: textPart(got) }] : got
      return {
        messages: messages.map(({ role, content }) => ({ role, content: contentBlock(content) })),
      }
    }
    const skill = this.skill(name)
    if (skill === undefined) return null
    const scopes = workspace.variables ? [workspace.variables] : []
    const all = given['arguments'] ?? ''
    const { text } = substituteVariables(skill.instructions, scopes, all, skill)
    return { messages: [{ role: 'user', content: textPart(text) }] }
  }

  /** Completes an argument of a prompt, or a parameter of a template. */
  async complete(
    ref: { readonly type: string; readonly name?: string; readonly uri?: string },
    argument: { readonly name: string; readonly value: string },
  ): Promise<CompleteResult> {
    const { resources = [] } = this.#serving
    const prompt = this.#own().find(({ name }) => ref.type === 'ref/prompt' && name === ref.name)
    const completer =
      ref.type === 'ref/prompt'
        ? prompt?.arguments?.find(({ name }) => name === argument.name)?.complete
        : resources.find(({ uri }) => uri === ref.uri)?.complete?.[argument.name]
    const all = completer === undefined ? [] : await completer(argument.value)
    const values = all.slice(0, MOST_VALUES)
    return { completion: { values, total: all.length, hasMore: all.length > MOST_VALUES } }
  }

  #own(): readonly McpPrompt[] {
    return this.#serving.prompts ?? []
  }

  #skills(): readonly Skill[] {
    const { skills, takeArguments } = this.#serving.workspace.catalog
    const taking = takeArguments.flatMap((name) => skills.get(name) ?? [])
    return taking.filter(
      ({ name, userInvocable }) => userInvocable !== false && this.#reading(name) !== 'deny',
    )
  }
}

/** The most values of one answer, by the protocol. */
const MOST_VALUES = 100

function textPart(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text }
}
