import { readdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { ONE_COLUMN_LETTERS } from '../../src/kernel/display-width.ts'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

const SCREEN = join(SOURCES, 'playground')

/** The components, and the adapter of the AI SDK, which the entries of their names have, too. */
const COPIED = [join(SOURCES, 'render', 'ink'), join(SOURCES, 'adapters', 'ai-sdk')]

/** Marks the screen's copy of a module, which is a different module from the one of `loadout/ink` or `loadout/ai-sdk`. */
const OWN = '?own'

/** Marks the copy of a screen's module in `loadout/ink`, which draws with the React and Ink of the application. */
const APPLICATION = '?application'

const INK_ENTRY = join(SOURCES, 'entries', 'ink.ts')

const WITHIN_PACKAGE = /[\\/]node_modules[\\/]/

const JOINED = /^(?:ink|react|ai|@ai-sdk\/openai-compatible)(?:\/|$)/

/** Of its vocabularies one is used, by all entries. */
const JOINED_EVERYWHERE = /^gpt-tokenizer(?:\/|$)/

/** A dependency of this package, which the joined packages use, too. */
const SHARED = /^zod(?:\/|$)/

/**
 * Gives the screen its own copy of the components, which draw with the Ink of the screen, and of the adapter of the
 * AI SDK, which runs with the SDK of the chat.
 */
export function ownScreen(): Plugin {
  const unused = new Set(REWRITES)
  return {
    name: 'own-screen',
    resolveId(source, importer) {
      if (importer === undefined || isPackage(source)) return null
      const path = join(dirname(importer), source)
      if (importer === INK_ENTRY || importer.endsWith(APPLICATION)) {
        return path.startsWith(SCREEN) ? `${path}${APPLICATION}` : null
      }
      if (!isOfScreen(importer)) return null
      return COPIED.some((folder) => path.startsWith(folder)) ? `${path}${OWN}` : null
    },
    load(id) {
      if (!id.endsWith(OWN) && !id.endsWith(APPLICATION)) return null
      const path = id.slice(0, id.lastIndexOf('?'))
      return { code: readFileSync(path, 'utf8'), moduleType: path.endsWith('x') ? 'tsx' : 'ts' }
    },
    transform(code, id) {
      const rewrites = REWRITES.filter(({ file }) => file.test(id))
      for (const one of rewrites) unused.delete(one)
      return rewrites.length === 0 ? null : rewrites.reduce(rewritten, code)
    },
    buildEnd() {
      for (const { file } of unused) throw new Error(`No file is ${file}: nothing was changed.`)
    },
  }
}

/** A change of a package that the screen brings. */
interface Rewrite {
  readonly file: RegExp
  readonly from: string
  readonly to: string
}

const LETTERS = `${ONE_COLUMN_LETTERS}`

/** Matches texts of these letters, with the colours that Ink writes. */
const COLOURED_LETTERS = new RegExp(
  ONE_COLUMN_LETTERS.source.replace('^[', '^(?:\\x1B\\[\\d+m|[').replace(']*$', '])*$'),
  'v',
)

const OUTPUT = /[\\/]ink[\\/]build[\\/]output\.js$/

const REWRITES: readonly Rewrite[] = [
  {
    // Yoga loads its embedded layout code with `fetch`, if there is one. In Node that would load a network stack.
    file: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]/,
    from: 'typeof fetch',
    to: 'typeof undefined',
  },
  // Ink reads every line of every frame again, letter by letter, because each has the letters of a frame in it. Its
  // quick ways are for ASCII; these are for all letters of one column, and what was read is kept for the next frame.
  { file: /[\\/]string-width[\\/]index\.js$/, from: '/^[\\u0020-\\u007E]*$/', to: LETTERS },
  { file: /[\\/]ink[\\/]build[\\/]line-update\.js$/, from: '/^[ -~]*$/u', to: LETTERS },
  {
    file: OUTPUT,
    from: 'caches = new OutputCaches();',
    to: 'caches = (OutputCaches.kept = OutputCaches.kept?.styledChars.size < 4096 ? OutputCaches.kept : new OutputCaches());',
  },
  // Only texts with such letters and plain colours need no cleaning.
  {
    file: /[\\/]ink[\\/]build[\\/]squash-text-nodes\.js$/,
    from: 'text = sanitizeAnsi(',
    to: `if (${COLOURED_LETTERS}.test(text)) return text;\n    text = sanitizeAnsi(`,
  },
  // No text has a background, so none needs a context for the texts in it.
  {
    file: /[\\/]ink[\\/]build[\\/]components[\\/]Text\.js$/,
    from: '(React.createElement(BackgroundContext,',
    to: '((effectiveBackgroundColor === inheritedBackgroundColor ? (_type, _props, child) => child : React.createElement)(BackgroundContext,',
  },
  // Each of these letters is one code unit.
  {
    file: /[\\/]ansi-tokenize[\\/]build[\\/]tokenize\.js$/,
    from: 'of segmenter.segment(str)) {',
    to: `of ${COLOURED_LETTERS}.test(str) ? Array.from(str, (segment, index) => ({ segment, index })) : segmenter.segment(str)) {`,
  },
  // A text is cut into lines once, not in every frame.
  {
    file: OUTPUT,
    from: 'of this.caches.getStyledChars(text)) {',
    to: 'of this.caches.lines.has(text) ? [] : this.caches.getStyledChars(text)) {',
  },
  {
    file: OUTPUT,
    from: 'let lines = characterLines.map(line => styledCharsToString(line));',
    to: 'let lines = this.caches.linesOf(text, characterLines);',
  },
  // A row whose letters are the same objects as in the last frame is the same text: letters never change, and blanks
  // and the styles of a run are one object.
  {
    file: OUTPUT,
    from: 'return styledCharsToString(lineWithoutEmptyItems).trimEnd();',
    to: 'return this.caches.rowText(output.indexOf(line), lineWithoutEmptyItems);',
  },
  { file: OUTPUT, from: 'row.push({', to: 'row.push(OutputCaches.blank ??= {' },
  { file: /[\\/]ansi-tokenize[\\/]build[\\/]styledChars\.js$/, from: '[...codes]', to: 'codes' },
  {
    file: OUTPUT,
    from: 'blockWidths = new Map();',
    to: `blockWidths = new Map();
    lines = new Map();
    rows = [];
    linesOf(text, characterLines) {
        let cached = this.lines.get(text);
        if (cached === undefined) {
            cached = characterLines.map(line => styledCharsToString(line));
            this.lines.set(text, cached);
        }
        return cached;
    }
    rowText(y, cells) {
        const before = this.rows[y];
        if (before?.cells.length === cells.length && cells.every((cell, x) => cell === before.cells[x])) {
            return before.text;
        }
        const text = styledCharsToString(cells).trimEnd();
        this.rows[y] = { cells, text };
        return text;
    }`,
  },
]

/** Throws when a package no longer has what is changed. */
function rewritten(code: string, { file, from, to }: Rewrite): string {
  if (!code.includes(from)) throw new Error(`${file} has no "${from}" to change.`)
  return code.replaceAll(from, to)
}

/**
 * Returns true for an import that stays an import: packages, except the screen's React and Ink, the chat's AI SDK,
 * their dependencies, and the vocabulary of the token counter.
 */
export function staysOutside(source: string, importer = ''): boolean {
  if (!isPackage(source)) return false
  if (SHARED.test(source)) return true
  if (JOINED_EVERYWHERE.test(source)) return false
  return !WITHIN_PACKAGE.test(importer) && !(isOfScreen(importer) && JOINED.test(source))
}

function isPackage(source: string): boolean {
  return !source.startsWith('.') && !isAbsolute(source)
}

function isOfScreen(path: string): boolean {
  return (path.startsWith(SCREEN) && !path.endsWith(APPLICATION)) || path.endsWith(OWN)
}

/** Every published file is one folder below `dist`. */
export const VOCABULARY = 'tokens/o200k-vocabulary'

/** Lets the counter that loads the vocabulary when it needs it find the published file. */
export function publishedVocabulary(): Plugin {
  return {
    name: 'published-vocabulary',
    transform(code, id) {
      return id.endsWith('open-cached-counter.ts')
        ? code.replace(/(?<=VOCABULARY = ').*(?=')/, `../${VOCABULARY}.js`)
        : null
    },
  }
}

const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/

const LICENCE = /^(?:licen[cs]e|notice)(?:\.\w+)?$/i

/** Writes a file with the licence of each package whose code is part of the bundle. */
export function joinedLicences(fileName: string): Plugin {
  return {
    name: 'joined-licences',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) =>
        one.type === 'chunk' ? one.moduleIds : [],
      )
      const folders = modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? [])
      const texts = new Set([...new Set(folders)].map(licenceOf))
      const source = [...texts].sort().join('\n---\n\n')
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { readonly name: string; readonly version: string; readonly license: string }
  const files = readdirSync(folder).filter((file) => LICENCE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
