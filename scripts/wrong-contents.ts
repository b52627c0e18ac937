import type { PackageManifest } from './manifest.ts'

/** The licences of the packages whose code is joined into ours: they ask to go with it. */
const LICENCES = 'dist/parts/licences.txt'

/** All that the package may hold, besides what it must. */
const WELCOME = [/^bin\/[^/]+\.js$/, /^dist\/.+\.(js|d\.ts)$/]

const EXPECTED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', LICENCES]

/** What is in the package and should not be, and what is missing from it. */
export function wrongContents(
  files: readonly string[],
  { bin, exports }: PackageManifest,
): readonly string[] {
  const targets = [...Object.values(bin), ...Object.values(exports).flatMap(exportTargets)]
  const expected = new Set([...EXPECTED, ...targets.map((path) => path.replace(/^\.\//, ''))])
  return [
    ...files
      .filter((file) => !expected.has(file) && !WELCOME.some((pattern) => pattern.test(file)))
      .map((file) => `${file} has no place in the package. Leave it out of "files".`),
    ...[...expected]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing from the package.`),
  ]
}

function exportTargets(target: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target)
}
