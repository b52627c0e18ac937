import { expect, test } from 'vitest'
import { measureWorkload, SKILL_WORKLOADS } from './skill-workload.ts'

const named: boolean[] = []

test.each(SKILL_WORKLOADS)(
  '$name: the prices of the plan are those on the socket, and the way it names is cheap there',
  async (workload) => {
    const { plan, measured, violations } = await measureWorkload(workload)
    expect(violations).toEqual([])
    expect(measured.length).toBeGreaterThanOrEqual(3)
    const onSocket = new Map(measured.map(({ way, price }) => [way, price]))
    for (const { way, price } of plan.ways) {
      expect(price / (onSocket.get(way) ?? 0)).toBeGreaterThan(0.9)
      expect(price / (onSocket.get(way) ?? 0)).toBeLessThan(1.1)
    }
    const [best] = plan.ways
    named.push(best?.way === measured[0]?.way)
    expect((onSocket.get(best?.way ?? 'always') ?? 0) / (measured[0]?.price ?? 0)).toBeLessThan(
      1.02,
    )
  },
)

test('the plan names the cheapest way of at least 11 of the 12 workloads', () => {
  expect(named).toHaveLength(12)
  expect(named.filter(Boolean).length).toBeGreaterThanOrEqual(11)
})
