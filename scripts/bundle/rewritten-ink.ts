import type { Plugin } from 'rolldown'
import { ONE_COLUMN_LETTERS } from '../../src/kernel/display-width.ts'

/** Changes lines of Ink, and of packages that it uses, most of which make a frame slow: see docs/decisions/0019-files-that-are-published.md. */
export function rewrittenInk(): Plugin {
  const unused = new Set(REWRITES)
  return {
    name: 'rewritten-ink',
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
  {
    // It would import tools for debugging, which this package does not declare.
    file: /[\\/]ink[\\/]build[\\/]reconciler\.js$/,
    from: "process.env['DEV'] === 'true'",
    to: 'false',
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
