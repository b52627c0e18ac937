type Step =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'name' }
  | { readonly kind: 'anything' }
  /** What `**` and a slash become: the two steps after it may be passed over together. */
  | { readonly kind: 'optional' }

/**
 * Whether a path with `/` fits a pattern. `?` is one character and `*` any number of them, both
 * within a name; `**` crosses folders, and before a slash it also fits no folder at all. A
 * pattern without a slash is held against the last name alone: `*.ts` finds files at any depth.
 *
 * Steps through the path once with the set of places the pattern can be at, so time grows with
 * pattern times path and never faster, whatever the pattern.
 */
export function fitsGlob(path: string, pattern: string): boolean {
  const text = pattern.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1)
  const steps = parse(pattern)
  let places = new Set<number>()
  arrive(0, steps, places)
  for (const character of text) {
    const next = new Set<number>()
    for (const place of places) {
      const step = steps[place]
      if (step !== undefined) take(step, character, place, steps, next)
    }
    places = next
  }
  return places.has(steps.length)
}

function take(
  step: Step,
  character: string,
  place: number,
  steps: readonly Step[],
  next: Set<number>,
): void {
  switch (step.kind) {
    case 'literal':
      if (step.character === character) arrive(place + 1, steps, next)
      return
    case 'one':
      if (character !== '/') arrive(place + 1, steps, next)
      return
    case 'name':
      if (character !== '/') arrive(place, steps, next)
      return
    case 'anything':
      arrive(place, steps, next)
      return
    case 'optional':
      return
  }
}

/** Add a place, and those reachable from it without reading a character. */
function arrive(place: number, steps: readonly Step[], places: Set<number>): void {
  if (places.has(place)) return
  places.add(place)
  const kind = steps[place]?.kind
  if (kind === 'name' || kind === 'anything') arrive(place + 1, steps, places)
  if (kind === 'optional') {
    arrive(place + 1, steps, places)
    arrive(place + 3, steps, places)
  }
}

function parse(pattern: string): readonly Step[] {
  const steps: Step[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '?') {
      steps.push({ kind: 'one' })
    } else if (character !== '*') {
      steps.push({ kind: 'literal', character })
    } else if (characters[at + 1] !== '*') {
      steps.push({ kind: 'name' })
    } else {
      at += 1
      if (characters[at + 1] === '/') steps.push({ kind: 'optional' })
      steps.push({ kind: 'anything' })
    }
  }
  return steps
}
