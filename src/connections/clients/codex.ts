import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import {
  builtInEntry,
  type ClientProfile,
  type ListReason,
  longDescription,
  ownEntry,
  type Reading,
  sortReadings,
} from './client-profile.ts'
import { type ClientFolders, member, readSettings } from './client-folders.ts'
import {
  findSkillFiles,
  type FoundSkill,
  type SkillPlace,
  uniqueFiles,
} from './find-skill-files.ts'
import { fitCodexList } from './fit-codex-list.ts'
import { type Header, parseHeader } from './parse-header.ts'

const LIMITS = {
  name: 64,
  /** Of a name with that of a plugin before it. */
  qualifiedName: 128,
  description: 1024,
} as const

export const CODEX: ClientProfile = {
  name: 'codex',
  title: 'Codex',
  version: '0.169.0',
  window: 272_000,
  builtIns: [
    ['imagegen', 570],
    ['openai-docs', 624],
    ['skill-creator', 106],
    ['skill-installer', 225],
  ],
  async read(folders) {
    const found = await Promise.all(places(folders).map((place) => findSkillFiles(place, WALK)))
    const disabled = await readDisabled(folders)
    return Promise.all(
      uniqueFiles(found.flat()).map(async (file) => ({
        ...file,
        ...(await readSkill(file, disabled)),
      })),
    )
  },
  async arrange(skills) {
    const { listed, unlisted } = sortReadings(skills)
    const sorted = listed.toSorted(
      (a, b) =>
        SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope) ||
        compareBytes(a.name, b.name) ||
        compareBytes(a.real, b.real),
    )
    const entries = [...CODEX.builtIns.map(builtInEntry), ...sorted.map(ownEntry)]
    return { entries, unlisted }
  },
  fit: fitCodexList,
}

const SCOPES = ['project', 'home']

const WALK = {
  depth: 6,
  inPlace: true,
  belowSkills: true,
  skips: (name: string) => name.startsWith('.'),
  fileLinks: false,
  looseFiles: 0,
  maxBytes: Number.POSITIVE_INFINITY,
}

/** Outside of a repository, only the working folder and the home. */
function places({ folder, home, root, parents }: ClientFolders): readonly SkillPlace[] {
  const projects = root === null ? [folder] : parents
  return [
    ...projects.map((path) => join(path, '.codex', 'skills')).map(inProject),
    ...['.codex', '.agents'].map((name) => ({
      path: join(home, name, 'skills'),
      scope: 'home' as const,
    })),
    ...projects
      .toReversed()
      .map((path) => join(path, '.agents', 'skills'))
      .map(inProject),
  ]
}

function inProject(path: string): SkillPlace {
  return { path, scope: 'project' }
}

/** Skills that are turned off by name or by path in the configuration of the home. */
async function readDisabled({ home }: ClientFolders): Promise<ReadonlySet<string>> {
  const text = await readFile(join(home, '.codex', 'config.toml'), 'utf8').catch(() => '')
  const [, ...tables] = text.split(/^\s*\[\[\s*skills\.config\s*\]\]\s*$/m)
  const disabled = new Set<string>()
  for (const table of tables) {
    const [lines = ''] = table.split(/^\s*\[/m)
    const value = (key: string) => {
      const line = lines.split('\n').find((one) => one.split('=', 1)[0]?.trim() === key)
      const text = line?.slice(line.indexOf('=') + 1).trim()
      return text?.replace(/^"(.*)"$|^'(.*)'$/s, '$1$2')
    }
    // The last table about a skill counts.
    for (const one of [value('name'), value('path')]) {
      if (one !== undefined && value('enabled') === 'false') disabled.add(one)
      else if (one !== undefined) disabled.delete(one)
    }
  }
  return disabled
}

const BARE = {
  code: 'no-front-matter',
  text: 'it has no front matter between two lines of ---',
} as const
const UNDESCRIBED = { code: 'no-description', text: 'it has no description' } as const

async function readSkill(file: FoundSkill, disabled: ReadonlySet<string>): Promise<Reading> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes)
  } catch {
    return { dropped: { code: 'not-utf-8', text: 'it is not UTF-8' } }
  }
  const yaml = split(text)
  if (yaml === null) return { dropped: BARE, line: 1 }
  const header = parseYaml(yaml)
  if ('fault' in header)
    return { dropped: header.fault, ...(header.line !== undefined && { line: header.line }) }
  const base = oneLine(header, 'name') || file.folderName.trim().split(/\s+/).join(' ')
  const plugin = await findPlugin(file)
  const name = plugin === null ? base : `${plugin}:${base}`
  const at = (field: string) => {
    const line = header.lines.get(field)
    return line === undefined ? {} : { line }
  }
  if ([...base].length > LIMITS.name || [...name].length > LIMITS.qualifiedName) {
    const text = `its name has more than ${LIMITS.name} characters`
    return { dropped: { code: 'long-name', text }, ...at('name') }
  }
  const whole = oneLine(header, 'description')
  if (whole === '') return { dropped: UNDESCRIBED, ...at('description') }
  const characters = [...whole]
  const isLong = characters.length > LIMITS.description
  const description = isLong ? `${characters.slice(0, LIMITS.description - 3).join('')}...` : whole
  const hidden = await hiddenBy(file, name, disabled)
  return {
    name,
    description,
    ...(isLong && {
      changed: longDescription(characters.length, LIMITS.description),
      ...at('description'),
    }),
    ...(hidden !== null && { hidden }),
  }
}

/** Lines of `---` may have spaces around. */
function split(text: string): string | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  if (trimmed(lines[0] ?? '') !== '---') return null
  const end = lines.findIndex((line, at) => at > 0 && trimmed(line) === '---')
  return end > 1 ? lines.slice(1, end).join('\n') : null
}

/** A byte order mark is no white space here. */
function trimmed(line: string): string {
  return line.replace(/^[^\S\uFEFF]+|[^\S\uFEFF]+$/g, '')
}

function parseYaml(yaml: string): Header {
  const read = parseFields(yaml)
  if ('fields' in read) return read
  const again = parseFields(quoted(yaml))
  return 'fields' in again ? again : read
}

/** Fields that are read: these may not be repeated. */
const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'metadata',
  'short-description',
])

const MARKED = {
  code: 'byte-order-mark',
  text: 'its front matter begins with a byte order mark',
} as const

/** Fields of a kind that the client does not take end the reading. */
function parseFields(yaml: string): Header {
  if (yaml.startsWith('\uFEFF')) return { fault: MARKED, line: 2 }
  const read = parseHeader(yaml, 2, { unique: FIELDS, nullTags: true })
  if ('fault' in read) return read
  const { fields, lines } = read
  const { metadata } = fields
  const isMap = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  const faults = {
    name: !isText(fields['name']),
    description: !isText(fields['description']),
    metadata: metadata !== undefined && !(isMap && isText(member(metadata)['short-description'])),
    '': '' in fields,
  }
  for (const [field, isFault] of Object.entries(faults)) {
    if (!isFault) continue
    const line = lines.get(field)
    const code = field === 'name' ? 'no-name' : 'wrong-kind'
    const text = `its field "${field}" is not of the kind that is read`
    return {
      fault: { code, text },
      ...(line !== undefined && { line }),
    }
  }
  return read
}

function isText(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array
}

/** Quotes values on one line that are no plain text, as the client does before it tries again. */
function quoted(yaml: string): string {
  return yaml
    .split('\n')
    .map((line) => {
      const [, start = '', text = ''] = /^([A-Za-z_-]+:\s+)(\S.*)$/.exec(line) ?? []
      const value = text.replace(/\s#.*$/, '').trimEnd()
      const isMap = value.includes(': ')
      if (start === '' || /^["'|>*%&!]|:$/.test(value)) return line
      const isKept = !isMap && (value.startsWith('-') || 'fields' in parseHeader(line, 1))
      return isKept ? line : `${start}'${value.replaceAll("'", "''")}'`
    })
    .join('\n')
}

function oneLine({ fields, sources }: Extract<Header, { fields: unknown }>, field: string): string {
  const value = fields[field]
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : (sources.get(field) ?? String(value))
  return text
    .split(/(?:[^\S\uFEFF]|\u0085)+/)
    .filter((word) => word !== '')
    .join(' ')
}

/** The name of the plugin that the skill is in, by the nearest manifest above it. */
async function findPlugin({ real }: FoundSkill): Promise<string | null> {
  for (let at = dirname(real); ; at = dirname(at)) {
    for (const folder of ['.codex-plugin', '.claude-plugin']) {
      const file = join(at, folder, 'plugin.json')
      if (
        !(await access(file).then(
          () => true,
          () => false,
        ))
      )
        continue
      const { name } = member(await readSettings(file))
      return typeof name === 'string' && name !== '' ? name : (at.split('/').at(-1) ?? null)
    }
    if (dirname(at) === at) return null
  }
}

const PERSON_ONLY = {
  code: 'implicit-invocation',
  text: 'agents/openai.yaml has allow_implicit_invocation: false',
} as const
const FOR_OTHERS = {
  code: 'other-products',
  text: 'agents/openai.yaml has it for other products',
} as const

async function hiddenBy(
  { path, real }: FoundSkill,
  name: string,
  disabled: ReadonlySet<string>,
): Promise<ListReason | null> {
  if ([name, path, real, dirname(path), dirname(real)].some((one) => disabled.has(one))) {
    return { code: 'config-table', text: 'config.toml turns it off' }
  }
  const policy = await readFile(join(dirname(path), 'agents', 'openai.yaml'), 'utf8').catch(
    () => '',
  )
  try {
    const { allow_implicit_invocation: allowed, products } = member(parse(policy), 'policy')
    if (allowed === false) return PERSON_ONLY
    const isForOthers =
      Array.isArray(products) && products.length > 0 && !products.includes('codex')
    return isForOthers ? FOR_OTHERS : null
  } catch {
    return null
  }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
