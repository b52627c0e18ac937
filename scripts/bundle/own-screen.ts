import { minifySync } from 'rolldown/experimental'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { isPortable } from './portable.ts'
import { INK_OUTPUT } from './shipped-ink.ts'
import { CONVERTER } from './zod-kinds.ts'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

const SCREEN = join(SOURCES, 'workbench', 'playground')

/** Draws the rows of reports on the screen. */
const DRAWN = join(SOURCES, 'workbench', 'report', 'writers', 'report-table.tsx')

/** The components, and the adapter of the AI SDK, which the entries of their names have, too. */
const COPIED = [join(SOURCES, 'render', 'ink'), join(SOURCES, 'connections', 'wires', 'ai-sdk')]

/** Marks the screen's copy of a module, which is a different module from the one of `loadout/ink` or `loadout/ai-sdk`. */
const OWN = '?own'

/** Marks the copy of a screen's module in `loadout/ink`, which draws with the React and Ink of the application. */
const APPLICATION = '?application'

const INK_ENTRY = join(SOURCES, 'entries', 'ink.ts')

const WITHIN_PACKAGE = /[\\/]node_modules[\\/]/

const JOINED = /^(?:ink|react|ai|@ai-sdk\/openai-compatible)(?:\/|$)/

/** Used by all entries: one vocabulary of the first, one hash of the second, and the third without zod 3. */
const JOINED_EVERYWHERE = /^(?:gpt-tokenizer|@noble\/hashes|zod-to-json-schema)(?:\/|$)/

/** A dependency of this package, which the joined packages use, too. */
const SHARED = /^zod(?:\/|$)/

/**
 * Gives the screen its own copy of the components, which draw with the Ink of the screen, and of the adapter of the
 * AI SDK, which runs with the SDK of the chat.
 */
export function ownScreen(): Plugin {
  return {
    name: 'own-screen',
    resolveId(source, importer) {
      if (importer === undefined || isPackage(source)) return null
      const path = join(dirname(importer), source)
      if (importer === INK_ENTRY || importer.endsWith(APPLICATION)) {
        return isDrawn(path) ? `${path}${APPLICATION}` : null
      }
      if (!isOfScreen(importer)) return null
      return COPIED.some((folder) => path.startsWith(folder)) ? `${path}${OWN}` : null
    },
    load(id) {
      if (!id.endsWith(OWN) && !id.endsWith(APPLICATION)) return null
      const path = id.slice(0, id.lastIndexOf('?'))
      return { code: readFileSync(path, 'utf8'), moduleType: path.endsWith('x') ? 'tsx' : 'ts' }
    },
  }
}

/**
 * Returns true for an import that stays an import: packages, except the screen's React and Ink, the chat's AI SDK,
 * their dependencies, and the vocabulary of the token counter.
 */
export function staysOutside(source: string, importer = ''): boolean {
  if (!isPackage(source) || isPortable(source, importer)) return false
  if (SHARED.test(source)) return !CONVERTER.test(importer)
  if (JOINED_EVERYWHERE.test(source)) return false
  // Ink's own module, which has another version of a package than the sources.
  if (importer === INK_OUTPUT) return false
  return !WITHIN_PACKAGE.test(importer) && !(isOfScreen(importer) && JOINED.test(source))
}

function isPackage(source: string): boolean {
  return !source.startsWith('.') && !isAbsolute(source)
}

function isOfScreen(path: string): boolean {
  return (isDrawn(path) && !path.endsWith(APPLICATION)) || path.endsWith(OWN)
}

function isDrawn(path: string): boolean {
  return path.startsWith(SCREEN) || path.startsWith(DRAWN)
}

/** Every published file is one folder below `dist`. */
export const VOCABULARY = 'tokens/o200k-vocabulary'

export const LOG_WORKER = 'cli/log-worker'

/** The sources that name another file of the package, by the ends of their paths, and the published file. */
const PUBLISHED: readonly (readonly [source: string, constant: string, file: string])[] = [
  ['open-cached-counter.ts', 'VOCABULARY', VOCABULARY],
  ['read-logs.ts', 'WORKER', LOG_WORKER],
]

/** Lets sources that load or start another file find the published one. The vocabulary has its words in one line. */
export function publishedFiles(): Plugin {
  return {
    name: 'published-files',
    writeBundle({ dir = '' }) {
      const file = join(dir, `${VOCABULARY}.js`)
      // The bundler writes a line for each of 200,000 words. Line breaks in words are escaped.
      writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\t+/g, ''))
    },
    transform(code, id) {
      const found = PUBLISHED.find(([source]) => id.endsWith(source))
      if (found === undefined) return null
      const [, constant, file] = found
      return code.replace(new RegExp(`(?<=${constant} = ').*(?=')`), `../${file}.js`)
    },
  }
}

/** The files with most of the code of other packages, and the largest ones that only the command has. */
const LONG: ReadonlySet<string> = new Set([
  'create-context',
  'find-transcripts',
  'list-as-client',
  'main',
  'open-chat',
  'open-model',
  'open-playground',
  'priced-prompt',
  'read-message',
  'read-transcript',
])

const NAMES = { keepNames: { function: true, class: true } } as const

/** Shortens files that nobody reads there. Stack traces have the names of functions. */
export function shortened(): Plugin {
  return {
    name: 'shortened',
    renderChunk(code, { name, fileName }) {
      if (!LONG.has(name)) return null
      const { errors, ...short } = minifySync(fileName, code, {
        module: true,
        compress: NAMES,
        mangle: NAMES,
      })
      if (errors.length > 0)
        throw new Error(`${fileName} cannot be shortened: ${errors[0]?.message}`)
      // Says of which sources the file is, as the other files do.
      return [...code.matchAll(/^\/\/ \S+$/gm), short.code].join('\n')
    },
  }
}

const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/

const LICENCE = /^(?:licen[cs]e|notice)(?:\.\w+)?$/i

/** Writes `THIRD-PARTY.md`, with the licence of each package whose code is part of the bundle. */
export function thirdParty(): Plugin {
  return {
    name: 'third-party',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) =>
        one.type === 'chunk' ? one.moduleIds : [],
      )
      const folders = modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? [])
      const sections = new Set([...new Set(folders)].map(licenceSection))
      const text = [HEADING, ...[...sections].sort()].join('\n\n')
      writeFileSync(join(SOURCES, '..', 'THIRD-PARTY.md'), `${text}\n`)
    },
  }
}

const HEADING =
  '# Third-party software\n\nThe files of this package include code of the following packages.'

function licenceSection(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { readonly name: string; readonly version: string; readonly license: string }
  const files = readdirSync(folder).filter((file) => LICENCE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const quoted = texts.map((text) => `\`\`\`text\n${text}\n\`\`\``)
  return [`## ${name} ${version} (${license})`, ...quoted].join('\n\n')
}
