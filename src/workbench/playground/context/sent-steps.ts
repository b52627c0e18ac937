import type {
  Entry,
  ExposureName,
  ProviderName,
  StepPreview,
  VirtualWorkspace,
  WorkspaceLook,
} from '../../../entries/index.ts'

/** The provider and the strategy that prices are shown for; those of the session when absent. */
export interface SentAs {
  readonly provider?: ProviderName
  readonly strategy?: ExposureName
}

/** The prices of a session are shown as it sends its requests. */
export const AS_SENT: SentAs = {}

/** The steps of a session, as if all of them had been sent in another way. */
export interface SentSteps {
  /** Resolves with the last step up to an entry; null when none began. */
  lastUntil(seq: number, sentAs: SentAs): Promise<StepPreview | null>
  /** Resolves with all steps so far. */
  all(sentAs: SentAs): Promise<readonly SentStep[]>
}

/** A step as it would have been sent. */
export interface SentStep {
  /** The entry of the step that really began. */
  readonly seq: number
  readonly preview: StepPreview
}

/** The steps in one way that are priced so far. */
interface Run {
  readonly workspace: VirtualWorkspace
  readonly steps: SentStep[]
  look: WorkspaceLook | null
  /** The last entry that `look` knows. */
  at: number
  /** One step is priced at a time. */
  turn: Promise<unknown>
}

/** Prices the steps of a session one after the other. A step that is priced is not priced again. */
export function createSentSteps(
  workspace: () => VirtualWorkspace,
  entries: () => readonly Entry[],
): SentSteps {
  const runs = new Map<string, Run>()
  const findRun = (sentAs: SentAs): Run => {
    const key = `${sentAs.provider} ${sentAs.strategy}`
    const known = runs.get(key)
    if (known?.workspace === workspace()) return known
    const run = { workspace: workspace(), steps: [], look: null, at: -1, turn: Promise.resolve() }
    runs.set(key, run)
    return run
  }
  const priceAll = (sentAs: SentAs): Promise<readonly SentStep[]> => {
    const run = findRun(sentAs)
    const turn = run.turn.then(() => priceSteps(run, entries(), sentAs))
    run.turn = turn.catch(() => null)
    return turn
  }
  return {
    all: priceAll,
    async lastUntil(seq, sentAs) {
      const steps = await priceAll(sentAs)
      return steps.findLast((step) => step.seq <= seq)?.preview ?? null
    },
  }
}

async function priceSteps(
  run: Run,
  entries: readonly Entry[],
  sentAs: SentAs,
): Promise<readonly SentStep[]> {
  const known = run.steps.at(-1)?.seq ?? -1
  for (const { seq, event } of entries.slice(known + 1)) {
    if (event.type !== 'step.begun') continue
    run.look ??= await run.workspace.sessions.look(seq - 1)
    if (run.at >= 0) await run.look.forward(entries.slice(run.at + 1, seq))
    run.at = seq - 1
    const after = run.steps.at(-1)?.preview
    const { prompt, cost, activeTools } = event
    const preview = await run.look.previewStep({
      ...prompt,
      messageTokens: cost?.messages ?? 0,
      ...(activeTools && { activeTools }),
      ...sentAs,
      ...(after && { after }),
    })
    run.steps.push({ seq, preview })
    // A long session does not stop the keys.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return run.steps
}
