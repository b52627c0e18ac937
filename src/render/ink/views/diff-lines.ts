import type { PricedChange } from '../../../engine/model/step-cost.ts'
import type { ToolDifference } from '../../../engine/standing/tool-table.ts'
import { sanitiseLine, sanitiseText } from '../../../kernel/sanitise-text.ts'
import { counted, formatCount, tokenChange } from '../parts/format-count.ts'
import { requestChangeText } from '../parts/request-text.ts'
import type { DocumentDiff, LineChange, SectionChange } from '../../prompt/diff-documents.ts'
import { wrapLines } from '../../../kernel/display-width.ts'

/** One line of a difference. Its kind also shows in its first character or its words. */
export interface DiffLine {
  readonly kind: 'heading' | 'added' | 'removed' | 'changed' | 'same' | 'note'
  readonly text: string
}

/** Unchanged lines shown around a change. */
const CONTEXT = 2

/**
 * The lines of a difference between two moments for a model: the price, the tools, then the changed sections. The
 * change of the next request is null when it is not known.
 */
export function diffLines(
  {
    tools,
    document,
    request,
  }: {
    readonly tools: ToolDifference
    readonly document: DocumentDiff
    readonly request: PricedChange | null
  },
  width: number,
): readonly DiffLine[] {
  return [
    ...(request === null ? [] : requestLines(request, width)),
    ...toolLines(tools, request, width),
    ...document.changes.flatMap((change) => sectionLines(change, width)),
  ]
}

function wrappedLine({ kind, text }: DiffLine, width: number): DiffLine[] {
  return wrapLines(sanitiseLine(text), Math.max(4, width), 2).map((text) => ({ kind, text }))
}

/** Says what the next request costs, and from which part on the cache of the request before is lost. */
function requestLines(request: PricedChange, width: number): DiffLine[] {
  const { previous, kept, changed, minimum } = request.kept
  const head = wrappedLine({ kind: 'heading', text: requestChangeText(request, 'to') }, width)
  if (changed === null || minimum !== undefined) return head
  const { segment, part } = changed
  const text = `cache lost from ${segment} "${part}" on: ${counted(previous - kept, 'token')}`
  return [...head, ...wrappedLine({ kind: 'removed', text }, width)]
}

/** The tools that differ, one per line. */
export function toolLines(
  { added, removed, changed }: ToolDifference,
  request: PricedChange | null,
  width: number,
): DiffLine[] {
  const lines: DiffLine[] = [
    ...added.map((name) => ({ kind: 'added' as const, text: `+ ${name}` })),
    ...removed.map((name) => ({ kind: 'removed' as const, text: `- ${name}` })),
    ...changed.map((name) => ({ kind: 'changed' as const, text: `* ${name} (changed)` })),
  ]
  if (lines.length === 0) {
    lines.push({ kind: 'note', text: 'No tools were added, removed or changed.' })
  }
  const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`
  const tokens = request === null ? '' : `; in the request ${tokenChange(request.tools, 'to')}`
  const text = `Available tools: ${counts}${tokens}`
  return [...wrappedLine({ kind: 'heading', text }, width), ...lines]
}

/** The lines of a section that differ, under a heading with its tokens. */
export function sectionLines(change: SectionChange, width: number): DiffLine[] {
  const { kind, title, before, after, lines } = change
  const price = tokenChange({ before, after }, 'to')
  return [
    ...wrappedLine({ kind: 'heading', text: `${title} (${kind}): ${price}` }, width),
    ...lines.flatMap((part, index) =>
      partLines(part, width, index === 0, index === lines.length - 1),
    ),
  ]
}

function partLines(
  { kind, text }: LineChange,
  width: number,
  isFirst: boolean,
  isLast: boolean,
): DiffLine[] {
  const columns = Math.max(1, width - 2)
  // Sections end with an empty line, which is not shown.
  const safe = sanitiseText(text)
  const raw = (isLast ? safe.trimEnd() : safe.replace(/\n$/, '')).split('\n')
  const marked = (lines: readonly string[]): DiffLine[] => {
    const mark = kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '
    const wrapped = lines.flatMap((line) => wrapLines(line, columns))
    return wrapped.map((line) => ({ kind, text: `${mark} ${line}`.trimEnd() }))
  }
  if (kind !== 'same') return marked(raw)
  const from = isFirst ? 0 : CONTEXT
  const to = isLast ? raw.length : Math.max(from, raw.length - CONTEXT)
  const hidden = to - from
  if (hidden <= 1) return marked(raw)
  return [
    ...marked(raw.slice(0, from)),
    { kind: 'note', text: `  (${formatCount(hidden)} unchanged lines)` },
    ...marked(raw.slice(to)),
  ]
}
