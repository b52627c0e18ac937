/** The folders and the version that a recording may name. */
export interface Surroundings {
  /** The folder with the project and the home of one run. */
  readonly run: string
  /** The folder in which the packed package is installed. */
  readonly packages: string
  readonly version: string
}

/** Random names, in one pass: each different one gets a number, so that equal ones stay equal. */
const IDS =
  /(?<![\da-f])(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{32})(?![\da-f])/g

/** Times, durations, ports and process ids, each with what replaces it. */
const MEASURED: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>'],
  [/\b\d\d:\d\d:\d\d\b/g, '<clock>'],
  // Milliseconds since 1970, from 2024 on.
  [/\b1[789]\d{11}(?:\.\d+)?\b/g, '<time>'],
  [/(?<="durationMs": )\d+(?:\.\d+)?/g, '<measured>'],
  [/(?<="latency": \{)[^}]*(?=\})/g, '<measured>'],
  [/^latency +p50 .*$/gm, 'latency <measured>'],
  // On a screen a longer duration cuts more of its line, or leaves less room behind it.
  [/(?<= after )\d+(?:\.\d+)? m?s\b[^│\n…]*…/g, '<measured> …'],
  [/(?<= after )\d+(?:\.\d+)? m?s\b( \([^)\n]*\))? */g, '<measured>$1 '],
  [/\b\d+ m[a-z ]*?(?:left\b|…) */g, '<measured> left '],
  [/(?<=\bsession "?)(?:[\da-f]{8}\b|[\da-f]{1,7}(?=…))/g, '<id>'],
  // By a key that each home has of its own.
  [/(?<="seal": ")[\da-f]{64}(?=")/g, '<seal>'],
  [/(?<=127\.0\.0\.1:)\d{4,5}\b/g, '<port>'],
  [/(?<=\(node:)\d+(?=\))/g, '<pid>'],
]

/** Replaces what is random or belongs to a machine. Everything else is compared byte for byte. */
export function normalise(text: string, { run, packages, version }: Surroundings): string {
  const ids = new Map<string, string>()
  let normal = text
    .replaceAll(run, '<run>')
    .replaceAll(packages, '<packages>')
    .replaceAll(`loadout ${version}`, 'loadout <version>')
    .replaceAll(`loadout@${version}`, 'loadout@<version>')
    .replace(/^.+$/gm, (line) => (line === version ? '<version>' : line))
    .replaceAll(IDS, (id) => {
      const known = ids.get(id) ?? `<id ${ids.size + 1}>`
      ids.set(id, known)
      return known
    })
  for (const [pattern, instead] of MEASURED) normal = normal.replaceAll(pattern, instead)
  return normal
}
