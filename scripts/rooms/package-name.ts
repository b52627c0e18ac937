/** The package an import names: `ajv` of `ajv/dist/2020.js`, `@a/b` of `@a/b/c`. */
export function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
