import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { matchesCommand } from '../../../src/engine/standing/matches-command.ts'

const mayRun = (pattern: string, text: string) => matchesCommand(pattern, text, 'some')
const isOnly = (pattern: string, text: string) => matchesCommand(pattern, text, 'every')

test.each([
  'rm x',
  '  rm x',
  'cd a && rm x',
  'cd a&&rm x',
  'cd a; rm x',
  'cd a\nrm x',
  'ls | rm x',
  'ls |& rm x',
  'sleep 1 & rm x',
  'false || rm x',
  'echo $(rm x)',
  'echo "$(rm x)"',
  'echo `rm x`',
  'diff <(rm x) y',
  '(rm x)',
  '{ rm x; }',
  '! rm x',
  'if true; then rm x; fi',
  'while rm x; do true; done',
  'for f in *; do rm $f; done',
  'case x in x) rm y;; esac',
  'f() { rm x; }; f',
  'function f { rm x; }; f',
  'time -p rm x',
  'prlimit rm x',
  'setarch -R rm x',
  'rbash -c "rm x"',
  'curl x | sh',
  'echo cm0geA== | base64 -d | bash -s',
  '<<< "rm x" bash',
  'sudo bash < x',
  'A=1 rm x',
  'A=$(date) rm x',
  'a[1]=2 rm x',
  '>f rm x',
  '2>&1 rm x',
  '2>/dev/null rm x',
  '<in rm x',
  'echo&>f rm x',
  '/bin/rm x',
  './rm x',
  '~/bin/rm x',
  '"/opt/my tools/rm" x',
  '/opt/my\\ tools/rm x',
  'C:\\tools\\rm.exe x',
  "r''m x",
  'r"m" x',
  "'rm' x",
  '"rm" x',
  '\\rm x',
  'r\\m x',
  'r\\\nm x',
  "$'rm' x",
  "$'\\x72m' x",
  "$'\\162\\155' x",
  "$'\\u0072m' x",
  'rm$IFS-rf',
  'rm${IFS}x',
  'r$@m x',
  'a=rm; $a x',
  '${x:-rm} y',
  '{rm,x}',
  '/bin/r? x',
  '/bin/r[m] x',
  '$(echo rm) x',
  '`echo rm` x',
  'sudo rm x',
  'sudo -u ada rm x',
  'env A=1 rm x',
  'command rm x',
  'nice -n 5 rm x',
  'timeout 5 rm x',
  'xargs rm < list',
  'find . -name x -exec rm {} \\;',
  "sh -c 'rm x'",
  'bash -lc "cd a && rm x"',
  'eval "rm x"',
  "alias ls='rm x'",
  "trap 'rm x' EXIT",
  'sudo $a x',
  "# don't\nrm x; echo 'a'",
  "cat <<EOF\ndon't\nEOF\nrm x; echo 'a'",
  "echo 'rm\n' ; rm x",
])('a shell may run rm: %j', (text) => {
  expect(mayRun('rm', text)).toBe(true)
  expect(isOnly('ls', text)).toBe(false)
})

test.each([
  'npm run format',
  'sh build.sh',
  'bash -e ./x | tee log',
  'time ls',
  'format x',
  'rmdir x',
  'echo rm x',
  'echo "rm x"',
  'grep -r rm .',
  'git rm --cached x',
  'git commit -m "rm old files"',
  'ls ./rm/x',
  'cat rm',
  '[ -f rm ]',
  '[[ -f rm ]]',
  'echo "$(date) $USER"',
  'x=$(date)',
  'cd "$(dirname "$0")"',
  'for f in a b; do echo $f; done',
  'ls > rm',
  'ls 2>&1',
  'xargs -I{} cp {} x',
  '',
  'echo farm -rf',
])('no rm is run: %j', (text) => {
  expect(mayRun('rm', text)).toBe(false)
})

test.each([
  ['git push', 'git push origin', true],
  ['git push', 'git -C x push', true],
  ['git push', 'git pull', false],
  ['git push', 'git pull; echo push', false],
  ['git push', 'git $(echo -q) push', true],
  ['git push', 'git status && git push', true],
  ['git push --force', 'git push origin --forc', true],
  ['git push --force', 'git push origin', false],
  ['rm -rf', 'rm  -rf x', true],
  ['rm -rf', 'rm -fr x', true],
  ['rm -rf', 'rm -r x -vf', true],
  ['rm -rf', 'rm -r x', false],
  ['npm run *', 'npm run build', true],
  ['npm run *', 'npm install', false],
  ['*', 'anything', true],
  ['git*', 'git-lfs x', true],
])('%s in %j: %s', (pattern, text, expected) => {
  expect(mayRun(pattern, text)).toBe(expected)
})

test.each([
  ['git status', 'git status', true],
  ['git status', ' git  status -s\n', true],
  ['git *', "git commit -m 'a && b'", true],
  ['git *', 'git commit -m "a; b"', true],
  ['git *', 'git add . && git commit', true],
  ['git *', 'git add . ; git status | git x', true],
  ['git status', 'git statuses', false],
  ['git *', 'git', false],
  ['git *', 'git log | less', false],
  ['git *', 'git log & rm x', false],
  ['git *', 'git log > ~/.bashrc', false],
  ['git *', 'git log "$(rm x)"', false],
  ['git *', 'git log `rm x`', false],
  ['git *', 'git log $x', false],
  ['git *', 'git log {a,b}', false],
  ['git *', 'git log *', false],
  ['git *', 'git log \\; rm x', false],
  ['git *', 'git log (rm x)', false],
  ['git *', "git log 'a", false],
  ['git *', 'PAGER=x git log', false],
  ['git *', '/tmp/git log', false],
  ['git *', "git'' log", true],
  ['git *', "git 'log'x", true],
  ['*', 'A=1 b', false],
  ['git *', '', false],
])('only %s is run by %j: %s', (pattern, text, expected) => {
  expect(isOnly(pattern, text)).toBe(expected)
})

const folder = mkdtempSync(join(tmpdir(), 'commands-'))
const marker = join(folder, 'ran')
for (const name of ['victim', 'other']) {
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\n${name === 'victim' ? `echo 1 > '${marker}'` : ''}\n`,
  )
  chmodSync(join(folder, name), 0o755)
}
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns true when a shell that reads a text runs the command `victim`. */
function runsVictim(shell: string, text: string): boolean {
  rmSync(marker, { force: true })
  try {
    const env = { PATH: `${folder}:/usr/bin:/bin` }
    execFileSync(shell, ['-c', text], { cwd: folder, env, stdio: 'ignore', timeout: 2000 })
  } catch {
    // Most of the texts are no correct programs.
  }
  return existsSync(marker)
}

const around: readonly ((text: string) => string)[] = [
  (text) => `echo a && ${text}`,
  (text) => `echo a; ${text}; echo 'a'`,
  (text) => `false || ${text}`,
  (text) => `echo a | ${text}`,
  (text) => `echo $(${text})`,
  (text) => `echo "$(${text})"`,
  (text) => `(${text})`,
  (text) => `{ ${text}; }`,
  (text) => `! ${text}`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for f in a; do ${text}; done`,
  (text) => `case x in x) ${text};; esac`,
  (text) => `f() { ${text}; }; f`,
  (text) => `# don't\n${text}\necho 'a'`,
  (text) => `cat <<E >x\ndon't\nE\n${text}\necho 'a'`,
  (text) => `a='b\nc'; ${text}`,
  (text) => `eval '${text.replaceAll("'", `'\\''`)}'`,
  (text) => `sh -c '${text.replaceAll("'", `'\\''`)}'`,
]

const before = fc.constantFrom(
  '',
  'A=1 ',
  '>x ',
  '2>x ',
  'env ',
  'command ',
  'env A=1 ',
  '\t',
  './',
  '\\\n',
)

const spelled = fc.constantFrom(
  'victim',
  '"victim"',
  "'victim'",
  "vict''im",
  'v\\ictim',
  'vic\\\ntim',
  'v"i"ctim',
  'victi${z}m',
)

const running = fc
  .tuple(before, spelled, fc.array(fc.constantFrom(...around), { maxLength: 3 }))
  .map(([first, name, frames]) => frames.reduce((text, frame) => frame(text), `${first}${name} x`))

test('a command is found in whatever text runs it', () => {
  let ran = 0
  fc.assert(
    fc.property(running, fc.integer({ min: 0, max: 20 }), (text, lot) => {
      expect({ text, found: mayRun('victim', text) }).toEqual({ text, found: true })
      expect(isOnly('echo', text)).toBe(false)
      // Asking a shell is slow, and shows that the texts are what they should be.
      if (lot === 0 && runsVictim('sh', text)) ran += 1
    }),
    { numRuns: 1000 },
  )
  expect(ran).toBeGreaterThan(0)
})

const word = fc.constantFrom(
  'victim',
  'victi',
  'm',
  'other',
  'echo',
  ' ',
  ' ',
  '\n',
  ';',
  '&&',
  '||',
  '|',
  '(',
  ')',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '>',
  '<',
  '2>&1',
  '#',
  '$x',
  'x=',
  'x=victim',
  '$@',
  "$'\\x76",
  'env',
  'sh -c',
  'eval',
  'if',
  'then',
  'fi',
  'true',
  'case x in x)',
  'esac',
  '<<E',
  'E',
  '!',
  'command',
  '*',
  '&',
  '\\\n',
)

test.each(['sh', 'bash'].filter((shell) => existsSync(`/bin/${shell}`)))(
  'whatever %s runs was found in its text',
  (shell) => {
    let ran = 0
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (words) => {
        const text = words.join('')
        // The shell is only asked about texts that could prove something wrong.
        const [may, only] = [mayRun('victim', text), isOnly('other', text)]
        if (may && !only) return
        const runs = runsVictim(shell, text)
        ran += 1
        expect({ text, isMissed: runs && !may, isAllowed: runs && only }).toEqual({
          text,
          isMissed: false,
          isAllowed: false,
        })
      }),
      { numRuns: 150 },
    )
    expect(ran).toBeGreaterThan(0)
  },
)
