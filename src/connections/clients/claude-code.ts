import { basename, dirname, join, relative, sep } from 'node:path'
import stringWidth from 'string-width'
import * as z from 'zod'
import { matchesPattern } from '../../entries/kit.ts'
import {
  builtInEntry,
  type ClientProfile,
  type Fitted,
  type ListedReading,
  type ListEntry,
  type ListFor,
  longDescription,
  ownEntry,
  type Reading,
  sortReadings,
  type Unlisted,
} from './client-profile.ts'
import { type ClientFolders, readSettings } from './client-folders.ts'
import {
  findSkillFiles,
  type FoundSkill,
  type SkillPlace,
  uniqueFiles,
} from './find-skill-files.ts'
import {
  CLAUDE_REASONS,
  claudeText,
  type HeaderFault,
  claudeField,
  firstBodyLine,
  isClaudeName,
  type ReadHeader,
  splitClaudeFile,
} from './claude-text.ts'

const LIMITS = {
  /** Characters of a description, ` - ` and `when_to_use` together. */
  description: 1536,
  bytes: 1024 * 1024,
  /** The part of the window that the list may have. */
  budget: 0.01,
} as const

/** Models of whose window 4 characters are counted for a token; 3 for others, which the default one is of. */
const OLDER_MODEL = /claude-(?:3-|opus-4-[0156]\b|sonnet-4-[056]\b|haiku-4-5)/

/** Built-in skills that lose their description as own ones do. */
const PLAIN_BUILT_INS: ReadonlySet<string> = new Set(['init', 'security-review'])

/** The built-in skill that "disableBundledSkills" leaves. */
const UNBUNDLED = 'plugin-authoring'

/** Names of commands, which are not shown behind the name of a skill. */
const COMMANDS: ReadonlySet<string> = new Set(
  'add-dir agents background batch branch btw bug cd clear color compact config context copy debug diff doctor effort exit export fast feedback focus fork goal heapdump help hooks ide insights keybindings login logout mcp memory mobile model output-style passes permissions plan plugin powerup recap release-notes reload-plugins reload-skills rename resume rewind sandbox scroll-speed setup-bedrock setup-vertex skills status statusline stickers tasks team-onboarding terminal-setup theme tui usage verify workflows'.split(
    ' ',
  ),
)

export const CLAUDE_CODE: ClientProfile = {
  name: 'claude-code',
  title: 'Claude Code',
  version: '2.1.328',
  window: 1_000_000,
  builtIns: [
    ['dataviz', 1436],
    ['update-config', 690],
    ['keybindings-help', 228],
    ['code-review', 835],
    ['simplify', 176],
    ['fewer-permission-prompts', 163],
    ['loop', 336],
    ['claude-api', 1157, 1155],
    ['workflow-authoring', 230],
    ['run', 361],
    ['plugin-authoring', 255],
    ['init', 59],
    ['security-review', 71],
  ],
  async read(folders) {
    const { overrides, longest } = await readLimits(folders)
    const skills = await Promise.all(
      places(folders, 'skills').map((place) => findSkillFiles(place, WALK)),
    )
    const commands = await Promise.all(
      places(folders, 'commands').map(async (place) =>
        commandFiles(await findSkillFiles(place, COMMAND_WALK)),
      ),
    )
    const files = [
      ...skills.flatMap((inPlace) => inPlace.toSorted(byName)),
      ...commands.flat().toSorted(byName),
    ]
    return uniqueFiles(files).map((file) => ({ ...file, ...readSkill(file, overrides, longest) }))
  },
  async arrange(skills, folders) {
    const { listed, unlisted } = sortReadings(skills)
    const first = new Map<string, ListedReading>()
    const replaced: Unlisted[] = []
    for (const skill of listed) {
      const other = first.get(skill.name)
      if (other === undefined) first.set(skill.name, skill)
      else {
        const text = `${other.path} has the same name, and is read first.`
        const reason = { code: 'same-folder-name', text } as const
        replaced.push({ name: skill.name, file: skill, outcome: 'replaced', reason })
      }
    }
    const own = [...first.values()]
    const { hasBundled, denied } = await readLimits(folders)
    if (denied !== undefined) {
      const hidden = CLAUDE_REASONS.denied(denied)
      const none = sortReadings(listed.map((one) => ({ ...one, hidden })))
      return { entries: [], unlisted: [...unlisted, ...none.unlisted] }
    }
    const builtIns = CLAUDE_CODE.builtIns.filter(
      ([name]) => !first.has(name) && (hasBundled || name === UNBUNDLED),
    )
    const entries = [
      ...own.map((skill) => ({ ...ownEntry(skill), name: shownName(skill, own) })),
      ...builtIns.map((one) => ({
        ...builtInEntry(one),
        ...(PLAIN_BUILT_INS.has(one[0]) ? {} : { isFixed: true as const }),
      })),
    ]
    return { entries, unlisted: [...unlisted, ...replaced] }
  },
  fit,
}

const WALK = {
  depth: 1,
  inPlace: false,
  belowSkills: false,
  skips: (name: string) => name === 'synced',
  fileLinks: true,
  looseFiles: 0,
  maxBytes: LIMITS.bytes,
}

const COMMAND_WALK = {
  ...WALK,
  depth: 20,
  inPlace: true,
  belowSkills: true,
  looseFiles: Number.POSITIVE_INFINITY,
  skips: () => false,
}

/** The home's folder first, then those of the project, nearest first; the home ends the search. */
function places({ home, parents }: ClientFolders, name: string): readonly SkillPlace[] {
  const end = parents.indexOf(home)
  return [
    { path: join(home, '.claude', name), scope: 'home' },
    ...(end < 0 ? parents : parents.slice(0, end)).map((path) => ({
      path: join(path, '.claude', name),
      scope: 'project' as const,
    })),
  ]
}

/** Commands are skills whose names have the folders that they are in: `a/b.md` is `a:b`. */
function commandFiles(files: readonly FoundSkill[]): readonly FoundSkill[] {
  return files.map((file) => {
    const isSkill = basename(file.path) === 'SKILL.md'
    const path = isSkill ? dirname(file.path) : file.path.replace(/\.md$/, '')
    return { ...file, folderName: relative(file.place, path).split(sep).join(':') }
  })
}

function byName(a: FoundSkill, b: FoundSkill): number {
  return a.folderName.localeCompare(b.folderName)
}

async function readLimits({ home, folder }: ClientFolders) {
  const files = [
    join(home, '.claude', 'settings.json'),
    join(folder, '.claude', 'settings.json'),
    join(folder, '.claude', 'settings.local.json'),
  ]
  const given = await Promise.all(files.map((file) => readSettings(file, true)))
  const all = given.map((one) => SETTINGS.safeParse(one).data ?? {})
  const value = (name: 'skillListingMaxDescChars' | 'skillListingBudgetFraction') =>
    all.findLast((one) => one[name] !== undefined)?.[name]
  return {
    overrides: Object.assign({}, ...all.map((one) => one.skillOverrides)) as Record<
      string,
      unknown
    >,
    longest: value('skillListingMaxDescChars') ?? LIMITS.description,
    fraction: value('skillListingBudgetFraction') ?? LIMITS.budget,
    hasBundled: !all.some(({ disableBundledSkills }) => disableBundledSkills === true),
    denied: all
      .flatMap(({ permissions }) => permissions?.deny ?? [])
      .find((rule) => matchesPattern(rule.replace(/\(\*\)$/, ''), 'Skill')),
  }
}

const rules = z.array(z.string()).optional()

/** A file with another value has no effect at all. */
const SETTINGS = z.looseObject({
  skillOverrides: z
    .record(z.string(), z.enum(['on', 'off', 'name-only', 'user-invocable-only']))
    .optional(),
  skillListingMaxDescChars: z.int().positive().optional(),
  skillListingBudgetFraction: z.number().positive().max(1).optional(),
  disableBundledSkills: z.boolean().optional(),
  permissions: z.looseObject({ allow: rules, ask: rules, deny: rules }).optional(),
})

function readSkill(
  { bytes, folderName: name, path }: FoundSkill,
  overrides: Readonly<Record<string, unknown>>,
  longest: number,
): Reading {
  const { header, body, fault } = splitClaudeFile(bytes.toString('utf8'))
  if (!isClaudeName(name) || /(?:^|:) | (?::|$)|^:|:$/.test(name)) {
    return { dropped: CLAUDE_REASONS.unshown }
  }
  const isCommand = path.includes(`${sep}commands${sep}`) && basename(path) !== 'SKILL.md'
  const own = claudeField(header.fields['description'], header.sources.get('description'))
  const text = own ?? firstBodyLine(body, isCommand ? 'Custom command' : 'Skill')
  const when = header.fields['when_to_use']
  const whole =
    claudeText(text) +
    (when === undefined || when === null || when === '' ? '' : ` - ${claudeText(String(when))}`)
  const description = whole.length > longest ? `${whole.slice(0, longest - 1)}…` : whole
  const title = header.fields['name']
  const override = overrides[name]
  return {
    name,
    description,
    ...(title !== undefined && title !== null && !isCommand && { title: String(title) }),
    ...hiddenBy(header, override),
    ...(override === 'name-only' && { nameOnly: CLAUDE_REASONS.overridden(override) }),
    ...changes({ fault, isOwn: own !== null, length: whole.length, longest }),
  }
}

function changes(of: {
  fault: HeaderFault | null
  isOwn: boolean
  length: number
  longest: number
}) {
  const { fault, isOwn, length, longest } = of
  if (fault !== null) {
    const text = `the front matter is ignored (${fault.fault.text}), and the first line of the body is shown`
    return {
      changed: { code: fault.fault.code, text },
      ...(fault.line !== undefined && { line: fault.line }),
    }
  }
  if (!isOwn) return { changed: CLAUDE_REASONS.undescribed }
  return length > longest ? { changed: longDescription(length, longest) } : {}
}

function hiddenBy({ fields, lines }: ReadHeader, override: unknown) {
  if (override === 'off' || override === 'user-invocable-only') {
    return { hidden: CLAUDE_REASONS.overridden(override) }
  }
  const [code, why] = isYes(fields['disable-model-invocation'])
    ? (['disable-model-invocation', 'keeps it from the model'] as const)
    : readPaths(fields['paths']).length > 0
      ? (['paths', 'hides it until the model reads a file that matches'] as const)
      : [null, '']
  if (code === null) return {}
  const line = lines.get(code)
  return { hidden: { code, text: `"${code}" ${why}` }, ...(line !== undefined && { line }) }
}

function isYes(value: unknown): boolean {
  return typeof value !== 'object' && /^(?:1|true|yes|on)$/i.test(String(value).trim())
}

/** Patterns that match all files are none. */
function readPaths(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value.flatMap(pathsText) : pathsText(value)
  const patterns = all.map((one) => one.replace(/\/\*\*$/, '')).filter((one) => one !== '')
  return patterns.every((one) => one === '**') ? [] : patterns
}

function pathsText(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(',').map((one) => one.trim()) : []
}

/** The name in the file is shown behind that of the folder, if it names no other skill or command. */
function shownName(skill: ListedReading, own: readonly ListedReading[]): string {
  const { name, title } = skill
  if (title === undefined || title === name || name.endsWith(`:${title}`)) return name
  const isTaken = COMMANDS.has(title) || CLAUDE_CODE.builtIns.some(([one]) => one === title)
  if (isTaken || !/^[\p{L}\p{M}\p{N}_:.-]{1,256}$/u.test(title)) return name
  const first = own.find((one) => one.name === title) ?? own.find((one) => one.title === title)
  return first === skill ? `${name} (${title})` : name
}

/** A skill that does not fit loses all of its description, from the end of the list. Columns count, and line breaks. */
async function fit(
  entries: readonly ListEntry[],
  { window, model }: ListFor,
  folders: ClientFolders,
): Promise<Fitted> {
  const { fraction } = await readLimits(folders)
  const perToken = model === undefined || !OLDER_MODEL.test(model) ? 3 : 4
  const limit = Math.max(1, Math.floor(window * perToken * fraction))
  const sizes = entries.map(({ name, description, length, columns = length, nameOnly }) => {
    const alone = stringWidth(`- ${name}`)
    const rest = 2 + (description === null ? columns : stringWidth(description))
    return { alone, rest: nameOnly === undefined ? rest : 0 }
  })
  const needed = sizes.reduce((sum, { alone, rest }) => sum + alone + rest + 1, -1)
  const keeps = entries.map(({ isFixed }) => needed <= limit || isFixed === true)
  let left =
    limit - sizes.reduce((sum, { alone, rest }, at) => sum + alone + (keeps[at] ? rest : 0) + 1, -1)
  for (const [at, { rest }] of sizes.entries()) {
    if (keeps[at] || rest > left) continue
    keeps[at] = true
    left -= rest
  }
  const shown = entries.map(({ length, nameOnly }, at) =>
    keeps[at] && nameOnly === undefined ? length : 0,
  )
  const enough = Math.ceil((needed / (window * perToken)) * 1000) / 1000
  const setting =
    needed > limit ? `"skillListingBudgetFraction": ${enough} in the settings shows all` : undefined
  return {
    limit,
    unit: 'characters',
    sizes: sizes.map(({ alone, rest }) => alone + rest + 1),
    shown,
    ...(setting !== undefined && { setting }),
  }
}
