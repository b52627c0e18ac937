import { expect, test } from 'vitest'
import { matchesGlob } from '../../../../src/connections/carnet/format/matches-glob.ts'

test.each([
  { glob: 'skills/**', path: 'skills/a/SKILL.md', matches: true },
  { glob: 'skills', path: 'skills/a/SKILL.md', matches: true },
  { glob: 'skills/', path: 'skills/a/SKILL.md', matches: true },
  { glob: './skills', path: 'skills/a/SKILL.md', matches: true },
  { glob: 'skill', path: 'skills/a/SKILL.md', matches: false },
  { glob: 'skills/*/SKILL.md', path: 'skills/a/SKILL.md', matches: true },
  { glob: 'skills/*/SKILL.md', path: 'skills/a/b/SKILL.md', matches: false },
  { glob: 'skills/**/SKILL.md', path: 'skills/SKILL.md', matches: true },
  { glob: '**/draft-*', path: 'skills/draft-x/SKILL.md', matches: true },
  { glob: '**/draft-?/*', path: 'skills/draft-xy/SKILL.md', matches: false },
  { glob: '{skills,agents}/**', path: 'agents/a/AGENT.md', matches: true },
  { glob: '{skills,agents}/**', path: 'tools/a/TOOL.md', matches: false },
  { glob: 'a{b,{c,d}}', path: 'ad', matches: true },
  { glob: 'a.md', path: 'axmd', matches: false },
  { glob: 'a/*', path: 'a', matches: false },
  { glob: '', path: 'a', matches: false },
  { glob: '../**', path: 'a', matches: false },
])('$glob on $path: $matches', ({ glob, path, matches }) => {
  expect(matchesGlob(glob, path)).toBe(matches)
})

test.each([
  '*a'.repeat(500) + 'b',
  '**/'.repeat(200) + 'b',
  '{a,b}'.repeat(50),
  '{'.repeat(1_000),
  '{x}'.repeat(300),
])('a hostile pattern ends: %.20s', (glob) => {
  expect(matchesGlob(glob, `${'a'.repeat(5_000)}/c`)).toBe(false)
})
