import { join } from 'node:path'
import { parse } from 'yaml'
import {
  builtInEntry,
  type ClientProfile,
  firstOfNames,
  fitAll,
  ownEntry,
  type Reading,
  type ReasonCode,
} from './client-profile.ts'
import type { ClientFolders } from './client-folders.ts'
import { findSkillFiles, type FoundSkill, type SkillPlace } from './find-skill-files.ts'

export const QWEN_CODE: ClientProfile = {
  name: 'qwen-code',
  title: 'Qwen Code',
  version: '0.15.10',
  window: 262_144,
  builtIns: [
    ['batch', 202],
    ['loop', 208],
    ['qc-helper', 333],
    ['review', 288],
  ],
  async read(folders) {
    const found = await Promise.all(places(folders).map((place) => findSkillFiles(place, WALK)))
    return found.flat().map((file) => ({ ...file, ...readSkill(file) }))
  },
  async arrange(skills) {
    const { names, listed, unlisted } = firstOfNames(skills)
    const builtIns = QWEN_CODE.builtIns.filter(([name]) => !names.has(name)).map(builtInEntry)
    const all = [...listed.map(ownEntry), ...builtIns]
    return { entries: all.toSorted((a, b) => a.name.localeCompare(b.name)), unlisted }
  },
  fit: fitAll,
}

const WALK = {
  depth: 1,
  inPlace: false,
  belowSkills: false,
  skips: () => false,
  fileLinks: true,
  looseFiles: 0,
  maxBytes: Number.POSITIVE_INFINITY,
}

/** The working folder's first, unless it is the home. */
function places({ home, folder }: ClientFolders): readonly SkillPlace[] {
  const below = (base: string, scope: SkillPlace['scope']) =>
    ['.qwen', '.agents'].map((name) => ({ path: join(base, name, 'skills'), scope }))
  return [...(folder === home ? [] : below(folder, 'project')), ...below(home, 'home')]
}

function readSkill({ bytes }: FoundSkill): Reading {
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
  const [, header] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? []
  if (header === undefined) {
    return { dropped: { code: 'no-front-matter', text: 'it begins with no front matter' }, line: 1 }
  }
  const fields = readFields(header)
  const at = (field: string) => {
    const index = header.split('\n').findLastIndex((line) => line.startsWith(`${field}:`))
    return index < 0 ? {} : { line: index + 2 }
  }
  const drop = (code: ReasonCode, text: string, field: string) => ({
    dropped: { code, text },
    ...at(field),
  })
  const name = fields.get('name') ?? ''
  const description = fields.get('description') ?? ''
  if (name === '') return drop('no-name', 'it has no name', 'name')
  if (String(description).trim() === '')
    return drop('no-description', 'it has no description', 'description')
  if (!/^[\p{L}\p{N}_:.-]+$/u.test(String(name)))
    return drop(
      'refused-name',
      'its name has other signs than letters, digits, "_", ":", "." and "-"',
      'name',
    )
  const fault = faultIn(fields, header)
  if (fault !== null) return drop(fault.code, fault.text, fault.field)
  const when = fields.get('when_to_use')
  const paths = fields.get('paths')
  const hidden = [true, 'true'].some((one) => fields.get('disable-model-invocation') === one)
    ? (['disable-model-invocation', 'keeps it from the model'] as const)
    : Array.isArray(paths) && paths.some((one) => String(one).trim() !== '')
      ? (['paths', 'hides it until the model uses a file that matches'] as const)
      : null
  const isBlock = /^[>|][-+0-9]*$/.test(String(description))
  return {
    name: String(name),
    description: `${String(description)}${typeof when === 'string' && when !== '' ? ` — ${when}` : ''}`,
    ...(isBlock && { changed: BLOCK, ...at('description') }),
    ...(hidden !== null && {
      hidden: { code: hidden[0], text: `"${hidden[0]}" ${hidden[1]}` },
      ...at(hidden[0]),
    }),
  }
}

const BLOCK = {
  code: 'block-text',
  text: 'a text of more than one line is not read, but its first sign',
} as const

/** Returns a field that makes Qwen Code refuse the whole skill; null without one. */
function faultIn(fields: ReadonlyMap<string, unknown>, header: string) {
  const tools = fields.get('allowedTools')
  if (tools !== undefined && !Array.isArray(tools))
    return { code: 'not-a-list', text: '"allowedTools" is no list', field: 'allowedTools' } as const
  if (header.includes('hooks:') && !hasHooks(header))
    return { code: 'wrong-kind', text: '"hooks" is no map', field: 'hooks' } as const
  const model = fields.get('model')
  if (model !== undefined && typeof model !== 'string')
    return { code: 'wrong-kind', text: '"model" is no text', field: 'model' } as const
  const paths = fields.get('paths') ?? []
  if (!Array.isArray(paths))
    return { code: 'not-a-list', text: '"paths" is no list', field: 'paths' } as const
  const isOutside = paths
    .map((one) => String(one).trim().replaceAll('\\', '/'))
    .some((one) => /^(?:\/|[a-z]:)/i.test(one) || one.split('/').includes('..'))
  return isOutside
    ? ({ code: 'paths-outside', text: '"paths" leads out of the project', field: 'paths' } as const)
    : null
}

/** Returns true if YAML has no hooks, or a map of them: only for these the client reads YAML. */
function hasHooks(header: string): boolean {
  try {
    const { hooks } = parse(header) as { readonly hooks?: unknown }
    return hooks !== null
  } catch {
    return false
  }
}

type Value = string | number | boolean | null

/**
 * Reads front matter as the client does, which is not YAML: a line has a field, its value ends with the line, and below a
 * field without a value are `  - item` or `  key: value`.
 */
function readFields(header: string): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  const lines = header.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  let isBelow = false
  let key = ''
  let items: Value[] | null = null
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('  - ')) {
      items ??= []
      items.push(readValue(line.slice(4).trim()))
      fields.set(key, items)
      continue
    }
    if (items !== null) {
      items = null
      key = ''
    }
    const [first = '', ...rest] = line.split(':')
    const value = rest.join(':').trim()
    if (isBelow && line.startsWith('  ')) continue
    isBelow = false
    if (!line.includes(':')) continue
    if (value !== '') {
      fields.set(first.trim(), readValue(value))
      continue
    }
    key = first.trim()
    const next = lines[at + 1] ?? ''
    if (next.startsWith('  ') && !next.startsWith('  - ')) {
      isBelow = true
      fields.set(key, {})
      key = ''
    }
  }
  return fields
}

function readValue(value: string): Value {
  if (value === 'true' || value === 'false') return value === 'true'
  if (value === 'null') return null
  if (value.length > 1 && value.startsWith('"') && value.endsWith('"')) {
    return value.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  }
  const number = Number(value)
  return value !== '' && Number.isFinite(number) ? number : value
}
