import type { Skill } from '../definition/skill.ts'
import { isExample } from './is-example.ts'

/** The skills that a text names, in order of appearance. */
interface NamedSkills {
  /** Those that it calls skills. */
  readonly skills: readonly string[]
  /** Names such as `/x` and `plugin:x`, which are skills where one of that name is defined. */
  readonly mentions: readonly string[]
}

/** The name of a skill as texts write it. */
const NAME = '[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,8}'

/** The same, with the plugin that it is from. */
const FULL_NAME = `(?:[a-z][a-z0-9\\-]{0,40}:)?${NAME}`

/** A name in a list that ends with the word "skills", such as `a` in "the `a` and `b` skills". */
const IN_LIST = new RegExp(
  `[\`*]\\/?(${FULL_NAME})[\`*]{1,3}(?=(?:,? (?:and|or|&) |, )(?:[\`*]{1,3}\\/?${FULL_NAME}[\`*]{1,3}(?:,? (?:and|or|&) |, )){0,8}[\`*]{1,3}\\/?${FULL_NAME}[\`*]{1,3} skills\\b)`,
  'gv',
)

/** Texts that say that a name is that of a skill. */
const NAMED: readonly RegExp[] = [
  IN_LIST,
  new RegExp(`[\`*]\\/?(${FULL_NAME})[\`*]{1,3}\\sskills?\\b`, 'gv'),
  new RegExp(
    `(?:^|[\\s\\(])(?:\\/(?=${NAME}\\s)|\\/?(?=[a-z0-9\\-]{1,41}:))(${FULL_NAME})\\sskills?\\b`,
    'gv',
  ),
  new RegExp(`[\`*\\s\\(]\\/(${FULL_NAME})[\`*]{0,3}\\ssession\\b`, 'gv'),
  /[`*]([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill:?[`*]/gv,
  /\b(?:use|the) ([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill\b(?! (?:files?|folders?|director|names?|lists?|catalog|system|format|templates?|authors?|text|repositor))/giv,
  new RegExp(
    `\\bskills?:?[*\`]{0,3}\\s(?:(?:use|invoke|load|call|run|read|see)\\s)?[*\`]{0,3}\\/?([a-z][a-z0-9\\-]{0,40}:${NAME})(?![\\w:\\/\\-]|\\.\\w)`,
    'giv',
  ),
  /(?:\.\.|\bskills)\/([a-z][a-z0-9\-]{0,60})\/SKILL\.md\b/gv,
]

/** Names that a person gives, or with the plugin that they are from: commands, paths and models are written like them. */
const MENTIONED: readonly RegExp[] = [
  new RegExp(
    `(?<![\\w\\/.\\}>\\)$~:<\\]\\-]\\*{0,3})(?<!\\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) )\\/(${FULL_NAME})(?![\\w:\\/\\-\\(=?]|\\.\\w)`,
    'gv',
  ),
  new RegExp(`(?:^|[\\s\`*\\(])\\/?([a-z][a-z0-9\\-]{1,40}:${NAME})(?![\\w:\\/\\-]|\\.\\w)`, 'gv'),
]

/** Returns the skills that a text names. */
export function namedSkills(
  prose: string,
  { name: own, requires }: Pick<Skill, 'name' | 'requires'>,
): NamedSkills {
  const found = (patterns: readonly RegExp[]) =>
    patterns
      .flatMap((pattern) => [...prose.matchAll(pattern)])
      .filter(
        ({ 0: all, index }) =>
          !isExample(prose, index) &&
          // After "a" or "any", the text describes a kind of skill.
          (all.includes('/') ||
            !/\b(?:an?|any|another|each|every|new|no)\s[`*]{0,3}$/iu.test(
              prose.slice(Math.max(0, index - 20), index),
            )),
      )
      .map(({ 1: name = '' }) => name)
  const related = relatedSkills(prose)
  const withoutPlugin = (name: string) => name.slice(name.indexOf(':') + 1)
  const clear = [
    ...requires,
    ...found(NAMED),
    ...related.flatMap(({ name, isClear }) => (isClear ? name : [])),
  ]
  // In a text that calls `kit:x` a skill, `kit:y` is one, too.
  const plugins = new Set(
    clear.flatMap((name) => (name.includes(':') ? name.slice(0, name.indexOf(':')) : [])),
  )
  const { known: ofPlugin = [], other = [] } = Object.groupBy(found(MENTIONED), (name) =>
    plugins.has(name.slice(0, Math.max(name.indexOf(':'), 0))) ? 'known' : 'other',
  )
  clear.push(...ofPlugin)
  const mentions = [...other, ...related.map(({ name }) => name)]
  const skills = clear.map(withoutPlugin).filter((name) => name !== own)
  const known = new Set([own, ...skills])
  return { skills, mentions: mentions.filter((name) => !known.has(withoutPlugin(name))) }
}

/** Returns the names that items, rows and headings begin with below a heading, or a paragraph has, about other skills. */
function relatedSkills(
  prose: string,
): readonly { readonly name: string; readonly isClear: boolean }[] {
  let level = 0
  return prose.split('\n').flatMap((line) => {
    const depth = /^#{0,6}/u.exec(line)?.[0].length ?? 0
    if (depth > 0 && (level === 0 || depth <= level)) level = RELATED.test(line) ? depth : 0
    else if (level === 0 || level === PARAGRAPH) {
      level = (level > 0 && line.trim() !== '') || RELATED.test(line) ? PARAGRAPH : 0
    }
    if (level !== PARAGRAPH) {
      const [, mark = '', name = ''] = (level > 0 ? ITEM.exec(line) : null) ?? []
      if (name === '') return []
      // A single word in bold may be any subject.
      return [{ name, isClear: mark.includes('`') || name.includes('-') }]
    }
    return [...line.matchAll(/`([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8})`/gu)].map(
      ([, name = '']) => ({ name, isClear: true }),
    )
  })
}

const RELATED =
  /^(?:#.{0,40}\b(?:other|complementary|companion|related)|[\s*\-]{0,6}related) skills?\b/iv

/** The level of a paragraph, which is below that of any heading. */
const PARAGRAPH = 7

const ITEM =
  /^\s{0,8}(?:[\-*+]|\d{1,2}\.|\||#{1,6}(?: [Ww]ith)?)\s{1,4}\[?([`*]{1,3})\/?([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,8})[`*]/v
