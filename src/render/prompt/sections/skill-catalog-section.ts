import type { Catalog } from '../../../catalog/create/catalog.ts'
import { modelInvocableSkills } from '../../../engine/standing/assess-skill.ts'
import { hiddenSkills } from '../../../engine/standing/judge-condition.ts'
import { refusedSkills } from '../../../engine/standing/refused-skills.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import { newSection, SECTION_TITLE } from '../document/new-section.ts'
import type { PromptItem, PromptNote, PromptSection } from '../document/prompt-document.ts'
import type { PromptInput, PromptOptions } from '../document/prompt-input.ts'
import { markdownItem, writeMarkdown } from '../forms/write-markdown.ts'
import {
  type ListedText,
  listedText,
  NO_TEXT,
  shortenDescriptions,
  shortenFirstDescriptions,
} from './shorten-descriptions.ts'
import { distinctDisplayName } from './skill-section.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'

const skillCatalogCache = identityMemo<PromptSection | null>()

/** The way in which skills are listed, from the longest to the shortest. */
type Form = 'full' | 'shortened' | 'part' | 'name' | 'count'

/** The way in which a model finds skills that are not described in full. */
type Finding = 'search' | 'list' | 'ask'

const NOTE_CODE = {
  shortened: 'catalog-shortened',
  part: 'catalog-shortened-in-part',
  name: 'catalog-names-only',
  count: 'catalog-not-listed',
} as const

const RAISE = 'Raise "catalogBudget", in loadout.config or as an option of the workspace.'

const FINDING_HINT: Readonly<Record<Finding, string>> = {
  search: 'Say to `tool_search` what is to be done: it finds skills and their tools.',
  list: 'Call `listAvailableSkills` to see them.',
  ask: 'Ask for one by what it is called; the answer names the nearest ids.',
}

/**
 * Lists the skills an agent may load, ids first, without those that the rules deny to load. The list does not depend on
 * active skills, and is cached by catalog, agent, rules, counter and budget, so that later renders do not walk the catalog.
 *
 * When the list exceeds its budget, each description is shortened to its share of it, and keeps the sentence
 * that says when to use the skill. When the shares are too small, only as many as fit have the smallest share, in the order
 * of the list, and the others have their ids alone. When even the ids are too long, only the number of skills is given, with
 * the way to find them. The section and a note report this. Where tools are found by search, skills are counted as
 * soon as the shares are too small: the search finds them.
 */
export function skillCatalogSection(
  { catalog, agent, counter, state }: Pick<PromptInput, 'catalog' | 'agent' | 'counter' | 'state'>,
  options: PromptOptions,
): PromptSection | null {
  const { catalogBudget: budget, metaTools } = options
  const finding = metaTools.includes('tool_search')
    ? 'search'
    : metaTools.includes('listAvailableSkills')
      ? 'list'
      : 'ask'
  const refused = refusedSkills(state.policy, catalog)
  const facts = [catalog, agent ?? NO_AGENT, counter, refused]
  return skillCatalogCache(facts, `${budget} ${finding}`, () => {
    const skills = loadableSkills(catalog, agent, refused).filter(
      ({ paths }) => paths === undefined,
    )
    if (skills.length === 0) return null
    const list = (form: Form, items: readonly PromptItem[]) =>
      catalogSection(form, items, skills.length, budget, finding)
    const over = (section: PromptSection) => counter.count(writeMarkdown(section)) - budget
    const full = itemsWithin(skills, listedText, counter, budget)
    if (full !== null && over(list('full', full)) <= 0) return list('full', full)
    const names = itemsWithin(skills, () => NO_TEXT, counter, budget)
    if (names === null) return list('count', [])
    const described = (form: Form) => (texts: readonly ListedText[]) =>
      list(
        form,
        skills.map((skill, at) => skillItem(skill, texts[at] ?? NO_TEXT)),
      )
    const shortened = described('shortened')
    const all = shortenDescriptions(skills, counter, (texts) => over(shortened(texts)) <= 0)
    if (all !== null) return shortened(all)
    const named = list('name', names)
    if (finding === 'search' || over(named) > 0) return list('count', [])
    const inPart = described('part')
    const some = shortenFirstDescriptions(skills, counter, (texts) => over(inPart(texts)) <= 0)
    return some === null ? named : inPart(some)
  })
}

const offeredCache = identityMemo<PromptSection | null>()

/**
 * Lists the skills with `paths` of which a file was used, in the conversation: the list above stays the same, and with it
 * the prefix of the request. Null when there is none.
 */
export function offeredSkillsSection(
  { catalog, agent, counter, state }: Pick<PromptInput, 'catalog' | 'agent' | 'counter' | 'state'>,
  { catalogBudget: budget }: PromptOptions,
): PromptSection | null {
  if (state.facts.paths.length === 0) return null
  const refused = refusedSkills(state.policy, catalog)
  const hidden = hiddenSkills(state, catalog)
  return offeredCache([catalog, agent ?? NO_AGENT, counter, refused, hidden], `${budget}`, () => {
    const skills = loadableSkills(catalog, agent, refused).filter(
      ({ name, paths }) => paths !== undefined && !hidden.has(name),
    )
    if (skills.length === 0) return null
    const items =
      itemsWithin(skills, listedText, counter, budget) ??
      skills.map((skill) => skillItem(skill, NO_TEXT))
    return newSection({
      kind: 'offered-skills',
      title: SECTION_TITLE.offeredSkills,
      stability: 'step',
      blocks: [
        { kind: 'prose', text: 'Skills for files in use, which can be loaded by id as well:' },
        { kind: 'items', items },
      ],
    })
  })
}

/** The items, or null as soon as they exceed the budget: of 10,000 skills most are never read. */
function itemsWithin(
  skills: readonly Skill[],
  describe: (skill: Skill) => ListedText,
  counter: TokenCounter,
  budget: number,
): PromptItem[] | null {
  const items: PromptItem[] = []
  let tokens = 0
  for (const skill of skills) {
    const item = skillItem(skill, describe(skill))
    tokens += counter.count(markdownItem(item))
    if (tokens > budget) return null
    items.push(item)
  }
  return items
}

function skillItem(skill: Skill, { description, hints }: ListedText): PromptItem {
  const called = distinctDisplayName(skill.name, skill.displayName)
  const isDescribed = description !== '' || hints.length > 0
  return {
    name: sanitiseLine(skill.name),
    summary: description,
    marks: called === '' || !isDescribed ? [] : [called],
    facts: hints,
  }
}

function catalogSection(
  form: Form,
  items: readonly PromptItem[],
  count: number,
  budget: number,
  finding: Finding,
): PromptSection {
  const more = {
    search: ' `tool_search` knows them in full.',
    list: ' `listAvailableSkills` lists them in full.',
    ask: '',
  }[finding]
  const notes: PromptNote[] = []
  if (form !== 'full') {
    const what = {
      shortened: 'each description is shortened to its share',
      part: 'the first have shortened descriptions, and the others only their ids',
      name: 'only their ids are listed',
      count: `they are counted and not listed${finding === 'search' ? '; tool_search finds them' : ''}`,
    }[form]
    const message = `${count} skills do not fit ${budget} tokens: ${what}. ${RAISE}`
    notes.push({ code: NOTE_CODE[form], section: 'skill-catalog', message })
  }
  const text = {
    full: 'Skills that can be loaded, by id:',
    shortened: `Skills that can be loaded, by id, with shortened descriptions.${more}`,
    part: `Skills that can be loaded, by id; only the first have descriptions, which are shortened.${more}`,
    name: `Skills that can be loaded, by id; there are too many to describe them here.${more}`,
    count: `${count} skills can be loaded, too many to list here. ${FINDING_HINT[finding]}`,
  }[form]
  return newSection({
    kind: 'skill-catalog',
    title: SECTION_TITLE.skillCatalog,
    stability: 'session',
    blocks: [{ kind: 'prose', text }, items.length === 0 ? undefined : { kind: 'items', items }],
    notes,
  })
}

/**
 * Returns the skills a model may load for an agent in addition to its initial ones, in the order of the catalog.
 *
 * @param refused the skills that the rules deny to load
 */
export function loadableSkills(
  catalog: Catalog,
  agent: Agent | null,
  refused: ReturnType<typeof refusedSkills>,
): Skill[] {
  const initial = new Set(agent?.initialSkills)
  return modelInvocableSkills(agent, catalog).flatMap((name) =>
    initial.has(name) || refused.has(name) ? [] : (catalog.skills.get(name) ?? []),
  )
}

/** Represents "no agent" in caches keyed by the agent. */
export const NO_AGENT: object = Object.freeze({})
