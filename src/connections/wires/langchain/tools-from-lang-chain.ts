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
      return isMessage(returned) ? returned : textOf(returned, id)
    })
    return {
      /** Returns what the tool itself returned where the model reads the same, and else the result of the gate. */
      inPlaceOf(result: ResultMessage): unknown {
        if (returned === undefined || result.status === 'error') return result
        if (!isMessage(returned) || returned.text === result.text) return returned
        return Object.assign(result, { artifact: returned.artifact })
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

/** Returns the text of the messages that a `Command` of LangGraph brings for a call. */
function textOf(returned: unknown, id: string): string {
  const { update } = returned as { readonly update?: { readonly messages?: readonly unknown[] } }
  const messages = (update?.messages ?? []).filter(isMessage)
  const own = messages.filter((one) => one.tool_call_id === id)
  return own.map(({ text }) => text).join('\n') || 'The tool changed the state of the agent.'
}
