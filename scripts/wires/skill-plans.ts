import {
  measureWorkload,
  SKILL_WORKLOADS,
} from '../../tests/connections/wires/wire-sessions/skill-workload.ts'
import type { WirePart } from './wire-part.ts'

/** The workloads whose cheapest way the plan has to name. */
const LEAST_NAMED = SKILL_WORKLOADS.length - 1

/** Compares the advice of `planSkills` with the bodies of sessions that are run in each way. */
export const skillPlans: WirePart = {
  name: 'plans',
  claim: `For ${SKILL_WORKLOADS.length} scripted workloads, \`planSkills\` names the way of giving a model its tools that is cheapest on the socket; at most one may be missed. Prices are tokens of a session at the full input price.`,
  columns: [
    'workload',
    'model',
    'named',
    'its price, planned',
    'on the socket',
    'cheapest',
    'its price',
  ],
  async run() {
    const rows: (string | number)[][] = []
    const missed: string[] = []
    const bodies = { checked: 0, refused: 0 }
    for (const workload of SKILL_WORKLOADS) {
      const { plan, measured, requests, violations } = await measureWorkload(workload)
      const [named] = plan.ways
      const [cheapest] = measured
      const onSocket = measured.find(({ way }) => way === named?.way)
      bodies.checked += requests
      bodies.refused += violations.length
      if (named?.way !== cheapest?.way) missed.push(workload.name)
      rows.push([
        workload.name,
        workload.model.model,
        named?.way ?? '',
        named?.price ?? 0,
        onSocket?.price ?? 0,
        cheapest?.way ?? '',
        cheapest?.price ?? 0,
      ])
    }
    const isMet = SKILL_WORKLOADS.length - missed.length >= LEAST_NAMED
    return { rows, failures: isMet && bodies.refused === 0 ? [] : missed, bodies }
  },
}
