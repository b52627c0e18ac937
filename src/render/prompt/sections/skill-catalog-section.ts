import type { Catalog } from '../../../catalog/create/catalog.ts'
import { firstSentence } from '../../../kernel/first-sentence.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import { newSection, SECTION_TITLE } from '../document/new-section.ts'
import type { Fact, PromptItem, PromptNote, PromptSection } from '../document/prompt-document.ts'
import type { PromptOptions } from '../document/prompt-input.ts'
import { markdownItem, writeMarkdown } from '../forms/write-markdown.ts'
import { distinctDisplayName } from './skill-section.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'
import type { Skill } from '../../../skills/definition/skill.ts'

const skillCatalogCache = identityMemo<PromptSection | null>()

/** From the longest to the shortest; when none fits the budget, skills are only counted. */
const LISTS = ['full', 'sentence', 'name'] as const

/** With a search, ids alone are not listed: the search finds skills by what they do. */
const LISTS_BEFORE_SEARCH = ['full', 'sentence'] as const

type Form = (typeof LISTS)[number] | 'count'

/** The way in which a model finds skills that are not described in full. */
type Finding = 'search' | 'list' | 'ask'

const NOTE_CODE = {
  sentence: 'catalog-shortened',
  name: 'catalog-names-only',
  count: 'catalog-not-listed',
} as const

const FINDING_HINT: Readonly<Record<Finding, string>> = {
  search: 'Say to `tool_search` what is to be done: it finds skills and their tools.',
  list: 'Call `listAvailableSkills` to see them.',
  ask: 'Ask for one by what it is called; the answer names the nearest ids.',
}

/** A longer `whenToUse`, or longer triggers, are left out. In characters. */
const LONGEST_HINT = 160

/**
 * Lists the skills an agent may load, ids first. The list does not depend on active skills, and is
 * cached by catalog, agent, counter and budget, so that later renders do not walk the catalog.
 *
 * When the list exceeds its budget, descriptions are shortened to their first sentence, then left
 * out, and finally only the number of skills is given, with the way to find them. The section and a
 * note report this. Where tools are found by search, ids alone are skipped: the search finds skills.
 */
export function skillCatalogSection(
  catalog: Catalog,
  agent: Agent | null,
  counter: TokenCounter,
  options: PromptOptions,
): PromptSection | null {
  const { catalogBudget, metaTools } = options
  const finding = findingBy(metaTools)
  return skillCatalogCache(
    [catalog, agent ?? NO_AGENT, counter],
    `${catalogBudget} ${finding}`,
    () => {
      const skills = loadableSkills(catalog, agent)
      if (skills.length === 0) return null
      for (const form of finding === 'search' ? LISTS_BEFORE_SEARCH : LISTS) {
        const items = itemsWithin(skills, form, counter, catalogBudget)
        if (items === null) continue
        const section = sectionOf(form, items, skills.length, catalogBudget, finding)
        if (counter.count(writeMarkdown(section)) <= catalogBudget) return section
      }
      return sectionOf('count', [], skills.length, catalogBudget, finding)
    },
  )
}

function findingBy(metaTools: readonly string[]): Finding {
  if (metaTools.includes('tool_search')) return 'search'
  return metaTools.includes('listAvailableSkills') ? 'list' : 'ask'
}

/** The items, or null as soon as they exceed the budget: of 10,000 skills most are never read. */
function itemsWithin(
  skills: readonly Skill[],
  form: Form,
  counter: TokenCounter,
  budget: number,
): PromptItem[] | null {
  const items: PromptItem[] = []
  let tokens = 0
  for (const skill of skills) {
    const item = itemOf(skill, form)
    tokens += counter.count(markdownItem(item))
    if (tokens > budget) return null
    items.push(item)
  }
  return items
}

function itemOf(skill: Skill, form: Form): PromptItem {
  const name = sanitiseLine(skill.name)
  if (form === 'name') return { name, summary: '', marks: [], facts: [] }
  const description = sanitiseLine(skill.description)
  const called = distinctDisplayName(skill.name, skill.displayName)
  const marks = called === '' ? [] : [called]
  if (form === 'sentence') return { name, summary: firstSentence(description), marks, facts: [] }
  return { name, summary: description, marks, facts: hintsOf(skill) }
}

function hintsOf(skill: Skill): Fact[] {
  const hints = [
    { label: 'when', value: sanitiseLine(skill.whenToUse) },
    { label: 'triggers', value: sanitiseLine(skill.triggers.join(', ')) },
  ]
  return hints.filter(({ value }) => value !== '' && value.length <= LONGEST_HINT)
}

function sectionOf(
  form: Form,
  items: readonly PromptItem[],
  count: number,
  budget: number,
  finding: Finding,
): PromptSection {
  const id = 'skill-catalog'
  const more = {
    search: ' `tool_search` knows them in full.',
    list: ' `listAvailableSkills` lists them in full.',
    ask: '',
  }[finding]
  const notes: PromptNote[] = []
  if (form !== 'full') {
    const what = {
      sentence: 'their descriptions are shortened to the first sentence',
      name: 'only their ids are listed',
      count: `they are counted and not listed${finding === 'search' ? '; tool_search finds them' : ''}`,
    }[form]
    const message = `${count} skills do not fit ${budget} tokens: ${what}.`
    notes.push({ code: NOTE_CODE[form], section: id, message })
  }
  const text = {
    full: 'Skills that can be loaded, by id:',
    sentence: `Skills that can be loaded, by id, with the first sentence of their descriptions.${more}`,
    name: `Skills that can be loaded, by id; there are too many to describe them here.${more}`,
    count: `${count} skills can be loaded, too many to list here. ${FINDING_HINT[finding]}`,
  }[form]
  return newSection({
    kind: 'skill-catalog',
    id,
    title: SECTION_TITLE.skillCatalog,
    source: 'loadout',
    owner: 'loadout',
    stability: 'session',
    blocks: [{ kind: 'prose', text }, items.length === 0 ? undefined : { kind: 'items', items }],
    notes,
  })
}

/** The skills an agent may load in addition to its initial ones, in the order of the catalog. */
export function loadableSkills(catalog: Catalog, agent: Agent | null): Skill[] {
  const initial = new Set(agent?.initialSkills)
  const allowed = agent === null || agent.skills === '*' ? null : new Set(agent.skills)
  return [...catalog.skills.values()].filter(
    ({ name }) => !initial.has(name) && (allowed === null || allowed.has(name)),
  )
}

/** Represents "no agent" in caches keyed by the agent. */
export const NO_AGENT: object = Object.freeze({})
