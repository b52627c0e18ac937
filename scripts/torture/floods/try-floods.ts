import { FLOODS_OF_SERVERS, floodByServer } from './flooded-session.ts'
import { FLOODS_OF_MODELS, floodByModel } from './flooded-chat.ts'
import { FLOODS_OF_CLIENTS, floodByClient } from './flooded-endpoint.ts'
const [, , ms = '6000', ...only] = process.argv
for (const [kinds, run] of [
  [FLOODS_OF_SERVERS, floodByServer],
  [FLOODS_OF_MODELS, floodByModel],
  [FLOODS_OF_CLIENTS, floodByClient],
] as const)
  for (const kind of kinds) {
    if (
      only.length > 0 &&
      !only.includes(kind) &&
      !(only.includes('clients') && kinds === FLOODS_OF_CLIENTS)
    )
      continue
    const t = performance.now()
    try {
      const r = await Promise.race([
        run(kind, { forMs: Number(ms), calls: Infinity }),
        new Promise<string>((r) => setTimeout(() => r('HUNG'), Number(ms) + 20_000).unref()),
      ])
      console.log(
        kind.padEnd(28),
        typeof r === 'string'
          ? r
          : `grown ${(r.grown / 1e6).toFixed(2)} MB stop ${r.longestStop} ms calls ${r.calls} fail ${r.failures.length} ${r.failures[0]?.slice(0, 300) ?? ''}`,
        Math.round(performance.now() - t),
      )
    } catch (e) {
      console.log(kind, 'THREW', String(e).slice(0, 200))
    }
  }
process.exit(0)
