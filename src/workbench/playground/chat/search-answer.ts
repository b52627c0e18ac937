import type { VirtualWorkspace } from '../../../entries/index.ts'
import { isMeta } from '../../../entries/kit.ts'
import { counted, requestTokens } from '../../../entries/plan.ts'
import { catalogIndex, layeredIndex, type SearchResult } from '../../../entries/search.ts'
import type { ServedAnswer } from '../../project/scenarios/scripted-server.ts'

const HOW_TO_ADD_A_MODEL =
  'No model answers here. To give it one, add --model http://localhost:11434/v1#qwen3 to the command (any server with the Chat Completions of OpenAI), or name a "model" in loadout.config.ts.'

/** Below this confidence, a search has found nothing that a message is about. */
const LEAST_CONFIDENCE = 0.05

/**
 * Answers a message without a model: searches as `tool_search` does, loads the skill that fits best, and describes what
 * a model would be sent.
 *
 * @param isNew nothing was done about the message yet
 */
export function searchAnswer(
  message: string,
  workspace: VirtualWorkspace,
  isNew: boolean,
): ServedAnswer {
  const say = (...lines: readonly string[]): ServedAnswer => {
    return { text: [...lines, HOW_TO_ADD_A_MODEL].join('\n'), calls: [] }
  }
  const found = searchSession(message, workspace)
  if (found === null) {
    return say('The search finds nothing that fits. Say the action and its object in a few words.')
  }
  const { skill, because } = found
  if (skill === null) return say(`${because} No skill has to be loaded.`, requestText(workspace))
  const { status, because: reasons } = workspace.explainSkill(skill)
  if (status === 'active') {
    const tools = (workspace.catalog.skillTools.get(skill) ?? []).map(({ tool }) => tool.name)
    const brought = tools.length === 0 ? 'and has no tools' : `with ${AND.format(tools)}`
    const when = isNew ? 'is active already' : 'is loaded now'
    return say(because, `${skill} ${when}, ${brought}.`, requestText(workspace))
  }
  if (isNew) return { calls: [{ name: 'loadSkill', input: { skillName: skill } }] }
  return say(because, `${skill} is not active. ${reasons.at(-1)?.text ?? ''}`)
}

/** Returns the skill that fits a message best, null for a tool that needs none, and why. */
function searchSession(message: string, workspace: VirtualWorkspace) {
  const { catalog } = workspace
  const listings = workspace.tools().filter((one) => !isMeta(one))
  const own = listings.flatMap(({ name, tool, source }) => {
    if (tool === undefined || source === 'skill' || catalog.bringers.has(name)) return []
    const { description, phrases, topic, inputSchema } = tool
    return [{ name, description, phrases, inputSchema, ...(topic !== undefined && { topic }) }]
  })
  const loadable = new Map<string, boolean>()
  const mayBe = (skill: string) => {
    const known = loadable.get(skill)
    if (known !== undefined) return known
    const { status, outcomes } = workspace.explainSkill(skill)
    const isLoadable = status === 'active' || outcomes.some((one) => one !== 'refuse')
    loadable.set(skill, isLoadable)
    return isLoadable
  }
  const tools = new Map(listings.map((one) => [one.name, one]))
  const { results, confidence } = layeredIndex(catalogIndex(catalog), own).search(message, {
    limit: 1,
    only(name, kind) {
      if (kind === 'skill') return mayBe(name)
      const { status, source, owner } = tools.get(name) ?? {}
      if (status === 'skill-inactive') return source === 'skill' && mayBe(owner ?? '')
      return status === 'available' || status === 'not-exposed'
    },
  })
  const [best] = results
  if (best === undefined || confidence < LEAST_CONFIDENCE) return null
  const { source, owner = null } = tools.get(best.name) ?? {}
  const skill = best.kind === 'skill' ? best.name : source === 'skill' ? owner : null
  return { skill, because: `${foundText(best, skill)}, confidence ${confidence.toFixed(2)}.` }
}

function foundText({ name, kind, matched }: SearchResult, skill: string | null): string {
  const terms = [...new Set(matched.flatMap((one) => one.terms))].map((term) => `"${term}"`)
  const where = kind === 'tool' && skill !== null ? ` of ${skill}` : ''
  return `The search finds the ${kind} ${name}${where} by ${AND.format(terms)}`
}

/** Describes the request of this step, which a model would be sent. */
function requestText({ state: { exposed, cost } }: VirtualWorkspace): string {
  const tools = counted(exposed?.length ?? 0, 'tool')
  if (cost === null) return `A model would be sent ${tools}.`
  const [tokens, previous, kept] = [requestTokens(cost), cost.previous, cost.kept].map((one) =>
    one.toLocaleString('en'),
  )
  const before = `The request before had ${previous}; a cache can keep ${kept} of them.`
  return `A model would be sent ${tools} in ${tokens} tokens.${cost.previous === 0 ? '' : ` ${before}`}`
}

const AND = new Intl.ListFormat('en')
