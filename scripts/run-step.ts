import { runCommand } from './run-command.ts'
import type { Step } from './step.ts'

/** How one step went. */
export interface StepReport {
  readonly name: string
  readonly passed: boolean
  /** How much it looked at, or why that is not known. */
  readonly summary: string
  readonly output: string
  readonly seconds: number
}

/** Run a step. One that ends well but looked at nothing has failed. */
export function runStep({ name, command, args, looked }: Step): StepReport {
  const start = performance.now()
  const { passed, output } = runCommand(command, args)
  const seconds = (performance.now() - start) / 1000
  const [figures, count] = looked.exec(output) ?? []
  const summary = figures ?? 'does not say how much it looked at'
  return { name, passed: passed && Number(count) > 0, summary, output, seconds }
}
