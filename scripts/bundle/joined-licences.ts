import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/
const LICENCE = /^(?:licen[cs]e|notice)(?:\.\w+)?$/i

/** Write a file with the licence of each package whose code is joined into ours. */
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
