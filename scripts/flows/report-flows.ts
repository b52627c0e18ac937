interface FlowReport {
  readonly lines: readonly string[]
  /** False when a flow enters more files than its limit, or enters none: then nothing was traced. */
  readonly passed: boolean
}

/** Compares the files that each flow entered with its limit. */
export function reportFlows(
  entered: ReadonlyMap<string, readonly string[]>,
  limits: Readonly<Record<string, number>>,
  withFiles: boolean,
): FlowReport {
  const rows = Object.entries(limits).map(([flow, limit]) => {
    const files = entered.get(flow) ?? []
    return { flow, limit, files, passed: files.length > 0 && files.length <= limit }
  })
  const counts = rows.map(({ flow, files, limit }) => `${flow} ${files.length}/${limit}`)
  const failed = rows.filter(({ passed }) => !passed)
  return {
    lines: [
      ...rows.flatMap(({ flow, limit, files }) => [
        `${flow.padEnd(12)} ${String(files.length).padStart(4)} files, at most ${limit}`,
        ...(withFiles ? files.map((file) => `  ${file}`) : []),
      ]),
      `${rows.length} flows traced (${counts.join(', ')}), ${failed.length} failed`,
    ],
    passed: rows.length > 0 && failed.length === 0,
  }
}
