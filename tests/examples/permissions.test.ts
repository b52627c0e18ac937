import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

const project = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, project), 'utf8')

test('the example of permissions refuses, asks and lets through as its page says', async () => {
  const lines: string[] = []
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...words: string[]) => void lines.push(words.join(' ').trimEnd()))
  await import('../../examples/permissions/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "rm: DENIED
    ls: CONFIRMATION_REQUIRED
    to us: runs
    to others: CONFIRMATION_REQUIRED
    It was registered when the session opened.
    The policy asks first, by the rule: risk destructive.
    The policy denies calls with argument command like "*rm *".
    rm -r: runs
    rm -rf: CONFIRMATION_REQUIRED
    why: it deletes a folder
    her mailbox: runs
    his mailbox: DENIED
    ./src/../.ENV.local: CONFIRMATION_REQUIRED
    src/my.environment.ts: runs
    echo farm -rf: runs
    cd x && r""m -fr y: CONFIRMATION_REQUIRED
    git -C x push: CONFIRMATION_REQUIRED
    git status: runs
    search: denied
    While it is active, calls are restricted to: mail, Bash(ls:*).
    a tool of a server: ask
    mail in the kiosk: blocked-by-mode
    retrieval in voice: 2
    mail: denied
    shell: denied
    policy-tightened: Rules were added to the policy of the session, which now denies "shell".
    search on a budget: take-part
    search that is paid for: true"
  `)
})

test('every piece of code on the page of permissions is one of the example', () => {
  const [, ...parts] = read('docs/permissions.md').split('\n```ts\n')
  const pieces = parts
    .map((part) => part.slice(0, part.indexOf('\n```\n')))
    // One with an import is complete, and compiled as it stands.
    .filter((piece) => !piece.startsWith('import '))
  expect(pieces).toHaveLength(7)
  const example = read('examples/permissions/main.ts')
  for (const piece of pieces) expect(example).toContain(`\n${piece}\n`)
})
