import type { EventLog } from '../../src/workspace/log/event-log.ts'

/** Returns a log whose requests take some turns of the event loop, as those of a server do. */
export function slowedLog(log: EventLog, delays: readonly number[]): EventLog {
  let requests = 0
  const later = async <T>(request: () => Promise<T>): Promise<T> => {
    const delay = delays[requests++ % delays.length] ?? 0
    for (let turn = 0; turn < delay; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    return request()
  }
  const { immediate: _, ...rest } = log
  return {
    ...rest,
    append: (...given) => later(() => log.append(...given)),
    read: (...given) => later(() => log.read(...given)),
    definitions: {
      has: (...given) => later(() => log.definitions.has(...given)),
      put: (...given) => later(() => log.definitions.put(...given)),
      get: (...given) => later(() => log.definitions.get(...given)),
    },
  }
}
