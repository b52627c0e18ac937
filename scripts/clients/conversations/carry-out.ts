import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CaseFolders } from '../case-folder.ts'

type Step = (words: readonly string[], path: (text: string) => string) => void

/** Makes a step that changes a text file. */
function edit(change: (text: string, words: readonly string[]) => string): Step {
  return (words, path) => {
    const file = path(words.at(-1) ?? '')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, change(existsSync(file) ? readFileSync(file, 'utf8') : '', words))
  }
}

/** Makes a step that changes settings in JSON. */
function editJson(change: (settings: Settings, words: readonly string[]) => void): Step {
  return edit((text, words) => {
    const settings = JSON.parse(text === '' ? '{}' : text) as Settings
    change(settings, words)
    return JSON.stringify(settings)
  })
}

type Settings = Record<string, unknown> & {
  permissions?: { deny: string[] }
  permission?: { skill: Record<string, unknown> }
  skillOverrides?: Record<string, unknown>
  skills?: string[]
}

const withField = (text: string, field: string, value: string) => {
  const line = `${field}: ${value}`
  const has = new RegExp(`^${field}:.*$`, 'm')
  return has.test(text) ? text.replace(has, line) : text.replace(/^---\n/, `---\n${line}\n`)
}

const quoted = (line: string) =>
  line.replace(/^([\w-]+: )(?!".*"$)(.*)$/, (_, field: string, value: string) => {
    return `${field}"${value.replaceAll('"', '')}"`
  })

const onLine = (text: string, number: string | undefined, change: (line: string) => string) =>
  text
    .split('\n')
    .map((line, at) =>
      number === undefined ? change(line) : at + 1 === Number(number) ? change(line) : line,
    )
    .join('\n')

/** The changes that fixes ask for, by the sentences. A sentence that is in none is one that nobody can carry out. */
const STEPS: readonly (readonly [RegExp, Step])[] = [
  [/^Move (\S+) to (\S+)\.$/, ([from = '', to = ''], path) => move(path(from), path(to))],
  [
    /^Rename (\S+) to (SKILL\.md)\.$/,
    ([from = '', to = ''], path) => move(path(from), join(dirname(path(from)), to)),
  ],
  [
    /^Rename the folder (\S+) to ([\w-]+)\.$/,
    ([from = '', to = ''], path) => move(path(from), join(dirname(path(from)), to)),
  ],
  [
    /^Write (\S+)\/([\w-]+)\/SKILL\.md, with a name and a description\.$/,
    ([place = '', name = ''], path) => {
      const file = path(`${place}/${name}/SKILL.md`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `---\nname: ${name}\ndescription: Does it.\n---\nBody.\n`)
    },
  ],
  [
    /^Write "name: ([\w-]+)" in the front matter of (\S+)\.$/,
    edit((text, [name = '']) => withField(text, 'name', name)),
  ],
  [
    /^Write "description:" and when to use the skill in the front matter of (\S+)\.$/,
    edit((text) => withField(text, 'description', 'Use it by date.')),
  ],
  [
    /^Shorten the description in (?:line \d+ of )?(\S+) to \d+ characters\.$/,
    edit((text) => withField(text, 'description', 'Does it by date.')),
  ],
  [
    /^Shorten the name in (?:line \d+ of )?(\S+)\.$/,
    edit((text) => withField(text, 'name', 'short-name')),
  ],
  [
    /^Remove "(Skill\S*)" from permissions\.deny in (\S+)\.$/,
    editJson((all, [rule]) => {
      if (all.permissions) all.permissions.deny = all.permissions.deny.filter((one) => one !== rule)
    }),
  ],
  [
    /^Remove "([\w-]+)" from "skillOverrides" in (\S+)\.$/,
    editJson((all, [name = '']) => void delete all.skillOverrides?.[name]),
  ],
  [
    /^Remove the rule for "([\w-]+)" from permission\.skill in (\S+)\.$/,
    editJson((all, [name = '']) => void delete all.permission?.skill[name]),
  ],
  [
    /^Remove the pattern of "([\w-]+)" from "skills" in (\S+)\.$/,
    editJson((all, [name = '']) => {
      all.skills = all.skills?.filter((one) => !one.includes(name)) ?? []
    }),
  ],
  [
    /^Write "(\w+)": ([\d.]+) in (\S+)\.$/,
    editJson((all, [name = '', value]) => {
      all[name] = Number(value)
    }),
  ],
  [
    /^Remove the table \[\[skills\.config\]\] of "([\w-]+)" from (\S+)\.$/,
    edit((text, [name = '']) =>
      text.replace(`[[skills.config]]\nname = "${name}"\nenabled = false\n`, ''),
    ),
  ],
  [
    /^Turn off skills that you do not need: \[\[skills\.config\]\] with their name and enabled = false in (\S+)\.$/,
    edit((text) => {
      const names = Array.from({ length: 120 }, (_, at) => `a-${String(at + 1).padStart(3, '0')}`)
      return (
        text + names.map((one) => `[[skills.config]]\nname = "${one}"\nenabled = false\n`).join('')
      )
    }),
  ],
  [
    /^Remove "([\w-]+)" from line \d+ of (\S+), or write \S+\.$/,
    edit((text, [field = '']) => text.replace(new RegExp(`^${field}:.*\n`, 'm'), '')),
  ],
  [
    /^Remove "allow_implicit_invocation: false" from (\S+), or write \S+\.$/,
    edit((text) =>
      text.replace('allow_implicit_invocation: false', 'allow_implicit_invocation: true'),
    ),
  ],
  [
    /^Remove the byte order mark from the beginning of (\S+)\.$/,
    edit((text) => text.replace(/^\uFEFF/, '')),
  ],
  [
    /^Begin (\S+) with the lines ---, name: ([\w-]+), description: …, ---\.$/,
    ([file = '', name = ''], path) =>
      edit((text) => `---\nname: ${name}\ndescription: Does it.\n---\n${text}`)([file], path),
  ],
  [
    /^Put the value in line (\d+) of (\S+) in quotes\.$/,
    edit((text, [line]) => onLine(text, line, quoted)),
  ],
  [
    /^Correct the front matter in (?:line (\d+) of )?(\S+): put values with .* in quotes\.$/,
    edit((text) => {
      const [, header = '', rest = ''] = /^---\n([^]*?)\n(---\n[^]*)$/.exec(text) ?? []
      const lines = header.split('\n').map(quoted)
      // Of a field that is there twice, one is left.
      const fields = new Map(lines.map((line) => [line.split(':')[0], line]))
      return `---\n${[...fields.values()].join('\n')}\n${rest}`
    }),
  ],
]

/** Carries out a fix. Returns the name of the skill that the person has to write, null for a change of files. */
export function carryOut(fix: string, skill: string, { cwd, home }: CaseFolders): string | null {
  const path = (text: string) =>
    text.startsWith('~/') ? join(home, text.slice(2)) : join(cwd, text)
  for (const [pattern, step] of STEPS) {
    const words = pattern.exec(fix)
    if (words === null) continue
    step(words.slice(1), path)
    return null
  }
  if (/^Write (?:\/skill:|[/$])[\w-]+(?: again)?[.,]/.test(fix)) return skill
  throw new Error(`Nobody can carry this out: ${fix}`)
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}
