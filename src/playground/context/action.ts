import type { PlaygroundContext } from './playground-context.ts'

/**
 * One thing a person can do: the one source of the key handlers, the help and the palette.
 * Keys are written as `strokes-of.ts` names them: `j`, `space`, `enter`, `ctrl+c`, `shift+tab`.
 */
export interface Action {
  /** `skills.equip`, `screen.quit`. */
  readonly id: string
  /** As an order, for help and palette: "Equip or put away". */
  readonly title: string
  readonly keys: readonly string[]
  /** Whether it makes sense now; always when absent. */
  when?(context: PlaygroundContext): boolean
  run(context: PlaygroundContext): void | Promise<void>
}
