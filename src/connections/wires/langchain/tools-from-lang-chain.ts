import { type Tool, toolsFrom } from '../../../entries/index.ts'
import type { ResultMessage } from './lang-chain-form.ts'

/** A tool of LangChain. */
interface LangChainTool {
  readonly name: string
  readonly description?: string
  readonly schema: unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- types of LangChain
  invoke(input: any, config?: any): Promise<any>
}

/**
 * Converts tools of LangChain. In an agent with the middleware their calls run as LangChain runs them: with the runtime
 * of the run, through the `wrapToolCall` of other middleware, and their `Command` or `artifact` reaches the graph.
 *
 * @param options fields for all tools or for each, as of `toolsFrom`
 */
export function toolsFromLangChain(
  tools: readonly LangChainTool[],
  options: Omit<ToolsFromOptions, 'execute'> = {},
): readonly Tool[] {
  return toolsFrom(tools, {
    ...options,
    execute: (name, input, { call: { id, session } }, own) => {
      const tool = tools.find((one) => one.name === name)
      return nativeCalls.run(session, id, tool, input) ?? own?.()
    },
  })
}

type ToolsFromOptions = NonNullable<Parameters<typeof toolsFrom>[1]>

type Run = (tool: unknown, args: unknown) => unknown

/** The calls that agents make now, each with the way in which LangChain runs it. */
class NativeCalls {
  readonly #running = new Map<string, Run>()

  /** Notes a call before it passes the gate. */
  begin(session: string, id: string, run: Run) {
    const key = JSON.stringify([session, id])
    let returned: unknown
    this.#running.set(key, async (tool, args) => {
      returned = await run(tool, args)
      return isMessage(returned) ? returned : commandText(returned, id)
    })
    return {
      /** Returns what the tool itself returned, with the text of the gate for the model. */
      inPlaceOf(result: ResultMessage): unknown {
        if (returned === undefined || result.status === 'error') return result
        if (isMessage(returned)) {
          if (returned.text === result.text) return returned
          return Object.assign(result, { artifact: returned.artifact })
        }
        const [first, ...others] = ownMessages(returned, id)
        if (first !== undefined && commandText(returned, id) !== result.text) {
          first.content = result.text
          for (const other of others) other.content = ''
        }
        return returned
      },
      end: () => this.#running.delete(key),
    }
  }

  /** Runs a call as LangChain does; undefined for one that no agent of LangChain makes. */
  run(session: string, id: string, tool: unknown, args: unknown): unknown {
    return this.#running.get(JSON.stringify([session, id]))?.(tool, args)
  }
}

export const nativeCalls = new NativeCalls()

function isMessage(returned: unknown): returned is ResultMessage {
  return typeof returned === 'object' && returned !== null && 'tool_call_id' in returned
}

/** A message of a `Command`: one of LangChain, or its plain form, which has no `text`. */
interface OwnMessage {
  readonly tool_call_id: string
  readonly text?: string
  content: string | readonly { readonly text?: string }[]
}

/** Returns the text of the messages that a `Command` of LangGraph brings for a call. */
function commandText(returned: unknown, id: string): string {
  const texts = ownMessages(returned, id).map(({ text, content }) => {
    return (
      text ??
      [content]
        .flat()
        .map((block) => (typeof block === 'string' ? block : (block.text ?? '')))
        .join('')
    )
  })
  return texts.join('\n') || 'The tool changed the state of the agent.'
}

function ownMessages(returned: unknown, id: string): OwnMessage[] {
  const { update } = returned as { readonly update?: object }
  const changes: readonly [string, unknown][] = Array.isArray(update)
    ? update
    : Object.entries(update ?? {})
  return changes
    .flatMap(([key, value]) => (key === 'messages' ? value : []))
    .filter((one): one is OwnMessage => isMessage(one) && one.tool_call_id === id)
}
