import { posix } from 'node:path'
import fc from 'fast-check'

/** A call of a tool, by the name and with the arguments that Claude Code has for it. */
export interface ClientCall {
  readonly tool: string
  readonly input: Readonly<Record<string, string>>
}

/** The folder and the home that paths are relative to. */
export const PROJECT = '/home/ada/shop'
export const HOME = '/home/ada'

/** How a list of Claude Code reads its rules. `names`: those that take tools away by name, as an agent has them. */
export type ReadAs = 'denying' | 'names' | 'allowing'

/** The rules of Claude Code, read from its documentation and written without our code: true when one holds for a call. */
export function meansThere(rule: string, { tool, input }: ClientCall, as: ReadAs): boolean {
  const { name, argument } = parts(rule)
  if (!isNamedThere(name, tool, as)) return false
  if (argument === undefined || argument === '*') return true
  if (tool === 'Bash') return isCommandThere(argument, input['command'] ?? '', as)
  if (tool === 'WebFetch') return isDomainThere(argument, input['url'] ?? '', as)
  if (READING.includes(tool) || EDITING.includes(tool)) {
    const file = input['file_path'] ?? input['notebook_path'] ?? input['path'] ?? '.'
    return isPathThere(argument, file)
  }
  if (tool === 'Skill') return isPrefixThere(argument, input['skill'] ?? '')
  return tool === 'Task' && argument === input['subagent_type']
}

/** Returns true when a rule names a tool, whatever its arguments. */
export function namesThere(rule: string, tool: string, as: ReadAs): boolean {
  return isNamedThere(parts(rule).name, tool, as)
}

function parts(rule: string) {
  const [, name = '', argument] = /^([^(]*)(?:\((.*)\))?$/su.exec(rule.trim()) ?? []
  return { name: name.trim(), argument: argument?.trim() }
}

const READING = ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS']
const EDITING = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

/** Names of tools: exact, with `*`, all of a server, and in a rule that denies a kind of tool. */
function isNamedThere(name: string, tool: string, as: ReadAs): boolean {
  if (name === tool) return true
  if (name.includes('*')) return glob(name).test(tool)
  if (/^mcp__[^_]/u.test(name) && tool.startsWith(`${name}__`)) return true
  return (
    as === 'denying' &&
    ((name === 'Read' && READING.includes(tool)) ||
      (name === 'Edit' && EDITING.includes(tool)) ||
      (name === 'Agent' && tool === 'Task'))
  )
}

/** `*` matches any text, also blanks. */
function glob(pattern: string): RegExp {
  const parts = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\/]/gu, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 'su')
}

/** `git push:*` and `git push *` are `git push`, alone or with more words; each command of a chain is looked at. */
function isCommandThere(wanted: string, text: string, as: ReadAs): boolean {
  const commands = text
    .split(/&&|\|\||\|&|[;|&\n]/u)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const start = /^(.*?)(?::\*| \*)$/su.exec(wanted)?.[1]
  const isMeant = (command: string) =>
    glob(wanted).test(command) ||
    (start !== undefined && (glob(start).test(command) || glob(`${start} *`).test(command)))
  if (as === 'allowing') return commands.length > 0 && commands.every(isMeant)
  return commands.some((one) => isMeant(one) || isMeant(withoutWrapper(one)))
}

/** What a deny rule looks through: assignments, and commands that only start another one. */
function withoutWrapper(command: string): string {
  return command.replace(
    /^(?:[A-Z_]+=\S+ +)*(?:(?:timeout \d+|time|nice|nohup|stdbuf -oL) +)*/u,
    '',
  )
}

function isDomainThere(wanted: string, url: string, as: ReadAs): boolean {
  if (!wanted.startsWith('domain:')) return false
  const domain = wanted.slice('domain:'.length).toLowerCase()
  const host = new URL(url).hostname
  if (glob(domain).test(host)) return true
  return as !== 'allowing' && host.endsWith(`.${domain}`)
}

/** Patterns of `.gitignore`: `//` is absolute, `/` and `./` the project, `~/` the home; without a slash, at any depth. */
function isPathThere(wanted: string, file: string): boolean {
  const path = posix.resolve(PROJECT, file.replace(/^~\//u, `${HOME}/`))
  const whole = wanted.replace(/\/(?:\*\*)?$/u, '')
  const isAnywhere = !whole.includes('/')
  const base = wanted.startsWith('~/')
    ? posix.join(HOME, whole.slice(1))
    : wanted.startsWith('//')
      ? posix.join('/', whole.slice(1))
      : posix.join(PROJECT, isAnywhere ? '**' : '', whole)
  const parts = base
    .split('/')
    .map((part) =>
      part === '**' ? '.*' : glob(part).source.slice(1, -1).replaceAll('.*', '[^/]*'),
    )
  const pattern = parts.join('/').replaceAll('.*/', '(?:.*/)?')
  return new RegExp(`^${pattern}(?:/.*)?$`, 'su').test(path)
}

function isPrefixThere(wanted: string, text: string): boolean {
  const start = /^(.*?)(?::\*| \*)$/su.exec(wanted)?.[1]
  return start === undefined ? glob(wanted).test(text) : text.startsWith(start)
}

/** A tool of a server: the name that the server has for it, and its name here. */
export interface ServedTool {
  readonly onServer: string
  readonly here: string
}

/** Five servers: other prefixes, none, and names that Claude Code writes in another way. */
export const SERVERS: Readonly<Record<string, readonly ServedTool[]>> = {
  shop: [
    { onServer: 'delete', here: 'shop_delete' },
    { onServer: 'find', here: 'shop_find' },
  ],
  'my-files.v2': [
    { onServer: 'read_file', here: 'files_read' },
    { onServer: 'write', here: 'files-write' },
  ],
  github: [
    { onServer: 'delete_repo', here: 'delete_repo' },
    { onServer: 'list.all', here: 'list_all' },
  ],
  a__b: [{ onServer: 'c', here: 'a__b_c' }],
  Mail: [
    { onServer: 'send', here: 'Mail_send' },
    { onServer: 'send_all', here: 'Mail_send_all' },
  ],
}

/** Returns a name as Claude Code writes it. */
const written = (text: string) => text.replaceAll(/[^\w-]/gu, '_')

/** Returns the name that Claude Code has for a tool of a server. */
export function nameThere(server: string, onServer: string): string {
  return `mcp__${written(server)}__${written(onServer)}`
}

/** The tools that Claude Code has itself, of which a rule may speak. */
export const BUILT_IN: readonly string[] = [
  'Bash',
  ...READING,
  ...EDITING,
  'WebFetch',
  'WebSearch',
  'Task',
  'Skill',
  'TodoWrite',
  'KillShell',
]

const FILES = [
  '.env',
  './.env',
  'src/../.env',
  `${PROJECT}/.env`,
  'a/b/.env',
  'src/secret/key.pem',
  'src/secret',
  'src/a.ts',
  'README.md',
  '/etc/passwd',
  '../../../etc/passwd',
  '~/.ssh/id',
  '/home/ada/.ssh/id',
  `${PROJECT}/src/a.ts`,
]

const COMMANDS = [
  'rm',
  'rm -rf /',
  'git push origin main',
  'git commit -m x',
  'npm run test',
  'npm run test -- --fast',
  'npm install',
  'curl https://x.dev',
  'ls',
  'lsof -i',
  'format c',
]

const BEFORE = [
  '',
  'ls && ',
  'cd x; ',
  'true || ',
  'echo a\n',
  'ls & ',
  'cat x |& ',
  'timeout 5 ',
  'A=1 ',
]

/** Calls of every tool. */
export const CALLS: readonly ClientCall[] = [
  ...Object.entries(SERVERS).flatMap(([server, tools]) =>
    tools.map(({ onServer }) => ({ tool: nameThere(server, onServer), input: {} })),
  ),
  ...BEFORE.flatMap((before) =>
    COMMANDS.map((command) => ({ tool: 'Bash', input: { command: before + command } })),
  ),
  ...[...READING, ...EDITING].flatMap((tool) =>
    FILES.map((file) => ({
      tool,
      input: {
        [tool.startsWith('Note')
          ? 'notebook_path'
          : ['Grep', 'Glob', 'LS'].includes(tool)
            ? 'path'
            : 'file_path']: file,
      },
    })),
  ),
  ...['https://example.com/x', 'https://EXAMPLE.com', 'https://a.evil.org/', 'https://ok.dev'].map(
    (url) => ({ tool: 'WebFetch', input: { url } }),
  ),
  { tool: 'WebSearch', input: { query: 'x' } },
  { tool: 'Task', input: { subagent_type: 'Explore' } },
  { tool: 'Skill', input: { skill: 'deploy-all' } },
  { tool: 'TodoWrite', input: {} },
  { tool: 'KillShell', input: {} },
]

const aServer = fc.constantFrom(...Object.keys(SERVERS), 'unknown', 'sho')

const aServerRule = fc.oneof(
  aServer.chain((server) => {
    const start = `mcp__${written(server)}`
    const names = (SERVERS[server] ?? []).map(({ onServer }) => written(onServer))
    return fc.constantFrom(
      start,
      `${start}__*`,
      `${start}__none`,
      ...names.flatMap((name) => [
        `${start}__${name}`,
        `${start}__${name.slice(0, 3)}*`,
        `${start}__${name}(*)`,
      ]),
    )
  }),
  fc.constantFrom('mcp__*', 'mcp__', 'mcp__shop__', 'mcp__*__delete', 'mcp__shop__find(x)'),
)

const aCommandRule = fc
  .tuple(
    fc.constantFrom('rm', 'rm -rf', 'git push', 'npm run', 'npm run test', 'curl', 'ls', 'format'),
    fc.constantFrom(':*', ' *', '', '*'),
  )
  .map(([command, end]) => `Bash(${command}${end})`)

const aPath = fc.constantFrom(
  '.env',
  './.env',
  '*.pem',
  '**/*.pem',
  'src/secret/**',
  '/src/secret',
  'src/secret/',
  './src/**',
  '**',
  '/**',
  '//etc/passwd',
  '//etc/**',
  '~/.ssh/**',
  '~/**',
  `/${PROJECT}/.env`,
  `/${PROJECT}/src/**`,
  '~/shop/src/*.ts',
  'src/[ab].ts',
)

const aPathRule = fc
  .tuple(fc.constantFrom('Read', 'Edit', 'Write', 'Grep', 'NotebookEdit'), aPath)
  .map(([tool, path]) => `${tool}(${path})`)

/** A rule in one of the forms that people write in settings, and some that are mistaken. */
export const aClientRule: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: aServerRule, weight: 4 },
  { arbitrary: aCommandRule, weight: 4 },
  { arbitrary: aPathRule, weight: 4 },
  {
    arbitrary: fc.constantFrom(
      'Bash(git * main)',
      'Bash(* install)',
      'Bash(*)',
      'Bash(a $(b))',
      'Bash( rm:* )',
      ' Bash ',
    ),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom('example.com', 'evil.org', '*.evil.org')
      .map((one) => `WebFetch(domain:${one})`),
    weight: 1,
  },
  {
    arbitrary: fc.constantFrom(
      ...BUILT_IN,
      'Agent',
      'Task(Explore)',
      'Agent(Explore)',
      'Skill(deploy:*)',
      'Skill(deploy-all)',
      'Notebook*',
      '*',
    ),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom('Raed', 'bash', 'Foo', 'Foo(x)', 'WebFetch(example.com)', ''),
    weight: 1,
  },
)
