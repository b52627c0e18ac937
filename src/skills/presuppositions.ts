import { shortPlaceholders } from '../kernel/substitute-variables.ts'
import { isClientTool, toolOfClient } from './tool-of-client.ts'
import type { Skill } from './definition/skill.ts'
import { findSkillFile, isScript, writtenPaths } from './find-skill-file.ts'
import { namedSkills } from './named/named-skills.ts'
import { isExample, LONGEST_START } from './named/is-example.ts'
import { isUnwanted, namedVariables } from './named/named-variables.ts'

/** The parts of a skill that say what it presupposes. */
type ReadSkill = Pick<
  Skill,
  'name' | 'description' | 'instructions' | 'files' | 'permissions' | 'requires' | 'arguments'
>

/**
 * The presuppositions of a skill, as its front matter and its instructions say. Each list is in order of appearance.
 */
export interface Presuppositions {
  /** Its text has commands, asks for one of its scripts, or it asks for a shell tool. */
  readonly shell: boolean
  /** Its text asks to create or change files, or it asks for a tool that does. */
  readonly fileWriting: boolean
  /** Programs that its commands begin with, and interpreters of its scripts. */
  readonly programs: readonly string[]
  /** Its own scripts that the text names. */
  readonly scripts: readonly string[]
  /** Its other files that the text names. */
  readonly references: readonly string[]
  /** Other skills that it names as skills. */
  readonly skills: readonly string[]
  /** Names such as `/x` and `plugin:x`, which are skills where one of that name is defined. */
  readonly mentions: readonly string[]
  readonly servers: readonly string[]
  /** Environment variables, without those that every shell has. */
  readonly variables: readonly string[]
  /** Texts that some client replaces, such as `$ARGUMENTS`. */
  readonly placeholders: readonly string[]
}

/** Characters of the instructions that are read. */
const LONGEST_READ = 200_000

/** Items of each list. */
const MOST_ITEMS = 50

const known = new WeakMap<object, Presuppositions>()

/** Returns what a skill presupposes. It is read once for each definition, in time proportional to the text. */
export function presuppositionsOf(skill: ReadSkill): Presuppositions {
  const before = known.get(skill)
  if (before !== undefined) return before
  const read = readPresuppositions(skill)
  known.set(skill, read)
  return read
}

function readPresuppositions(skill: ReadSkill): Presuppositions {
  const text = skill.instructions.slice(0, LONGEST_READ)
  const { commands, prose, script } = splitText(text)
  const tools = new Set(
    skill.permissions.map((entry) => toolOfClient(entry.split('(', 1)[0] ?? '')),
  )
  const files = namedFiles(text, skill)
  const scripts = files.filter(
    (path) => isScript({ path, size: 0, hash: 'sha256:' }) && !MATERIAL.test(path),
  )
  const named = namedSkills(`${skill.description}\n${prose}`, skill)
  const inline = [...text.matchAll(/(?:^|\s)!`([^`\n]{1,200})`/gmu)].map(
    ([, command = '']) => command,
  )
  const quoted = [...prose.matchAll(/`([^`\n]{1,200})`/gu)].flatMap(({ 1: command = '', index }) =>
    isCommand(command) && !isForbidden(prose, index) && !isExample(prose, index) ? command : [],
  )
  const all = [...commands, ...inline, ...quoted]
  const ran = all.flatMap((line) =>
    line.split(/&&|\|\||[;|]|\$\(/u).flatMap((part) => findProgram(part.trim()) ?? []),
  )
  const interpreters = scripts.flatMap(
    (path) => INTERPRETERS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? [],
  )
  return {
    shell: all.length > 0 || scripts.length > 0 || tools.has('Bash'),
    fileWriting: tools.has('Write') || tools.has('Edit') || ordersToWrite(prose),
    programs: listed([...ran, ...interpreters]),
    scripts: listed(scripts),
    references: listed(files.filter((path) => !scripts.includes(path))),
    skills: listed(named.skills),
    mentions: listed(named.mentions),
    servers: listed(
      [
        ...[...text.matchAll(/\bmcp__([A-Za-z0-9-]{1,64}(?:_[A-Za-z0-9-]{1,64})*)__/gu)].filter(
          ({ index }) => !isUnwanted(text, index),
        ),
        ...serversIn(prose),
        ...skill.permissions.flatMap((entry) => [
          ...entry.matchAll(/^mcp__([A-Za-z0-9-]{1,64}(?:_[A-Za-z0-9-]{1,64})*)/gu),
        ]),
      ]
        .map(([, server = '']) => server)
        .filter((server) => !NO_SERVER.test(server)),
    ),
    variables: listed(namedVariables(text, script)),
    placeholders: listed([
      ...[...text.matchAll(PLACEHOLDER)].map(([found]) =>
        found.startsWith('${') ? found.replace(/\}?$/u, '}') : found,
      ),
      ...shortPlaceholders(text).flatMap(({ name, isCode }) => (isCode ? [] : name)),
      ...(skill.arguments ?? []).map((name) => `$${name}`),
      ...(inline.length > 0 ? ['!`…`'] : []),
    ]),
  }
}

/** Separates the blocks of code in a Markdown text from its prose. */
function splitText(text: string): {
  /** Lines of shell blocks, without comments. */
  readonly commands: readonly string[]
  /** The text outside of all blocks. */
  readonly prose: string
  /** The text without blocks of other languages than shells: there `$NAME` is a variable. */
  readonly script: string
} {
  const prose: string[] = []
  const script: string[] = []
  const commands: string[] = []
  let fence: string | null = null
  let isShell = false
  for (const line of text.split(/\r?\n/u)) {
    const [, mark = '', language = ''] =
      /^\s{0,12}(`{3,10}|~{3,10})\s{0,3}([\w-]{0,30})/u.exec(line) ?? []
    if (fence === null && mark !== '') {
      fence = mark
      isShell = SHELLS.test(language)
    } else if (fence === null) {
      prose.push(line)
      script.push(line)
    } else if (mark.startsWith(fence) && language === '') {
      fence = null
    } else if (isShell) {
      script.push(line)
      if (!/^\s*(?:#|$)/u.test(line)) commands.push(line.trim().replace(/^\$ /u, ''))
    }
  }
  return { commands, prose: prose.join('\n'), script: script.join('\n') }
}

/** Languages of blocks with commands. */
const SHELLS = /^(?:bash|sh|shell|zsh|console)\b/iu

/** Folders whose code is copied or read, and not run. */
const MATERIAL = /^(?:templates?|assets|examples?)\//iu

function listed(items: readonly string[]): readonly string[] {
  return [...new Set(items)].slice(0, MOST_ITEMS)
}

/** Programs that commands begin with in skills of three repositories or more, of 194 that were compared. */
const PROGRAMS =
  /^(?:sudo )?(?:[A-Z_]{1,40}=\S{1,100} )*(python3?|node|npm|npx|pnpm|yarn|bunx?|uvx?|pip3?|git|gh|curl|jq|make|bash|sh|docker|kubectl|aws|az|go|cargo|dotnet|mvn|pytest|ffmpeg|pandoc|pdftoppm|brew|apt|apt-get)(?=\s|$)/u

function findProgram(line: string): string | null {
  const program = PROGRAMS.exec(line)?.[1] ?? null
  return program === 'python' ? 'python3' : program
}

/** Returns true for a command with arguments: of a program in the list, or with an option in two hyphens. */
function isCommand(text: string): boolean {
  return (
    (findProgram(text) !== null && / \S/u.test(text)) ||
    /^[a-z][\w.\-]{0,40} (?:[^\s\-]\S{0,60} ){0,6}--[a-z]/v.test(text)
  )
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  py: 'python3',
  sh: 'bash',
  bash: 'bash',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  mts: 'node',
  rb: 'ruby',
  pl: 'perl',
  ps1: 'powershell',
}

/** An order to create or change a file, at the start of a sentence, a line or an item of a list. */
const WRITES =
  /(?:(?:^|[.:;→–—]\s|\s-\s|\n|\b(?:and|then)\s)[\s>*_#\d.\)\]x\[\-]{0,8}(?=[acegsuw])(?:always )?(?:create|write|save|generate|edit|update|add|set)|\bby (?:creating|writing|editing|updating))\b(?:(?! (?:from|using|following|exclude) |\(see |: use )[^.\n]|\.(?=[\w\/])){0,80}(?:\b(?:to|in|into|at|as) `[^`\s\(\)]{0,80}\/[^`\s\(\)]{0,80}`|\bfiles\b|\bfile\b(?! (?:attachments?|formats?|metadata|order|types?)\b)|\b(?:folder|directory|generated code)\b|\.(?:md|txt|json|ya?ml|toml|py|[jt]sx?|html?|csv|xlsx|docx|pptx|pdf|png|svg|sh)\b)/giv

/** Returns true for a text with an order to write a file that is no example. */
function ordersToWrite(prose: string): boolean {
  return [...prose.matchAll(WRITES)].some(
    ({ index }) =>
      // The meaning of an option of a program: "`-w <file>`: Write to a file".
      !isExample(prose, index) && !/`-[^`\n]{1,60}`\s?$/u.test(prose.slice(0, index).slice(-80)),
  )
}

function namedFiles(text: string, skill: ReadSkill): readonly string[] {
  if (skill.files.length === 0) return []
  const written = new Set(writtenPaths(text).map(({ path }) => path))
  return [...written].slice(0, 2_000).flatMap((path) => {
    const found = findSkillFile(skill, path)
    // The README of a project, as nearly every text means it, unless there is a link.
    const isProject = found?.path === 'README.md' && !/[\(\/]README\.md/v.test(text)
    return found === null || found.path === 'SKILL.md' || isProject ? [] : found.path
  })
}

/** Words that name no server: kinds, and words that stand for a name. */
const NO_SERVER =
  /^(?:custom|http|https|local|remote|python|node|use|sse|stdio|windows|linux|macos|(?:my|your|some|the|a)?[_\-]?(?:mcp)?[_\-]?(?:server|service|domain|plugin|provider|tool|name|example)s?[_\-]?(?:name|id)?\d?)$/iv

/**
 * Returns the servers that a text names, such as "the Linear MCP server" and "Linear MCP tools". Any word has a capital
 * at the start of a sentence, so there the text must have it elsewhere, too.
 */
function serversIn(prose: string): readonly (readonly [string, string])[] {
  const names = new Set(
    [...prose.matchAll(/[a-z,\(] [`*]{0,3}([A-Z][A-Za-z0-9]{1,30})\b/gv)].map(([, name]) => name),
  )
  const found = [...prose.matchAll(/\b([A-Z][A-Za-z0-9]{1,30}) MCP (?:server|tools?|is)\b/gu)]
  return found
    .filter(({ 1: name, index }) => names.has(name) && !isExample(prose, index))
    .filter(({ index }) => !isUnwanted(prose, index))
    .map(([all, name = '']) => [all, name.toLowerCase()] as const)
}

/** Returns true for a command that is not to be run, alone or in a list: "never `git push` or `npm publish`". */
function isForbidden(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - LONGEST_START), index)
  return /\b(?:do not|don't|never|instead of|rather than)\s(?:\w{1,12}\s){0,2}(?:`[^`]{1,80}`,?\s(?:or |and )?){0,5}$/iu.test(
    before,
  )
}

const PLACEHOLDER =
  /\$ARGUMENTS\b|\$\{?CLAUDE_(?:SKILL_DIR|PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR|SESSION_ID)\b\}?|\{baseDir\}/gu

/** The definitions that a skill may rely on, such as a catalog. */
export interface WorkspaceMeans {
  readonly toolsByHash: ReadonlyMap<unknown, { readonly name: string }>
  readonly skills: { has(name: string): boolean }
  readonly servers?: { keys(): Iterable<string> } | undefined
  /** Names that a text may use for what is defined and is not in a catalog, such as commands; see `definedMeans`. */
  readonly names?: ReadonlySet<string>
}

/** Texts about a skill: all that it presupposes, and the part that a workspace lacks. */
export interface DescribedPresuppositions {
  readonly presupposes: readonly string[]
  readonly lacks: readonly string[]
}

const NOTHING: DescribedPresuppositions = { presupposes: [], lacks: [] }

/**
 * Returns what a skill presupposes as short texts; those that a workspace lacks are in `lacks`.
 *
 * @param registered names of tools that are not defined there, such as those of servers
 */
export function describePresuppositions(
  skill: ReadSkill,
  { toolsByHash, skills, servers = new Set<string>(), names = new Set() }: WorkspaceMeans,
  registered: Iterable<string> = [],
): DescribedPresuppositions {
  const needs = presuppositionsOf(skill)
  if (!needs.shell && Object.values(needs).every((one) => one === false || one.length === 0)) {
    return NOTHING
  }
  const means = [definedMeans(toolsByHash), readMeans(registered)]
  const hasTool = (tool: string) => means.some(({ tools }) => tools.has(tool))
  const isSkill = (name: string) => skills.has(name) || names.has(name)
  const mentioned = needs.mentions.flatMap((name) => {
    const colon = name.indexOf(':')
    const last = name.slice(colon + 1)
    if (skills.has(last)) return last
    // A plugin that is known here has neither a skill nor a command or agent of that name.
    return names.has(name.slice(0, colon + 1)) && !names.has(name) ? last : []
  })
  const known = [...servers.keys(), ...means.flatMap((one) => [...one.servers])]
  const hasServer = (name: string) => known.some((one) => namesServer(name, one))
  const runsScripts = hasTool('Bash') || hasTool('runSkillScript')
  const onlyScripts = needs.shell && needs.scripts.length > 0
  const list = [
    needs.shell && { text: 'shell', has: onlyScripts ? runsScripts : hasTool('Bash') },
    needs.fileWriting && { text: 'file writing', has: hasTool('Bash') || hasTool('Write') },
    ...needs.programs.map((text) => ({ text, has: true })),
    ...[...new Set([...needs.skills, ...mentioned])].map((name) => ({
      text: `skill ${name}`,
      has: isSkill(name),
    })),
    ...needs.servers.map((name) => ({ text: `server ${name}`, has: hasServer(name) })),
    ...needs.variables.map((name) => ({ text: `variable ${name}`, has: true })),
    ...needs.placeholders.map((name) => ({ text: name, has: true })),
  ].filter((one) => one !== false)
  return {
    presupposes: list.map(({ text }) => text),
    lacks: list.filter(({ has }) => !has).map(({ text }) => text),
  }
}

/** Returns true if a text means a server: by its name, by the name that Claude Code gives it in a plugin, or by a part. */
function namesServer(name: string, server: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_.]/gu, '-')
  const [wanted, known] = [plain(name), plain(server)]
  return (
    known === wanted ||
    `-${known}-`.includes(`-${wanted}-`) ||
    (wanted.startsWith('plugin-') && wanted.endsWith(`-${known}`))
  )
}

/** The kinds of tools that there are, by the names of Claude Code, and the servers of tools. */
interface ToolMeans {
  readonly tools: ReadonlySet<string>
  readonly servers: ReadonlySet<string>
}

const knownMeans = new WeakMap<object, ToolMeans>()

function definedMeans(tools: WorkspaceMeans['toolsByHash']): ToolMeans {
  const before = knownMeans.get(tools)
  if (before !== undefined) return before
  const means = readMeans([...tools.values()].map(({ name }) => name))
  knownMeans.set(tools, means)
  return means
}

function readMeans(names: Iterable<string>): ToolMeans {
  const tools = new Set<string>()
  const servers = new Set<string>()
  for (const name of names) {
    const capital = name.charAt(0).toUpperCase() + name.slice(1)
    tools.add(toolOfClient(isClientTool(name) ? name : capital))
    tools.add(name)
    const [first = '', second = '', ...more] = name.split('__')
    if (first === 'mcp' && more.length > 0) servers.add(second)
    else if (second !== '') servers.add(first)
  }
  return { tools, servers }
}
