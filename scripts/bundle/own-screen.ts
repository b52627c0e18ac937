import { readdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

const SCREEN = join(SOURCES, 'playground')

const COMPONENTS = join(SOURCES, 'render', 'ink')

/** Marks the screen's copy of a component, which is a different module from the one of `loadout/ink`. */
const OWN = '?own'

const WITHIN_PACKAGE = /[\\/]node_modules[\\/]/

const DRAWN_BY = /^(?:ink|react)(?:\/|$)/

/** Gives the screen its own copy of the components: they draw with the Ink of the screen. */
export function ownScreen(): Plugin {
  return {
    name: 'own-screen',
    resolveId(source, importer) {
      if (importer === undefined || isPackage(source) || !isOfScreen(importer)) return null
      const path = join(dirname(importer), source)
      return path.startsWith(COMPONENTS) ? `${path}${OWN}` : null
    },
    load(id) {
      if (!id.endsWith(OWN)) return null
      const path = id.slice(0, -OWN.length)
      return { code: readFileSync(path, 'utf8'), moduleType: path.endsWith('x') ? 'tsx' : 'ts' }
    },
    // Yoga loads its embedded layout code with `fetch`, if there is one. In Node that would load a network
    // stack.
    transform(code, id) {
      return /[\\/]node_modules[\\/]yoga-layout[\\/]/.test(id)
        ? code.replaceAll('typeof fetch', 'typeof undefined')
        : null
    },
  }
}

/**
 * Returns true for an import that stays an import: packages, except the screen's React and Ink and their
 * dependencies.
 */
export function staysOutside(source: string, importer = ''): boolean {
  if (!isPackage(source)) return false
  return !WITHIN_PACKAGE.test(importer) && !(isOfScreen(importer) && DRAWN_BY.test(source))
}

function isPackage(source: string): boolean {
  return !source.startsWith('.') && !isAbsolute(source)
}

function isOfScreen(path: string): boolean {
  return path.startsWith(SCREEN) || path.endsWith(OWN)
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
