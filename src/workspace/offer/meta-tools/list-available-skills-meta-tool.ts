import { assessSkill } from '../../../engine/standing/assess-skill.ts'
import { hiddenSkills } from '../../../engine/standing/judge-condition.ts'
import { refusedSkills } from '../../../engine/standing/refused-skills.ts'
import {
  type ListedText,
  shortenDescriptions,
} from '../../../render/prompt/sections/shorten-descriptions.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { sessionIndex } from '../discovery/session-index.ts'
import { type MetaToolParts, metaTool, sanitisedData } from './meta-tool.ts'

interface ListInput {
  /** Null from a provider that requires models to give every argument, as is `page`. */
  readonly query?: string | null
  readonly page?: number | null
}

/** Skills on a page. */
const PAGE_SIZE = 20

/** The most tokens of a page; longer descriptions are shortened to fit. */
const PAGE_TOKENS = 1_500

/** `listAvailableSkills`: the skills the agent may load, a page at a time, ids first. */
export function listAvailableSkillsMetaTool(parts: MetaToolParts): Tool {
  return metaTool<ListInput>(parts, {
    name: 'listAvailableSkills',
    description: 'List the skills that can be loaded, with their ids and what they are for.',
    arguments: {
      query: { type: 'string', description: 'Only skills for this, the best first.' },
      page: { type: 'integer', default: 1 },
    },
    optional: ['query', 'page'],
    accepted: { query: { type: ['string', 'null'] }, page: { type: ['number', 'null'] } },
    execute({ query, page }) {
      const skills = skillsFor(query?.trim() ?? '', parts)
      const pages = Math.max(1, Math.ceil(skills.length / PAGE_SIZE))
      const at = Math.min(Math.max(1, Math.trunc(page ?? 1)), pages)
      return sanitisedData({
        skills: entriesOf(skills.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE), parts),
        page: at,
        pages,
        total: skills.length,
      })
    },
  })
}

/** Returns the loadable skills in the order of the catalog, or those for a query, the best first. */
function skillsFor(query: string, parts: MetaToolParts): readonly Skill[] {
  const { context, store } = parts
  const { skills } = context.catalog
  const { state } = store.getState()
  const refused = refusedSkills(state.policy, context.catalog)
  const hidden = hiddenSkills(state, context.catalog)
  const loadable = parts.loadable.filter((name) => !refused.has(name) && !hidden.has(name))
  if (query === '') return loadable.flatMap((name) => skills.get(name) ?? [])
  const allowed = new Set(loadable)
  const { results } = sessionIndex(state, context).search(query, {
    limit: loadable.length,
    only: (name, kind) => kind === 'skill' && allowed.has(name),
  })
  return results.flatMap(({ name }) => skills.get(name) ?? [])
}

function entriesOf(skills: readonly Skill[], { store, context, counter }: MetaToolParts) {
  const { state } = store.getState()
  const write = (texts: readonly ListedText[]) =>
    skills.map(({ name, displayName }, index) => {
      const { description = '', hints = [] } = texts[index] ?? {}
      return {
        id: name,
        displayName,
        description,
        ...Object.fromEntries(hints.map(({ label, value }) => [label, value])),
        status: assessSkill(state, context, name).status,
      }
    })
  const fits = (texts: readonly ListedText[]) =>
    counter.count(JSON.stringify(write(texts))) <= PAGE_TOKENS
  return write(shortenDescriptions(skills, counter, fits) ?? [])
}
