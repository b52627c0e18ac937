import type { ExposureRequest, ExposureStrategy } from '../../log/ports.ts'
import { wantedTools } from './wanted-tools.ts'
import { withLaterTools } from './with-later-tools.ts'

/**
 * For providers that keep definitions out of the prompt until the conversation refers to them.
 *
 * The first request holds everything that can be called: meta-tools, pinned tools and those of the
 * skills that are active from the start in full, the hidden ones deferred. Whatever comes later is
 * added at the end, deferred, and the conversation refers to it; so nothing that was sent changes.
 */
export const deferredExposure: ExposureStrategy = {
  name: 'deferred',
  keepsGone: true,
  plan(request) {
    const wanted = wantedTools(request)
    // Names that are wanted come twice; the first place counts.
    const tools = withLaterTools(request, [...new Set([...wanted, ...request.available])])
    return { tools, deferred: deferredNames(request, tools) }
  },
}

/** What was sent in full stays so, even when it is hidden now: turning it round would cost the prefix. */
function deferredNames(
  { hidden, pinned, previous }: ExposureRequest,
  tools: readonly { readonly name: string }[],
): ReadonlySet<string> {
  const inFull = new Set((previous ?? []).flatMap(({ name, deferred }) => (deferred ? [] : name)))
  const mayWait = (name: string) =>
    previous === null ? hidden.has(name) && !pinned.has(name) : !inFull.has(name)
  return new Set(tools.flatMap(({ name }) => (mayWait(name) ? name : [])))
}
