import type { ModelMessage, ToolResultPart } from 'ai'
import { isObject } from './is-object.ts'

/** What the results of `loadSkill` and `unloadSkill` in a conversation say of skills. */
export interface ToldSkills {
  /** Ids of the calls whose results hold the instructions of a skill. */
  readonly calls: ReadonlySet<string>
  /** Skills whose instructions are among the results, and that none after them puts away. */
  readonly loaded: ReadonlySet<string>
}

/** Read which skills' instructions a model has from results alone. */
export function toldSkills(messages: readonly ModelMessage[]): ToldSkills {
  const calls = new Set<string>()
  const loaded = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      const { toolName, toolCallId } = part
      const skill = skillOf(part)
      if (skill === undefined) continue
      if (toolName === 'loadSkill') {
        calls.add(toolCallId)
        loaded.add(skill)
      } else if (toolName === 'unloadSkill') loaded.delete(skill)
    }
  }
  return { calls, loaded }
}

/** The skill a result is about; one with references carries its data as text. */
function skillOf({ toolName, output }: ToolResultPart): string | undefined {
  if (toolName !== 'loadSkill' && toolName !== 'unloadSkill') return undefined
  const [first] = output.type === 'content' ? output.value : []
  const data = first?.type === 'text' ? parsed(first.text) : valueOf(output)
  return isObject(data) && typeof data['skill'] === 'string' ? data['skill'] : undefined
}

function valueOf(output: ToolResultPart['output']): unknown {
  return output.type === 'json' ? output.value : undefined
}

/** A history comes from the host, who may have put anything there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
