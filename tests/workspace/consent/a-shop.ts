import type { Clock, Tool, ToolResponse, VirtualWorkspace, WorkspaceOptions } from 'loadout'
import { z } from 'zod'
import { aTool, aWorkspace } from '../a-workspace.ts'

/** A clock whose two hands are set by the test. */
export interface HandClock extends Clock {
  wall: number
  steady: number
}

export function handClock(wall = 1_000_000_000_000): HandClock {
  const clock = { wall, steady: 5_000, now: () => clock.wall, monotonic: () => clock.steady }
  return clock
}

/** Both hands go on. */
export function pass(clock: HandClock, milliseconds: number): void {
  clock.wall += milliseconds
  clock.steady += milliseconds
}

export interface Refund {
  readonly order: string
  readonly amount: number
}

export const GIVEN: Refund = { order: '7', amount: 5 }

/** A tool that a person is asked about, and that notes every time it runs. */
export function refundTool(ran: Refund[], more: Parameters<typeof aTool>[1] = {}): Tool {
  return aTool('refund', {
    category: 'action',
    requiresConfirmation: true,
    inputSchema: z.object({ order: z.string(), amount: z.number() }) as never,
    execute: (input: unknown) => {
      ran.push(input as Refund)
      return 'paid'
    },
    ...more,
  })
}

/** A workspace with that tool. */
export async function aShop(
  options: Omit<WorkspaceOptions, 'catalog'> = {},
  more: Parameters<typeof aTool>[1] = {},
) {
  const ran: Refund[] = []
  const workspace = await aWorkspace({}, { tools: [refundTool(ran, more)], ...options })
  return { workspace, ran }
}

export function refund(workspace: VirtualWorkspace, input: unknown = GIVEN): Promise<ToolResponse> {
  return workspace.callTool('refund', input)
}

/** The id of the question that a call led to. */
export function asked(response: ToolResponse): string {
  if (response.ok) throw new Error('it was not asked about')
  const { type, details, message } = response.error
  if (type !== 'CONFIRMATION_REQUIRED') throw new Error(`${type}: ${message}`)
  return String(details['confirmation'])
}
