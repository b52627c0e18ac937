import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { keywordValue, namedSchemas } from './subschemas.ts'
import { parsePattern, type PatternNode, TOO_LARGE } from './parse-pattern.ts'

/** Returns true if a text contains a match. Gives its work to `spend`, which may throw. */
type PatternTest = (text: string, spend: (work: number) => void) => boolean

/** A pattern of a schema that nothing checks, and the reason, as the end of a sentence about the pattern. */
export interface UncheckedPattern {
  readonly pattern: string
  readonly reason: string
}

/** Returns the patterns of schemas that cannot be checked. Values are accepted as if they matched. */
export function uncheckedPatterns(
  schemas: Iterable<JsonSchema | boolean>,
): readonly UncheckedPattern[] {
  const patterns = new Set<string>()
  for (const schema of schemas) {
    if (!isObject(schema)) continue
    const pattern = keywordValue(schema, 'pattern')
    if (typeof pattern === 'string') patterns.add(pattern)
    for (const [name] of namedSchemas(schema, 'patternProperties')) patterns.add(name)
  }
  return [...patterns].flatMap((pattern) => {
    const compiled = compilePattern(pattern)
    return compiled.ok ? [] : [{ pattern, reason: compiled.reason }]
  })
}

/**
 * Compiles a regular expression to a test that takes linear time in the text, whatever the pattern is: all
 * possibilities advance together, one character at a time, and each state is entered once at each place.
 *
 * A lookaround is checked for all places in one additional pass. Back references have no such test. They
 * are refused, like patterns that expand to too many states.
 */
export function compilePattern(
  pattern: string,
):
  | { readonly ok: true; readonly test: PatternTest }
  | { readonly ok: false; readonly reason: string } {
  const parsed = parsePattern(pattern)
  if (!parsed.ok) return parsed
  const counted = countedTest(parsed.node)
  if (counted !== undefined) return { ok: true, test: counted }
  const program = buildProgram(parsed.node)
  if (program === undefined) return { ok: false, reason: TOO_LARGE }
  return {
    ok: true,
    test: (text, spend) => {
      const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
      let isFound = false
      runProgram(program, { points, spend, looks: new Map() }, () => (isFound = true))
      return isFound
    },
  }
}

/** Returns the test of a limit such as `^[a-z]{1,1024}$`, which needs no states; undefined for other patterns. */
function countedTest(pattern: PatternNode): PatternTest | undefined {
  const [start, repeat, end, ...more] = pattern.kind === 'sequence' ? pattern.nodes : []
  if (start?.kind !== 'start' || end?.kind !== 'end' || more.length > 0) return undefined
  if (repeat?.kind !== 'repeat' || repeat.node.kind !== 'character') return undefined
  const { least, most } = repeat
  const { matches } = repeat.node
  return (text, spend) => {
    spend(text.length)
    let count = 0
    for (const character of text) {
      count += 1
      if (count > most || !matches(character.codePointAt(0) ?? 0)) return false
    }
    return count >= least
  }
}

type State =
  | (Extract<PatternNode, { kind: 'character' }> & { readonly next: number })
  | { readonly kind: 'split'; readonly next: number; other: number }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'no-boundary'; readonly next: number }
  | {
      readonly kind: 'look'
      readonly program: Program
      readonly negated: boolean
      readonly next: number
    }
  | { readonly kind: 'accept' }

/** The states of a pattern or of a lookaround, and the direction in which it reads the text. */
interface Program {
  readonly states: readonly State[]
  readonly first: number
  readonly reads: 'forwards' | 'backwards'
}

/** Parts of a pattern after its counted repetitions are written out. */
const MAX_PARTS = 20_000

class TooManyParts extends Error {}

/** Builds the program of a pattern. Undefined if it is too large. */
function buildProgram(pattern: PatternNode): Program | undefined {
  let parts = 0

  function build(root: PatternNode, reads: Program['reads']): Program {
    const states: State[] = [{ kind: 'accept' }]
    const add = (state: State): number => states.push(state) - 1

    /** Adds the states of a node. Returns the first; the last leads to `next`. */
    function enter(node: PatternNode, next: number): number {
      parts += 1
      if (parts > MAX_PARTS) throw new TooManyParts()
      switch (node.kind) {
        case 'character':
        case 'start':
        case 'end':
        case 'boundary':
        case 'no-boundary':
          return add({ ...node, next })
        case 'sequence': {
          const inOrder = reads === 'forwards' ? node.nodes.toReversed() : node.nodes
          return inOrder.reduce((after, part) => enter(part, after), next)
        }
        case 'choice':
          return node.nodes
            .map((branch) => enter(branch, next))
            .reduce((other, branch) => add({ kind: 'split', next: branch, other }))
        case 'repeat':
          return repeat(node, next)
        case 'look': {
          // Read from its possible ends, a lookahead is found at the places where it begins.
          const program = build(node.node, node.direction === 'ahead' ? 'backwards' : 'forwards')
          return add({ kind: 'look', program, negated: node.negated, next })
        }
      }
    }

    function repeat(
      { node, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
      next: number,
    ): number {
      let first = next
      if (most === Infinity) {
        const loop = { kind: 'split' as const, next, other: next }
        first = add(loop)
        loop.other = enter(node, first)
      }
      const optional = most === Infinity ? 0 : most - least
      for (let count = 0; count < optional; count += 1) {
        first = add({ kind: 'split', next, other: enter(node, first) })
      }
      for (let count = 0; count < least; count += 1) first = enter(node, first)
      return first
    }

    return { states, first: enter(root, 0), reads }
  }

  try {
    return build(pattern, 'forwards')
  } catch (error) {
    if (error instanceof TooManyParts) return undefined
    throw error
  }
}

interface Text {
  readonly points: readonly number[]
  readonly spend: (work: number) => void
  /** For each lookaround, 1 at the places where it matches. */
  readonly looks: Map<Program, Uint8Array>
}

/** Calls `onMatch` with each place where a match ends, until it returns true. */
function runProgram(
  { states, first, reads }: Program,
  text: Text,
  onMatch: (place: number) => boolean,
): void {
  const { points, spend } = text
  const { length } = points
  const entered = new Int32Array(states.length).fill(-1)
  let reached: number[] = []
  for (let step = 0; ; step += 1) {
    const place = reads === 'forwards' ? step : length - step
    const waiting: Extract<State, { kind: 'character' }>[] = []
    let isMatch = false
    let work = 1
    reached.push(first)
    for (let id = reached.pop(); id !== undefined; id = reached.pop()) {
      work += 1
      if (entered[id] === step) continue
      entered[id] = step
      const state = states[id] as State
      if (state.kind === 'accept') isMatch = true
      else if (state.kind === 'character') waiting.push(state)
      else if (state.kind === 'split') reached.push(state.other, state.next)
      else if (holdsAt(state, place, text)) reached.push(state.next)
    }
    spend(work)
    if (isMatch && onMatch(place)) return
    const point = points[reads === 'forwards' ? place : place - 1]
    if (point === undefined) return
    reached = []
    for (const { matches, next } of waiting) if (matches(point)) reached.push(next)
  }
}

/** Returns true if an assertion about a place is true. Place 0 is before the first character. */
function holdsAt(
  state: Exclude<State, { kind: 'accept' | 'character' | 'split' }>,
  place: number,
  text: Text,
): boolean {
  switch (state.kind) {
    case 'start':
      return place === 0
    case 'end':
      return place === text.points.length
    case 'boundary':
    case 'no-boundary': {
      const isEdge = isWord(text.points[place - 1]) !== isWord(text.points[place])
      return isEdge === (state.kind === 'boundary')
    }
    case 'look':
      return (matchPlaces(state.program, text)[place] === 1) !== state.negated
  }
}

function matchPlaces(program: Program, text: Text): Uint8Array {
  const known = text.looks.get(program)
  if (known !== undefined) return known
  const places = new Uint8Array(text.points.length + 1)
  text.looks.set(program, places)
  runProgram(program, text, (place) => {
    places[place] = 1
    return false
  })
  return places
}

function isWord(point: number | undefined): boolean {
  return point !== undefined && /^\w$/u.test(String.fromCodePoint(point))
}
