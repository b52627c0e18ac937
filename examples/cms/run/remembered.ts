import type { VirtualWorkspace } from 'loadout'

/** What a session knows when it is over; the model reads the same at its next step. */
export interface Remembered {
  /** As `type:id name`. */
  readonly entities: readonly string[]
  /** Tools that need no search any more. */
  readonly found: readonly string[]
  /** As `tool times`, meta-tools too. */
  readonly used: readonly string[]
}

export function rememberedBy({ state }: VirtualWorkspace): Remembered {
  return {
    entities: state.memory.entities.map(({ type, id, name }) => `${type}:${id} ${name}`),
    found: state.found.map(({ name }) => name),
    used: state.used.map(({ tool, count }) => `${tool} ${count}`),
  }
}
