import type { PackageManifest } from './manifest.ts'

/** All that the package may hold. */
const WELCOME = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^bin\/[^/]+\.js$/,
  /^dist\/.+\.(js|d\.ts)$/,
]

const EXPECTED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']

/** What is in the package and should not be, and what is missing from it. */
export function wrongContents(
  files: readonly string[],
  { bin, exports }: PackageManifest,
): readonly string[] {
  const targets = [...Object.values(bin), ...Object.values(exports).flatMap(exportTargets)]
  const expected = new Set([...EXPECTED, ...targets.map((path) => path.replace(/^\.\//, ''))])
  return [
    ...files
      .filter((file) => !WELCOME.some((pattern) => pattern.test(file)))
      .map((file) => `${file} has no place in the package. Leave it out of "files".`),
    ...[...expected]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing from the package.`),
  ]
}

function exportTargets(target: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target)
}
