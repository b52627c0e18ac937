import { expect, test } from 'vitest'
import { footerSpans } from '../../../src/playground/screen/report-line.tsx'
import { aPlayground, TABLE } from '../a-playground.ts'

test.each([
  ['palette', true],
  ['lifetime', true],
  ['call', true],
  ['details', false],
] as const)(
  'the last line says that Esc closes %s: %s, since letters type there',
  async (kind, is) => {
    const { context } = await aPlayground()
    const shown = {
      palette: { kind: 'palette', text: '', selected: 0 },
      lifetime: { kind: 'lifetime', skill: 'music', text: '' },
      call: { kind: 'call', tool: 'query_table', text: '{}', cursor: 1, problem: '' },
      details: { kind: 'details', title: 'music', lines: [], scroll: 0 },
    } as const
    context.ui.setState({ dialog: shown[kind] })
    const text = footerSpans(context, TABLE).map((span) => span.text)
    expect(text.join('').includes('Esc Close')).toBe(is)
  },
)
