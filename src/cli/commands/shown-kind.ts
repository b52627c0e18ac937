/** Kinds of definitions that `show` knows. */
export const SHOWN_KINDS = ['skill', 'tool', 'toolset', 'agent', 'rules', 'component'] as const

export type ShownKind = (typeof SHOWN_KINDS)[number]
