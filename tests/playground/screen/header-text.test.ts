import { expect, test } from 'vitest'
import { headerText, type HeaderFacts } from '../../../src/playground/screen/report-line.tsx'

const FACTS: HeaderFacts = {
  session: 's',
  agent: null,
  moment: null,
  last: 4,
  isForeign: false,
  sign: '⇠',
  live: true,
  followed: true,
  tokens: 1200,
  tokenizer: 'words',
}

test.each<{ facts: Partial<HeaderFacts>; says: string }>([
  { facts: {}, says: 'now #4 | 1,200 tokens (words) | no agent | session s' },
  {
    facts: { moment: 2, agent: 'clerk' },
    says: 'MOMENT #2 of #4 | 1,200 tokens (words) | agent clerk | session s',
  },
  {
    facts: { isForeign: true },
    says: 'now #4 ⇠ by another process | 1,200 tokens (words) | no agent | session s',
  },
  {
    facts: { isForeign: true, sign: '', moment: 2 },
    says: 'MOMENT #2 of #4 by another process | 1,200 tokens (words) | no agent | session s',
  },
  {
    facts: { live: false },
    says: 'now #4 | 1,200 tokens (words) | read-only, followed | no agent | session s',
  },
  {
    facts: { live: false, followed: false },
    says: 'now #4 | 1,200 tokens (words) | read-only | no agent | session s',
  },
])('the first line of a screen: $says', ({ facts, says }) => {
  expect(headerText({ ...FACTS, ...facts })).toBe(says)
})
