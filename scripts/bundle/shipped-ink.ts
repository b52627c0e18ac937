import { applyPatch, parsePatch } from 'diff'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const INK = fileURLToPath(new URL('..', import.meta.resolve('ink')))

const RENDERER = fileURLToPath(new URL('renderer.js', import.meta.resolve('ink')))

/** Puts the rows of a frame together, in place of Ink's own module. */
export const INK_OUTPUT = fileURLToPath(
  new URL('../../src/workbench/playground/terminal/ink-output.ts', import.meta.url),
)

/** Changes that make frames faster, for Ink itself. */
const PATCHES = parsePatch(readFileSync(new URL('ink.patch', import.meta.url), 'utf8'))

/** Changes that only this package needs. */
const REWRITES = [
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
  {
    // Sources have no default exports.
    file: /[\\/]ink[\\/]build[\\/]renderer\.js$/,
    from: 'import Output from',
    to: 'import { InkOutput as Output } from',
  },
]

/**
 * Makes Ink what the command draws with: see docs/decisions/0019-files-that-are-published.md. Throws when Ink no longer
 * has what is changed.
 */
export function shippedInk() {
  const unused = new Set<unknown>([INK_OUTPUT, ...PATCHES, ...REWRITES])
  return {
    name: 'shipped-ink',
    resolveId(source, importer) {
      // Its packages have the versions of Ink's.
      if (importer === INK_OUTPUT) return this.resolve(source, RENDERER)
      if (importer !== RENDERER || source !== './output.js') return null
      unused.delete(INK_OUTPUT)
      return INK_OUTPUT
    },
    load(id) {
      const rewrite = REWRITES.find(({ file }) => file.test(id))
      if (rewrite === undefined && !id.startsWith(INK)) return null
      // The sources that the map names are not published with Ink.
      let code = readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*/m, '')
      if (rewrite !== undefined) {
        unused.delete(rewrite)
        if (!code.includes(rewrite.from)) throw new Error(`${id} has no "${rewrite.from}".`)
        code = code.replaceAll(rewrite.from, rewrite.to)
      }
      const patch = PATCHES.find(({ oldFileName }) => oldFileName === `a/${relative(INK, id)}`)
      if (patch === undefined) return code
      unused.delete(patch)
      const patched = applyPatch(code, patch)
      if (patched === false) throw new Error(`${id} has no lines for its part of ink.patch.`)
      return patched
    },
    generateBundle() {
      if (unused.size > 0) throw new Error(`Was not used: ${JSON.stringify([...unused])}`)
    },
  } satisfies Plugin
}
