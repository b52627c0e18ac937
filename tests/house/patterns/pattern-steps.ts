import type { PatternNode } from './pattern-tree.ts'

/** Matches one atom or place of a pattern at an index. Returns the end of the match, or -1. */
export type PieceMatcher = (source: string, text: string, index: number) => number

/** Matches single pieces as the language itself does, with the flags of their pattern. */
export function pieceMatcher(flags: string): PieceMatcher {
  const sticky = `${flags.replaceAll(/[gy]/g, '')}y`
  const compiled = new Map<string, RegExp>()
  return (source, text, index) => {
    const piece = compiled.get(source) ?? new RegExp(source, sticky)
    compiled.set(source, piece)
    piece.lastIndex = index
    return piece.test(text) ? piece.lastIndex : -1
  }
}

type Repeat = Extract<PatternNode, { kind: 'repeat' }>

class TooManySteps extends Error {}

/**
 * Returns the number of pieces that a backtracking matcher examines until it has found every match in a text,
 * or the first one of a pattern that is not global; `most` when there are more. It counts steps, so the
 * result is the same on every machine.
 */
export function patternSteps(tree: PatternNode, flags: string, text: string, most: number): number {
  const holds = pieceMatcher(flags)
  let steps = 0
  const look = (node: PatternNode, index: number, next: (index: number) => number): number => {
    switch (node.kind) {
      case 'atom':
      case 'place': {
        steps += 1
        if (steps >= most) throw new TooManySteps()
        const end = holds(node.source, text, index)
        return end < 0 ? -1 : next(end)
      }
      case 'ahead': {
        const isThere = look(node.inner, index, (end) => end) >= 0
        return isThere === node.isWanted ? next(index) : -1
      }
      case 'sequence':
        return sequence(node.items, 0, index, next)
      case 'choice': {
        for (const option of node.options) {
          const end = look(option, index, next)
          if (end >= 0) return end
        }
        return -1
      }
      case 'repeat':
        return repeat(node, 0, index, next)
    }
  }
  const sequence = (
    items: readonly PatternNode[],
    at: number,
    index: number,
    next: (index: number) => number,
  ): number => {
    const item = items[at]
    return item === undefined
      ? next(index)
      : look(item, index, (end) => sequence(items, at + 1, end, next))
  }
  /** The same as below without a call for each repetition, because the stack is limited. */
  const repeatedAtom = (
    { least, most: times }: Repeat,
    atom: PatternNode,
    index: number,
    next: (index: number) => number,
  ): number => {
    const ends = [index]
    for (let end = index; end >= 0 && ends.length <= times;) {
      end = look(atom, end, (taken) => taken)
      if (end >= 0) ends.push(end)
    }
    for (let count = ends.length - 1; count >= least; count -= 1) {
      const end = next(ends[count] ?? index)
      if (end >= 0) return end
    }
    return -1
  }
  const repeat = (
    node: Repeat,
    times: number,
    index: number,
    next: (index: number) => number,
  ): number => {
    if (node.item.kind === 'atom' && !node.isLazy) return repeatedAtom(node, node.item, index, next)
    const again = () =>
      times >= node.most
        ? -1
        : look(node.item, index, (end) =>
            end === index && times >= node.least ? -1 : repeat(node, times + 1, end, next),
          )
    if (times < node.least) return again()
    if (node.isLazy) {
      const end = next(index)
      return end >= 0 ? end : again()
    }
    const end = again()
    return end >= 0 ? end : next(index)
  }
  try {
    for (let start = 0; start <= text.length;) {
      const end = look(tree, start, (index) => index)
      if (end >= 0 && !flags.includes('g')) return steps
      start = end > start ? end : start + 1
    }
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error
    return most
  }
  return steps
}
