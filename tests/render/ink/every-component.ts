import { createElement, type ReactElement } from 'react'
import { Banner } from '../../../src/render/ink/views/banner.tsx'
import { DiffView } from '../../../src/render/ink/views/diff-view.tsx'
import { EnvelopeView } from '../../../src/render/ink/views/envelope-view.tsx'
import { KeyHelp } from '../../../src/render/ink/views/key-help.tsx'
import { Ledger } from '../../../src/render/ink/views/ledger.tsx'
import { Pane } from '../../../src/render/ink/parts/pane.tsx'
import { PromptView } from '../../../src/render/ink/views/prompt-view.tsx'
import { ScrolledText } from '../../../src/render/ink/parts/windowed-rows.tsx'
import { SkillToolsBox } from '../../../src/render/ink/views/skill-tools-box.tsx'
import { Table } from '../../../src/render/ink/views/table.tsx'

const size = { width: 70, height: 14 }

/** Every component, with a text wherever it takes one. */
export const COMPONENTS: Readonly<Record<string, (text: string) => ReactElement>> = {
  Banner: (text) =>
    createElement(Banner, {
      tone: 'done',
      text,
      difference: { added: [text], removed: [text], changed: [text] },
      request: null,
      width: 70,
      height: 2,
    }),
  DiffView: (text) =>
    createElement(DiffView, {
      tools: { added: [text], removed: [text], changed: [text] },
      document: {
        changes: [
          {
            kind: 'changed',
            id: text,
            title: text,
            before: 1,
            after: 2,
            lines: [
              { kind: 'same', text },
              { kind: 'added', text },
            ],
          },
        ],
      },
      request: {
        before: 1,
        after: 2,
        tools: { before: 0, after: 1 },
        kept: { previous: 1, kept: 0, changed: null },
      },
      scroll: 0,
      ...size,
      height: 40,
    }),
  EnvelopeView: (text) =>
    createElement(EnvelopeView, {
      response: {
        ok: true,
        data: { [text]: text },
        intents: [],
        meta: { version: '1.0.0', tool: text, call: text, durationMs: 1 },
      },
      scroll: 0,
      ...size,
    }),
  KeyHelp: (text) =>
    createElement(KeyHelp, {
      groups: [{ title: text, rows: [{ keys: [text, text], title: text }] }],
      ...size,
    }),
  Ledger: (text) =>
    createElement(Ledger, {
      groups: [{ title: text, whole: 4, rows: [{ id: text, label: text, tokens: 3 }] }],
      selected: text,
      tokens: 4,
      tokenizer: text,
      ...size,
    }),
  Pane: (text) => createElement(Pane, { title: text, status: text, focused: true, ...size }),
  PromptView: (text) =>
    createElement(PromptView, {
      sections: [
        {
          id: text,
          title: text,
          stability: 'step',
          placement: 'conversation',
          tokens: 3,
          text,
          folded: false,
        },
      ],
      selected: text,
      search: text,
      tokens: 5,
      tokenizer: text,
      ...size,
    }),
  ScrolledText: (text) => createElement(ScrolledText, { lines: [text, text], scroll: 0, ...size }),
  SkillToolsBox: (text) =>
    createElement(SkillToolsBox, {
      displayName: text,
      tools: [{ name: text, summary: text }],
      width: 70,
    }),
  Table: (text) =>
    createElement(Table<string>, {
      columns: [
        { title: text, width: 12, grows: 1, rank: 0 },
        { title: text, width: 12, rank: 1, align: 'right' },
      ],
      groups: [{ id: `group ${text}`, title: text, folded: false, rows: [text] }],
      selected: text,
      identify: (row) => row,
      cells: (row) => [{ text: row }, { text: row, dim: true }],
      ...size,
    }),
}
