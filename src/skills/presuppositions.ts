import { isClientTool, toolOfClient } from './tool-of-client.ts'
import type { Skill } from './definition/skill.ts'
import { findSkillFile, isScript, writtenPaths } from './find-skill-file.ts'
import { INSTALLS, splitText } from './parse/split-text.ts'

/** The parts of a skill that say what it presupposes. */
type ReadSkill = Pick<Skill, 'name' | 'instructions' | 'files' | 'permissions' | 'requires'>

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
  const { commands, settings, prose, script } = splitText(text)
  const tools = new Set(
    skill.permissions.map((entry) => toolOfClient(entry.slice(0, endOfName(entry)))),
  )
  const named = namedFiles(text, skill)
  const scripts = named.filter(
    (path) => isScript({ path, size: 0, hash: 'sha256:' }) && !MATERIAL.test(path),
  )
  const inline = [...text.matchAll(/(?:^|\s)!`([^`\n]{1,200})`/gmu)].map(
    ([, command = '']) => command,
  )
  const asked = [
    ...[...prose.matchAll(ASKED_FOR)].flatMap(([, not, command = '']) =>
      not === undefined ? command : [],
    ),
    ...[...prose.matchAll(/`([^`\n]{1,200})`/gu)].flatMap(
      ([, text = '']) => INSTALLS.exec(text)?.slice(1) ?? [],
    ),
  ].filter((command) => programOf(command) !== null)
  const all = [...commands, ...inline, ...asked]
  const ran = all.flatMap((line) =>
    line.split(/&&|\|\||[;|]|\$\(/u).flatMap((part) => programOf(part.trim()) ?? []),
  )
  const interpreters = scripts.flatMap((path) => INTERPRETERS[endingOf(path)] ?? [])
  return {
    shell: all.length > 0 || scripts.length > 0 || tools.has('Bash'),
    fileWriting: tools.has('Write') || tools.has('Edit') || WRITES.test(prose),
    programs: listed([...ran, ...interpreters]),
    scripts: listed(scripts),
    references: listed(named.filter((path) => !scripts.includes(path))),
    skills: listed([...skill.requires, ...namedSkills(prose, skill.name)]),
    servers: listed(
      [
        ...text.matchAll(/\bmcp__([A-Za-z0-9-]{1,64}(?:_[A-Za-z0-9-]{1,64})*)__/gu),
        ...serversIn(prose),
        ...skill.permissions.flatMap((entry) => [
          ...entry.matchAll(/^mcp__([A-Za-z0-9-]{1,64}(?:_[A-Za-z0-9-]{1,64})*)/gu),
        ]),
      ].map(([, server = '']) => server),
    ),
    variables: listed([
      ...variablesIn(text, script, all),
      ...settings.filter((name) => !USUAL.test(name)),
    ]),
    placeholders: listed([
      ...[...text.matchAll(PLACEHOLDER)].map(([found]) => found),
      ...(inline.length > 0 ? ['!`…`'] : []),
    ]),
  }
}

/** Folders whose code is copied or read, and not run. */
const MATERIAL = /^(?:assets|templates?|examples?)\//iu

function listed(items: readonly string[]): readonly string[] {
  return [...new Set(items)].slice(0, MOST_ITEMS)
}

function endOfName(entry: string): number {
  const open = entry.indexOf('(')
  return open < 0 ? entry.length : open
}

/** A command in backquotes that a sentence or an item of a list asks for. */
const ASKED_FOR =
  /(?:\b(not |never )?(?:re-?run|run|running|execute|executing|via|with)\s|:\s|^\s{0,8}(?:[\-*]|\d{1,2}\.)\s)`([^`\n]{1,200})`/gimv

const PROGRAMS =
  /^(?:\$ |> )?(?:sudo )?(?:[A-Z_]{1,40}=\S{1,100} )*(python3?|node|npm|npx|pnpm|yarn|bunx?|deno|uvx?|pip3?|pipx|ruby|perl|php|go|cargo|rustc|java|dotnet|docker|git|gh|curl|wget|jq|make|bash|sh|zsh|psql|terraform|aws|azd|gcloud|az|kubectl|helm|pytest|poetry|conda|mvn|gradle|wrangler|xcodebuild|ffmpeg|pandoc|soffice|qpdf|pdftotext|pdftoppm|playwright|vercel|supabase|neonctl|turbo|adb|xcrun|brew|apt|apt-get)(?=\s|$)/u

function programOf(line: string): string | null {
  const program = PROGRAMS.exec(line)?.[1] ?? null
  return program === 'python' ? 'python3' : program
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

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase()
}

/**
 * An order to create or change a file, at the start of a sentence, a line or an item of a list; after a comma only with
 * a path in backquotes.
 */
const WRITES =
  /(?:^|[.:;]\s|:\*\*\s|,\s(?=\w+ (?:an? |the )?`)|\n|\b(?:to|then|and|must|should|will|can)\s)[\s>*_#\d.)\]x[-]{0,12}(?:always )?(?:create|write|save|generate|edit|modify|update|append|add|put|export)\b(?:(?!\b(?:see|from|(?:angular|express|next|node|nuxt|react|three|vue)\.js)\b)(?:[^.\n]|\.(?=[\w/]))){0,80}(?:\bfiles?\b(?! (?:formats?|metadata)\b)|\b(?:folder|directory)\b|\.(?:md|txt|json|ya?ml|toml|conf|py|[jt]sx?|mjs|css|html?|csv|xlsx|docx|pptx|pdf|png|svg|sh|sql|vue|xml)\b)/iu

function namedFiles(text: string, skill: ReadSkill): readonly string[] {
  if (skill.files.length === 0) return []
  const written = new Set(writtenPaths(text).map(({ path }) => path))
  return [...written].slice(0, 2_000).flatMap((path) => {
    const found = findSkillFile(skill, path)
    return found === null || found.path === 'SKILL.md' ? [] : found.path
  })
}

/** Words before "skill" that name none, also when they are emphasised. */
const NO_NAME =
  /^(?:an?|any|local|new|no|not|one|other|same|that|the|this|per-\w+|\w+-(?:based|specific|step))$/u

/** The name of a skill after that of its plugin, also at the end of a sentence. */
const OF_PLUGIN = /^[a-z][a-z0-9\-]{1,40}:(?!latest)([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40})+)\.?$/v

function namedSkills(prose: string, own: string): readonly string[] {
  const named = [
    ...[...prose.matchAll(/[\w.@\/:\-]+/gv)].flatMap(({ 0: word, index }) => {
      const [, name] = OF_PLUGIN.exec(word) ?? []
      return name === undefined || prose[index - 1] === '"' ? [] : { 1: name, index }
    }),
    ...prose.matchAll(/[`*]([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,8})[`*]{1,3} skills?\b/gu),
    ...prose.matchAll(
      /\b(?:[Ll]oad|[Uu]se|[Ii]nvoke|[Ff]ollow) (?:the )?([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}) skill\b/gu,
    ),
    ...prose.matchAll(/(?:\.\.|\bskills)\/([a-z][a-z0-9\-]{0,60})\/SKILL\.md\b/gv),
    ...prose.matchAll(/\bskills? \*{0,2}`([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,8})`/gu),
    ...prose.matchAll(/\bskills? \*{1,2}([a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8})\*/gu),
  ]
  return named
    .filter(({ index }) => !isExample(prose, index) && !isAgent(prose, index))
    .map(({ 1: name = '' }) => name)
    .filter((name) => name !== own && !NO_NAME.test(name))
}

/** Returns true for the name of an agent: the word is before or after it. */
function isAgent(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - 20), index)
  const after = prose.slice(index, index + LONGEST_START)
  return (
    /\bagent [`*]{0,3}$/iu.test(before) ||
    /^[\w:\-]{1,90}[`*]{0,3} (?:sub-?)?agents?\b/iv.test(after)
  )
}

/** Words before "MCP server" that name no server. */
const NO_SERVERS: ReadonlySet<string> = new Set(
  'a all an any call check configure configured connect custom discover each existing for get if external http java javascript local my new node our python remote some stdio the this typescript use using via when with your'.split(
    ' ',
  ),
)

/**
 * Returns the servers that a text names, such as "the Linear MCP server" and "Linear MCP tools". Any word has a capital
 * at the start of a sentence, so there the text must have it elsewhere, too.
 */
function serversIn(prose: string): readonly (readonly [string, string])[] {
  const names = new Set(
    [...prose.matchAll(/[a-z,\(] [`*]{0,3}([A-Z][A-Za-z0-9]{1,30})\b/gv)].map(([, name]) => name),
  )
  const found = [
    ...prose.matchAll(/\b([A-Z][A-Za-z0-9]{1,30}) MCP (?:server|tools?|calls?|is)\b/gu),
  ]
  return found
    .filter(([, name]) => names.has(name))
    .map(([all, name = '']) => [all, name.toLowerCase()] as const)
    .filter(([, name]) => !NO_SERVERS.has(name))
}

/** Characters before a name that are read for the start of its sentence. */
const LONGEST_START = 200

/** Returns true for a name in an example: after a word that says so, or as one of many ("a `pdf` skill"). */
function isExample(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - LONGEST_START), index)
  const start =
    before
      .replaceAll('e.g. ', 'e.g.,')
      .split(/\n|[.!?]\s/u)
      .at(-1) ?? ''
  return /\b(?:examples?\b|e\.g\.|good:|bad:)|\ban?\s$/iu.test(start)
}

/** Variables that every shell has or that bundlers set, and placeholders that are not variables. */
const USUAL =
  /^(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|OLDPWD|IFS|RANDOM|EDITOR|LANG|ARGUMENTS|(?:CLAUDE|BATS|CUDA)_\w+|BASH_SOURCE|GITHUB_(?:ENV|OUTPUT|PATH|SHA|REF|WORKSPACE|REPOSITORY)|NODE_ENV|EXPO_OS)$/u

/** A variable that a command sets to a text, unless it is a secret, an address, or the text stands for another. */
const SET_TO_TEXT =
  /(?:^|\s|;)(?![A-Z0-9_]{0,60}(?:(?:KEY|TOKEN|SECRET|PASSWORD)=|URL=(?!["']?https?:\/\/(?!\S{0,200}(?:your|example|<|\$)))))([A-Z][A-Z0-9_]{1,60})=(?!["']?(?:[<$]|\.\.\.|[Xx]{3}|[Yy]our|YOUR))["'\w~./-]/gu

function variablesIn(
  text: string,
  written: string,
  commands: readonly string[],
): readonly string[] {
  const script = commands.join('\n')
  const set = new Set(
    [
      ...script.matchAll(/(?:^|\s|;)([A-Z][A-Z0-9_]{1,60})=["']?(?:\$\{?(\w{0,61})|[(`])/gu),
      ...script.matchAll(SET_TO_TEXT),
      ...script.matchAll(/\$\{([A-Z][A-Z0-9_]{1,60}):[\-=]/gv),
      ...script.matchAll(/\b(?:for|read(?: -\w{1,10}){0,4}) ([A-Z][A-Z0-9_]{1,60})\b/gu),
    ]
      .filter(([, name, from]) => name !== from)
      .map(([, name]) => name),
  )
  const found = [
    ...written.matchAll(/\$\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8})\b(?!\$)/gu),
    ...text.matchAll(/\bprocess\.env\.([A-Z][A-Z0-9_]{1,60})/gu),
    ...text.matchAll(/\bos\.(?:environ(?:\.get)?[\[\(]|getenv\()["']([A-Z][A-Z0-9_]{1,60})/gv),
    ...written.matchAll(/\bexport ([A-Z][A-Z0-9_]{1,60})=/gu),
    ...[
      ...text.matchAll(
        /(\b[Ss]tore (?:it )?as )?`([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){0,6}_(?:KEY|TOKEN|SECRET|URL|PASSWORD))`/gu,
      ),
    ].flatMap(([all, stored, name = '']) => (stored === undefined ? [[all, name] as const] : [])),
  ].map(([, name = '']) => name)
  return found.filter((name) => !USUAL.test(name) && !set.has(name))
}

const PLACEHOLDER =
  /\$ARGUMENTS\b|\$\{?CLAUDE_(?:SKILL_DIR|PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR|SESSION_ID)\b\}?/gu

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
  const means = [meansOf(toolsByHash), meansOfNames(registered)]
  const hasTool = (tool: string) => means.some(({ tools }) => tools.has(tool))
  const hasServer = (server: string) => means.some(({ servers }) => servers.has(server))
  const runsScripts = hasTool('Bash') || hasTool('runSkillScript')
  const onlyScripts = needs.shell && needs.scripts.length > 0
  const list = [
    needs.shell && { text: 'shell', has: onlyScripts ? runsScripts : hasTool('Bash') },
    needs.fileWriting && { text: 'file writing', has: hasTool('Bash') || hasTool('Write') },
    ...needs.programs.map((text) => ({ text, has: true })),
    ...needs.skills.map((name) => ({ text: `skill ${name}`, has: skills.has(name) })),
    ...needs.servers.map((name) => ({ text: `server ${name}`, has: hasServer(name) })),
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

function meansOf(tools: WorkspaceMeans['toolsByHash']): ToolMeans {
  const before = knownMeans.get(tools)
  if (before !== undefined) return before
  const means = meansOfNames([...tools.values()].map(({ name }) => name))
  knownMeans.set(tools, means)
  return means
}

function meansOfNames(names: Iterable<string>): ToolMeans {
  const tools = new Set<string>()
  const servers = new Set<string>()
  for (const name of names) {
    tools.add(toolOfClient(isClientTool(name) ? name : capital(name)))
    tools.add(name)
    const [first = '', second = '', ...more] = name.split('__')
    if (first === 'mcp' && more.length > 0) servers.add(second)
    else if (second !== '') servers.add(first)
  }
  return { tools, servers }
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
