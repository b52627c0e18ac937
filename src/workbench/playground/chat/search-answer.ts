import type { VirtualWorkspace } from '../../../entries/index.ts'
import { isMeta } from '../../../entries/kit.ts'
import { counted, requestTokens } from '../../../entries/plan.ts'
import { sessionSearch } from '../../report/answers/session-search.ts'
import type { ServedAnswer } from '../../project/scenarios/scripted-server.ts'

/** Names of skills that are listed when nothing fits. */
const MOST_NAMES = 8

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
  const { best, skill, tools, skills } = searchSession(message, workspace)
  const among = `among ${counted(tools.size, 'tool')} and ${counted(skills.length, 'skill')}`
  const say = (...lines: readonly string[]): ServedAnswer => {
    return { text: [...lines, requestText(workspace), HOW_TO_GIVE_A_MODEL].join('\n'), calls: [] }
  }
  if (best === undefined) {
    const more = skills.length > MOST_NAMES ? ['…'] : []
    const names = [...skills.slice(0, MOST_NAMES), ...more].join(', ')
    const listed = skills.length === 0 ? [] : [`Skills: ${names}`]
    const hint = 'Say the action and its object in a few words, such as "read a table".'
    return say(`The search finds nothing that fits ${among}. ${hint}`, ...listed)
  }
  const terms = [...new Set(best.matched.flatMap((one) => one.terms))].map((term) => `"${term}"`)
  const by = terms.length === 0 ? '' : ` by ${AND.format(terms)}`
  const of = best.kind === 'tool' && skill !== null ? ` of the skill ${skill}` : ''
  const because = `The search finds the ${best.kind} ${best.name}${of}${by}, ${among}.`
  if (skill === null) return say(because, 'No skill has to be loaded for it.')
  const { status, because: reasons } = workspace.explainSkill(skill)
  if (status === 'active') {
    const own = (workspace.catalog.skillTools.get(skill) ?? []).map(({ tool }) => tool.name)
    const usable = own.filter((name) => tools.has(name))
    const brought = usable.length === 0 ? 'without tools' : `with ${AND.format(usable)}`
    return say(because, `${skill} is ${isNew ? 'active already' : 'loaded now'}, ${brought}.`)
  }
  if (isNew) return { calls: [{ name: 'loadSkill', input: { skillName: skill } }] }
  return say(because, `${skill} is not active. ${reasons.at(-1)?.text ?? ''}`)
}

const HOW_TO_GIVE_A_MODEL =
  'No model answers here. Give one with --model http://localhost:11434/v1#qwen3 (any server with the Chat Completions of OpenAI), or as "model" in loadout.config.ts.'

const AND = new Intl.ListFormat('en')

/** Returns what fits a message best, its skill (null for a tool that needs none), and what was looked at. */
function searchSession(message: string, workspace: VirtualWorkspace) {
  const { catalog } = workspace
  const loadable = [...catalog.skills.keys()].filter((name) => {
    const { status, outcomes } = workspace.explainSkill(name)
    return status === 'active' || outcomes.some((one) => one !== 'refuse')
  })
  const skills = new Set(loadable)
  const listings = workspace.tools().filter((one) => {
    if (isMeta(one) || one.tool === undefined) return false
    if (one.status === 'skill-inactive') return one.source === 'skill' && skills.has(one.owner)
    return one.status === 'available' || one.status === 'not-exposed'
  })
  const tools = new Map(listings.map((one) => [one.name, one]))
  const { results } = sessionSearch(workspace).index.search(message, {
    limit: 1,
    only: (name, kind) => (kind === 'skill' ? skills.has(name) : tools.has(name)),
  })
  const [best] = results
  const { source, owner = null } = tools.get(best?.name ?? '') ?? {}
  const skill = best?.kind === 'skill' ? best.name : source === 'skill' ? owner : null
  return { best, skill, tools, skills: loadable }
}

/** Describes the request of this step, which a model would be sent. */
function requestText({ state: { exposed, cost } }: VirtualWorkspace): string {
  const tools = counted(exposed?.length ?? 0, 'tool')
  const price = cost === null ? '' : ` in ${requestTokens(cost).toLocaleString('en')} tokens`
  return `A model would be sent ${tools}${price}: see the tab Prompt of the playground, or "loadout prompt --session latest" with the same --log.`
}
