import type { Place } from './findings.ts'

/** One value of a YAML file, with where it stands. Names such as `__proto__` are plain keys. */
export type YamlNode = YamlScalar | YamlList | YamlMap

/**
 * `text` is what the author wrote, so that an unquoted `1.10` stays a version;
 * `value` is what YAML 1.2 makes of it.
 */
interface YamlScalar {
  readonly kind: 'scalar'
  readonly text: string
  readonly value: string | number | bigint | boolean | null
  readonly place: Place
}

interface YamlList {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly place: Place
}

interface YamlMap {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, YamlEntry>
  readonly place: Place
}

/** A key's value, and where the key stands. */
export interface YamlEntry {
  readonly node: YamlNode
  readonly place: Place
}
