import type { Plugin } from 'rolldown'

const KINDS = '\0zod-kinds'

/** Writes schemas of zod 3 as JSON Schema, and needs nothing of zod but the names of its kinds. */
export const CONVERTER = /[\\/]node_modules[\\/]zod-to-json-schema[\\/]/

/** Gives the converter of zod 3 the names of kinds, each of which is its own value, instead of zod 3 with all its code. */
export function zodKinds(): Plugin {
  return {
    name: 'zod-kinds',
    resolveId: (source, importer = '') =>
      source === 'zod/v3' && CONVERTER.test(importer) ? KINDS : null,
    load: (id) =>
      id === KINDS
        ? 'export const ZodFirstPartyTypeKind = new Proxy({}, { get: (_, kind) => kind })'
        : null,
  }
}
