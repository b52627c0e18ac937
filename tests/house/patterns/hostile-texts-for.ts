import type { PatternNode } from './pattern-tree.ts'
import { pieceMatcher, type PieceMatcher } from './pattern-steps.ts'

/** Letters of every kind that a pattern may distinguish. */
const LETTERS = [
  ...'aAzZ059 \t\n\r_-.,:;/\\`~"\'()[]{}<>*+#?!@$&=%|^',
  ...'\u001Béß漢가مक\u0301\u200D👩\u{E0067}\u2028',
]

/** Returns a text of about that many characters. */
export type HostileText = (length: number) => string

/**
 * Returns texts on which a backtracking matcher of this pattern would read the same text again, if it ever
 * does: the beginning of each of its repetitions, then many letters that the repetition accepts, then a
 * letter that it does not; and the beginning of a match, repeated.
 */
export function hostileTextsFor(tree: PatternNode, flags: string): readonly HostileText[] {
  const holds = pieceMatcher(flags)
  const nodes = nodesOf(tree)
  const atoms = [...new Set(nodes.flatMap((one) => (one.kind === 'atom' ? [one.source] : [])))]
  const kinds = kindsOf(atoms, holds)
  const end = LETTERS.find((letter) => atoms.every((atom) => holds(atom, letter, 0) < 0)) ?? '\0'
  const units = kinds.flatMap((one) => [one, ...kinds.map((other) => one + other)])
  const pumped = nodes.filter((one) => one.kind === 'repeat' && one.most === Infinity)
  return [
    ...units.map((unit) => filled('', unit, end)),
    ...pumped.flatMap((node) => {
      const before = leadTo(tree, node, holds)
      return [sample(node, holds), ...units].flatMap((unit) => [
        filled(before, unit, end),
        filled('', before + unit, end),
      ])
    }),
  ]
}

function filled(before: string, unit: string, end: string): HostileText {
  return (length) => before + unit.repeat(Math.ceil(length / Math.max(1, unit.length))) + end
}

/** One letter for each way in which letters differ to a pattern. */
function kindsOf(atoms: readonly string[], holds: PieceMatcher): readonly string[] {
  const kinds = new Map<string, string>()
  for (const letter of LETTERS) {
    const kind = atoms.map((atom) => (holds(atom, letter, 0) === letter.length ? 1 : 0)).join('')
    if (kind.includes('1') && !kinds.has(kind)) kinds.set(kind, letter)
  }
  return [...kinds.values()]
}

/** Returns a text that the pattern accepts up to one of its nodes. */
function leadTo(tree: PatternNode, target: PatternNode, holds: PieceMatcher): string {
  if (tree === target) return ''
  switch (tree.kind) {
    case 'atom':
    case 'place':
    case 'ahead':
      return ''
    case 'repeat':
      return leadTo(tree.item, target, holds)
    case 'choice': {
      const option = tree.options.find((one) => nodesOf(one).includes(target))
      return option === undefined ? '' : leadTo(option, target, holds)
    }
    case 'sequence': {
      const at = tree.items.findIndex((one) => nodesOf(one).includes(target))
      const before = tree.items.slice(0, Math.max(0, at)).map((one) => sample(one, holds))
      const item = tree.items[at]
      return before.join('') + (item === undefined ? '' : leadTo(item, target, holds))
    }
  }
}

/** Returns a short text that a node accepts. */
function sample(node: PatternNode, holds: PieceMatcher): string {
  switch (node.kind) {
    case 'atom': {
      const literal = node.source.replace(/^\\(?=[^\w])/u, '')
      const given = [literal, ...LETTERS].find((letter) => holds(node.source, letter, 0) > 0)
      return given ?? ''
    }
    case 'place':
    case 'ahead':
      return ''
    case 'sequence':
      return node.items.map((one) => sample(one, holds)).join('')
    case 'choice':
      return node.options[0] === undefined ? '' : sample(node.options[0], holds)
    case 'repeat':
      return sample(node.item, holds).repeat(Math.max(1, node.least))
  }
}

function nodesOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case 'atom':
    case 'place':
      return [node]
    case 'ahead':
      return [node, ...nodesOf(node.inner)]
    case 'sequence':
      return [node, ...node.items.flatMap(nodesOf)]
    case 'choice':
      return [node, ...node.options.flatMap(nodesOf)]
    case 'repeat':
      return [node, ...nodesOf(node.item)]
  }
}
