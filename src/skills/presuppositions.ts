import { shortPlaceholders } from '../kernel/substitute-variables.ts'
import { isClientTool, toolOfClient } from './tool-of-client.ts'
import type { Skill } from './definition/skill.ts'
import { findSkillFile, isScript, writtenPaths } from './find-skill-file.ts'

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
  /** Other skills that it names. */
  readonly skills: readonly string[]
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
  const named = namedFiles(text, skill)
  const scripts = named.filter(
    (path) => isScript({ path, size: 0, hash: 'sha256:' }) && !MATERIAL.test(path),
  )
  const inline = [...text.matchAll(/(?:^|\s)!`([^`\n]{1,200})`/gmu)].map(
    ([, command = '']) => command,
  )
  const quoted = [...prose.matchAll(/`([^`\n]{1,200})`/gu)].flatMap(({ 1: command = '', index }) =>
    isCommand(command) && !isForbidden(prose, index) ? command : [],
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
    fileWriting: tools.has('Write') || tools.has('Edit') || WRITES.test(prose),
    programs: listed([...ran, ...interpreters]),
    scripts: listed(scripts),
    references: listed(named.filter((path) => !scripts.includes(path))),
    skills: listed([
      ...skill.requires,
      ...namedSkills(`${skill.description}\n${prose}`, skill.name),
    ]),
    servers: listed(
      [
        ...text.matchAll(/\bmcp__([A-Za-z0-9-]{1,64}(?:_[A-Za-z0-9-]{1,64})*)__/gu),
        ...serversIn(prose),
        ...skill.permissions.flatMap((entry) => [
          ...entry.matchAll(/^mcp__([A-Za-z0-9-]{1,64}(?:_[A-Za-z0-9-]{1,64})*)/gu),
        ]),
      ].map(([, server = '']) => server),
    ),
    variables: listed(variablesIn(text, script)),
    placeholders: listed([
      ...[...text.matchAll(PLACEHOLDER)].map(([found]) => found),
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
  /(?:(?:^|[.:;→–—]\s|\s-\s|\n|\b(?:and|then)\s)[\s>*_#\d.\)\]x\[\-]{0,8}(?=[acegsuw])(?:always )?(?:create|write|save|generate|edit|update|add|set)|\bby (?:creating|writing|editing|updating))\b(?:(?! (?:from|using|following|exclude) |\(see |: use )[^.\n]|\.(?=[\w\/])){0,80}(?:\b(?:to|in|into|at|as) `[^`\s\(\)]{0,80}\/[^`\s\(\)]{0,80}`|\bfiles\b|\bfile\b(?! (?:attachments?|formats?|metadata|order|types?)\b)|\b(?:folder|directory|generated code)\b|\.(?:md|txt|json|ya?ml|toml|py|[jt]sx?|html?|csv|xlsx|docx|pptx|pdf|png|svg|sh)\b)/iv

function namedFiles(text: string, skill: ReadSkill): readonly string[] {
  if (skill.files.length === 0) return []
  const written = new Set(writtenPaths(text).map(({ path }) => path))
  return [...written].slice(0, 2_000).flatMap((path) => {
    const found = findSkillFile(skill, path)
    return found === null || found.path === 'SKILL.md' ? [] : found.path
  })
}

function namedSkills(prose: string, own: string): readonly string[] {
  const named = [
    ...prose.matchAll(
      /(?:^|[\s`*\(])\/?[a-z][a-z0-9\-]{1,40}:([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8})(?![\w:\/\-]|\.\w)/gv,
    ),
    ...prose.matchAll(/[`*]([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,8})[`*]{1,3}\sskills?\b/gu),
    ...prose.matchAll(/[`*]([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill:?[`*]/gu),
    ...prose.matchAll(/\b(?:use|the) ([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill\b/giu),
    ...prose.matchAll(/(?:\.\.|\bskills)\/([a-z][a-z0-9\-]{0,60})\/SKILL\.md\b/gv),
  ]
  return [
    ...named.filter(({ index }) => !isExample(prose, index)).map(({ 1: name = '' }) => name),
    ...relatedSkills(prose),
  ].filter((name) => name !== own)
}

/** Returns the names that items, rows and headings begin with below a heading, or a paragraph has, about other skills. */
function relatedSkills(prose: string): readonly string[] {
  let level = 0
  return prose.split('\n').flatMap((line) => {
    const depth = /^#{0,6}/u.exec(line)?.[0].length ?? 0
    if (depth > 0 && (level === 0 || depth <= level)) level = RELATED.test(line) ? depth : 0
    else if (level === 0 || level === PARAGRAPH) {
      level = (level > 0 && line.trim() !== '') || RELATED.test(line) ? PARAGRAPH : 0
    }
    if (level !== PARAGRAPH) return level === 0 ? [] : (ITEM.exec(line)?.[1] ?? [])
    return [...line.matchAll(/`([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8})`/gu)].map(
      ([, name = '']) => name,
    )
  })
}

const RELATED =
  /^(?:#.{0,40}\b(?:other|complementary|companion|related)|[\s*\-]{0,6}related) skills?\b/iv

/** The level of a paragraph, which is below that of any heading. */
const PARAGRAPH = 7

const ITEM =
  /^\s{0,8}(?:[\-*+]|\d{1,2}\.|\||#{1,6}(?: [Ww]ith)?)\s{1,4}\[?[`*]{1,3}\/?([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,8})[`*]/v

/** Words before "MCP server" that name no server. */
const NO_SERVER = /^(?:custom|http|local|python|use)$/u

/**
 * Returns the servers that a text names, such as "the Linear MCP server" and "Linear MCP tools". Any word has a capital
 * at the start of a sentence, so there the text must have it elsewhere, too.
 */
function serversIn(prose: string): readonly (readonly [string, string])[] {
  const names = new Set(
    [...prose.matchAll(/[a-z,\(] [`*]{0,3}([A-Z][A-Za-z0-9]{1,30})\b/gv)].map(([, name]) => name),
  )
  const found = [...prose.matchAll(/\b([A-Z][A-Za-z0-9]{1,30}) MCP (?:servers?|tools?|is)\b/gu)]
  return found
    .filter(([, name]) => names.has(name))
    .map(([all, name = '']) => [all, name.toLowerCase()] as const)
    .filter(([, name]) => !NO_SERVER.test(name))
}

/** Characters before a name that are read for the start of its sentence. */
const LONGEST_START = 200

/** Returns true for a name in an example or in a quotation: its sentence says so before it. */
function isExample(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - LONGEST_START), index)
  const start = before.replaceAll('e.g. ', 'e.g.,').split(/\n|[.!?]\s/u)
  const sentence = start.at(-1) ?? ''
  return /\bexamples?[ :,]|\be\.g\./iu.test(sentence) || sentence.split('"').length % 2 === 0
}

/** Returns true for a command that is not to be run, alone or in a list: "never `git push` or `npm publish`". */
function isForbidden(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - LONGEST_START), index)
  return /\b(?:do not|don't|never|instead of|rather than)\s(?:\w{1,12}\s){0,2}(?:`[^`]{1,80}`,?\s(?:or |and )?){0,5}$/iu.test(
    before,
  )
}

/** Variables that every shell has, or a client. */
const USUAL = /^(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|LANG|CLAUDE_\w+)$/u

/** A variable that a person gives a value: a secret, or one whose value stands for another. */
const TO_FILL_IN =
  /(?:^|[\s;])(?:([A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD))=(?!["']?[$`\(])|([A-Z][A-Z0-9_]{1,60})=["']?(?:[<\[]|\.\.\.|[Xx]{3}|[Yy]our|YOUR))/gv

/** A variable that a script sets, the variable that the value begins with, or one with another value. */
const SET =
  /(?:^|[\s;])([A-Z][A-Z0-9_]{1,60})=(?=["']?\$\{?(\w{1,61})|)|\$\{([A-Z][A-Z0-9_]{1,60}):[\-=]/gv

function variablesIn(text: string, script: string): readonly string[] {
  const toFillIn = [...script.matchAll(TO_FILL_IN)].map(
    ([, secret, other]) => secret ?? other ?? '',
  )
  const set = new Set(
    [...script.matchAll(SET)].map(([, name, from, other]) => (name === from ? other : name)),
  )
  const used = [
    ...script.matchAll(/\$\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8})\b(?!\$)/gu),
    ...text.matchAll(/\bprocess\.env\.([A-Z][A-Z0-9_]{1,60})/gu),
    ...text.matchAll(/\bos\.(?:environ(?:\.get)?[\[\(]|getenv\()["']([A-Z][A-Z0-9_]{1,60})/gv),
    ...text.matchAll(
      /`([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){0,6}_(?:KEY|TOKEN|SECRET|URL|PASSWORD))`/gu,
    ),
  ].flatMap(([, name = '']) => (set.has(name) ? [] : name))
  return [...toFillIn, ...used].filter((name) => !USUAL.test(name))
}

const PLACEHOLDER =
  /\$ARGUMENTS\b|\$\{?CLAUDE_(?:SKILL_DIR|PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR|SESSION_ID)\b\}?|\{baseDir\}/gu

/** The definitions that a skill may rely on, such as a catalog. */
export interface WorkspaceMeans {
  readonly toolsByHash: ReadonlyMap<unknown, { readonly name: string }>
  readonly skills: { has(name: string): boolean }
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
  { toolsByHash, skills }: WorkspaceMeans,
  registered: Iterable<string> = [],
): DescribedPresuppositions {
  const needs = presuppositionsOf(skill)
  if (!needs.shell && Object.values(needs).every((one) => one === false || one.length === 0)) {
    return NOTHING
  }
  const means = [definedMeans(toolsByHash), readMeans(registered)]
  const hasTool = (tool: string) => means.some(({ tools }) => tools.has(tool))
  const runsScripts = hasTool('Bash') || hasTool('runSkillScript')
  const onlyScripts = needs.shell && needs.scripts.length > 0
  const list = [
    needs.shell && { text: 'shell', has: onlyScripts ? runsScripts : hasTool('Bash') },
    needs.fileWriting && { text: 'file writing', has: hasTool('Bash') || hasTool('Write') },
    ...needs.programs.map((text) => ({ text, has: true })),
    ...needs.skills.map((name) => ({ text: `skill ${name}`, has: skills.has(name) })),
    ...needs.servers.map((name) => ({
      text: `server ${name}`,
      has: means.some(({ servers }) => servers.has(name)),
    })),
    ...needs.variables.map((name) => ({ text: `variable ${name}`, has: true })),
    ...needs.placeholders.map((name) => ({ text: name, has: true })),
  ].filter((one) => one !== false)
  return {
    presupposes: list.map(({ text }) => text),
    lacks: list.filter(({ has }) => !has).map(({ text }) => text),
  }
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
