import type { Skill } from '../definition/skill.ts'
import { isExample } from './is-example.ts'

/** The skills that a text names, in order of appearance. */
interface NamedSkills {
  /** Those that it calls skills. */
  readonly skills: readonly string[]
  /** Names such as `/x` and `plugin:x`, which are skills where one of that name is defined. */
  readonly mentions: readonly string[]
}

/** Texts that say that a name is that of a skill. */
const NAMED: readonly RegExp[] = [
  /[`*]\/?([a-z][a-z0-9:\-]{0,100})[`*]{1,3}\sskills?\b/gv,
  /[`*]([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill:?[`*]/gv,
  /\b(?:use|the) ([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill\b(?! (?:files?|folders?|director|names?|lists?|catalog|system|format|templates?|authors?|text|repositor))/giv,
  /(?:\.\.|\bskills)\/([a-z][a-z0-9\-]{0,60})\/SKILL\.md\b/gv,
]

/** Texts that say it of a name with a slash, or with the plugin that it is from. */
const NAMED_AS_CALLED: readonly RegExp[] = [
  /[\s`*\(]\/?([a-z][a-z0-9:\-]{0,100})[`*]{0,3}\s(?:skills?|session)\b/gv,
  /\bskills?:?[*`]{0,3}\s(?:(?:use|invoke|load|call|run|read|see)\s)?[*`]{0,3}\/?([a-z][a-z0-9:\-]{0,100})/giv,
]

/** Names that a person gives, or with the plugin that they are from: commands, paths and models are written like them. */
const MENTIONED = /[\s`*\(](\/?[a-z][a-z0-9:\-]{0,100})/gv

const FULL_NAME = /^(?:[a-z][a-z0-9\-]*:)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/v

/** Returns the skills that a text names. */
export function namedSkills(
  text: string,
  { name: own, requires }: Pick<Skill, 'name' | 'requires'>,
): NamedSkills {
  const prose = `\n${text}`
  const found = (pattern: RegExp) =>
    [...prose.matchAll(pattern)].flatMap(({ 0: all, 1: name = '', index }) =>
      FULL_NAME.test(name) && !isExample(prose, index) ? { name, all, index } : [],
    )
  const named = NAMED.flatMap(found).filter(
    ({ all, index }) =>
      // After "a" or "any", the text describes a kind of skill.
      all.includes('/') ||
      !/\b(?:an?|any|another|each|every|new|no)\s[`*]{0,3}$/iu.test(
        prose.slice(Math.max(0, index - 20), index),
      ),
  )
  const called = NAMED_AS_CALLED.flatMap(found).filter(
    ({ name, all, index }) =>
      (name.includes(':') || (all.includes('/') && /\s\w+$/v.test(all))) &&
      isWhole(prose, index + all.length),
  )
  const mentioned = [...prose.matchAll(MENTIONED)].flatMap(({ 0: all, 1: written = '', index }) => {
    const name = written.replace('/', '')
    const isName = FULL_NAME.test(name) && (written.startsWith('/') || name.includes(':'))
    return isName &&
      isCall(prose, index) &&
      isWhole(prose, index + all.length) &&
      !isExample(prose, index)
      ? name
      : []
  })
  const related = relatedSkills(prose)
  const clear = [
    ...requires,
    ...named.flatMap(({ name, index }) => [...listedBefore(prose, index), name]),
    ...called.map(({ name }) => name),
    ...related.flatMap(({ name, isClear }) => (isClear ? name : [])),
  ]
  // In a text that calls `kit:x` a skill, `kit:y` is one, too.
  const plugins = new Set(clear.flatMap((name) => (name.includes(':') ? name.split(':', 1) : [])))
  const { known = [], other = [] } = Object.groupBy(mentioned, (name) =>
    name.includes(':') && plugins.has(name.split(':', 1)[0] ?? '') ? 'known' : 'other',
  )
  const withoutPlugin = (name: string) => name.slice(name.indexOf(':') + 1)
  const skills = [...clear, ...known].map(withoutPlugin).filter((name) => name !== own)
  const seen = new Set([own, ...skills])
  const mentions = [...other, ...related.map(({ name }) => name)]
  return { skills, mentions: mentions.filter((name) => !seen.has(withoutPlugin(name))) }
}

/** Returns false for a name that goes on, such as that of a path, a file, an element or a function. */
function isWhole(prose: string, end: number): boolean {
  return !/^(?:[\w:/(=?<>{-]|\.\w)/u.test(prose.slice(end, end + 2))
}

/** Returns false for a path: after the method of a request, and in a pattern such as `**\/name`. */
function isCall(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - 12), index + 1)
  return !/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s[`*]{0,3}$|[^\s(*]\*{1,3}$/u.test(before)
}

/** Returns the names before the last one of a list, such as `a` in "the `a` and `b` skills". */
function listedBefore(prose: string, index: number): readonly string[] {
  const names: string[] = []
  let before = prose.slice(Math.max(0, index - 400), index + 1)
  for (;;) {
    const [all, name = ''] =
      /[`*]\/?([a-z][a-z0-9:\-]{0,100})[`*]{1,3}(?:, |,? (?:and|or|&) )[`*]{1,3}$/v.exec(before) ??
      []
    if (all === undefined || !FULL_NAME.test(name)) return names
    names.push(name)
    before = before.slice(0, 1 - all.length)
  }
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
